package org.hubmark.bench.durability;

import org.hubmark.bench.machine.volumes.SystemTool;

import java.nio.file.Path;
import java.util.List;

/**
 * How the volumes of a server lie on recorded devices.
 *
 * @param filesystem on all of them
 * @param volumes that have a device each, as folders below that of the server's files; the empty name
 *     alone if all share one
 * @param journalApart whether each file system keeps its journal on a device of its own. A loop device
 *     makes of a write with FUA a write and a flush; with the journal elsewhere, the flushes of its
 *     commits say nothing of the files
 * @param deviceBytes size of each device; what is not written takes no memory
 */
record Layout(Filesystem filesystem, List<String> volumes, boolean journalApart, long deviceBytes) {
    /** XFS wants 300 MB. */
    private static final long DEVICE_BYTES = 320L << 20;

    /** Copies. */
    Layout {
        volumes = List.copyOf(volumes);
    }

    /**
     * {@return the layout of a history} By turns, so that a short campaign meets many.
     *
     * @param ownHub whether it is known which folders are volumes
     */
    static Layout of(long seed, boolean ownHub) {
        boolean apart = ownHub && (seed >> 1 & 1) != 0;
        boolean xfs = SystemTool.exists(Filesystem.XFS.tool());
        return new Layout(
                xfs && (seed & 1) != 0 ? Filesystem.XFS : Filesystem.EXT4,
                apart ? List.of("log", "queue", "tracking") : List.of(""),
                (seed >> 2 & 1) != 0,
                DEVICE_BYTES);
    }

    /** {@return how many devices it takes} */
    int devices() {
        return volumes().size() * (journalApart ? 2 : 1);
    }

    /** {@return the number of the device that holds a volume's files} */
    int device(String volume) {
        return Math.max(0, volumes().indexOf(volume));
    }

    /** {@return the number of the device with the journal of a device that holds files} */
    int journal(int device) {
        return volumes().size() + device;
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
        return filesystem
                + (volumes.size() > 1 ? ", a device for each volume" : ", one device")
                + (journalApart ? ", the journal on another" : "");
    }
}
