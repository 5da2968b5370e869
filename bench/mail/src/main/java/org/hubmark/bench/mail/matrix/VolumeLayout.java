package org.hubmark.bench.mail.matrix;

import org.hubmark.hub.VolumeFolders;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Layout of a hub's three volumes: which of them share a device. */
public enum VolumeLayout {
    /** All on one device. */
    ONE("log", "log"),
    /** The log on a device of its own; queue and tracking on another. */
    APART("queue", "queue"),
    /** Each on a device of its own. */
    THREE("queue", "tracking"),
    /** As three, with the queue striped over two devices (RAID 0). */
    STRIPED("queue", "tracking");

    /** How many devices the queue of {@link #STRIPED} lies on. */
    private static final int STRIPES = 2;

    private final String queue;
    private final String tracking;

    VolumeLayout(String queue, String tracking) {
        this.queue = queue;
        this.tracking = tracking;
    }

    /** {@return the roles of the volumes that have a device; what has none lies on one of these} */
    List<String> devices() {
        return Stream.of("log", queue, tracking).distinct().toList();
    }

    /** {@return of how many devices that of a role is made} */
    int stripes(String role) {
        return this == STRIPED && role.equals("queue") ? STRIPES : 1;
    }

    /** {@return the role of the volume whose device has the queue} */
    String queue() {
        return queue;
    }

    /** {@return the role of the volume whose device has the tracking log} */
    String tracking() {
        return tracking;
    }

    /** {@return where the volumes lie on devices} */
    VolumeFolders volumes(VolumeFolders devices) {
        return new VolumeFolders(
                devices.log().resolve("log"),
                devices.of(queue).resolve("queue"),
                devices.of(tracking).resolve("tracking"));
    }

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
