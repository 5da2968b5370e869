package org.hubmark.server;

import org.hubmark.hub.VolumeFolders;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/** Options for the volumes that a hub serves from. */
public final class ServedVolumes {
    private static final String DATA = "hubmark-data";

    /** The log volume, unless named; so with the two below. */
    public static final Path LOG = Path.of(DATA, "log");
    /** The queue volume. */
    public static final Path QUEUE = Path.of(DATA, "queue");
    /** The tracking volume. */
    public static final Path TRACKING = Path.of(DATA, "tracking");

    @Option(
            names = "--log-volume",
            paramLabel = "DIR",
            converter = Converters.Volume.class,
            description = "Log volume. Default: ./" + DATA + "/log.")
    Path log = LOG;

    @Option(
            names = "--queue-volume",
            paramLabel = "DIR",
            converter = Converters.Volume.class,
            description = "Queue volume. Default: ./" + DATA + "/queue.")
    Path queue = QUEUE;

    @Option(
            names = "--tracking-volume",
            paramLabel = "DIR",
            converter = Converters.Volume.class,
            description = "Tracking volume. Default: ./" + DATA + "/tracking.")
    Path tracking = TRACKING;

    @Option(
            names = "--existing-only",
            description =
                    "Refuses to make a new queue, as below a missing mount. Default: makes one.")
    boolean existingOnly;

    /** {@return whether nothing is made where there is no queue yet} */
    public boolean existingOnly() {
        return existingOnly;
    }

    /** {@return why serve doesn't start where there is no queue yet} */
    public String absent() {
        return "there is no queue in " + log + " and " + queue
                + ", and existing-only keeps serve from making one: check the two folders, and that"
                + " they are mounted; leave existing-only out for the first start";
    }

    /** {@return the folders} */
    public VolumeFolders folders() {
        return new VolumeFolders(log, queue, tracking);
    }
}
