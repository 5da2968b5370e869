package org.hubmark.bench.durability;

import java.nio.file.Path;
import java.util.List;

/**
 * How the volumes of a server lie on recorded devices.
 *
 * @param volumes that have a device each, as folders below that of the server's files; the empty name
 *     alone if all share one
 */
record Layout(List<String> volumes) {
    /** Size of each device; what is not written takes no memory. */
    static final long DEVICE_BYTES = 320L << 20;

    /**
     * {@return the layout of a history} By turns, so that a short campaign meets both.
     *
     * @param ownHub whether it is known which folders are volumes
     */
    static Layout of(long seed, boolean ownHub) {
        boolean apart = ownHub && (seed & 1) != 0;
        return new Layout(apart ? List.of("log", "queue", "tracking") : List.of(""));
    }

    /** {@return the number of the device that holds a volume's files} */
    int device(String volume) {
        return Math.max(0, volumes().indexOf(volume));
    }

    /** {@return where a volume is mounted} */
    Path mountPoint(Path root, String volume) {
        return volume.isEmpty() ? root : data(root).resolve(volume);
    }

    /** {@return the folder of all the server's files} */
    static Path data(Path root) {
        return root.resolve("data");
    }

    @Override
    public String toString() {
        return volumes.size() > 1 ? "a device for each volume" : "one device";
    }
}
