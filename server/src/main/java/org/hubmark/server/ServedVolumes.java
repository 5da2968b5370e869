package org.hubmark.server;

import org.hubmark.hub.VolumeFolders;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/** Options for the volumes that a hub serves from. */
public final class ServedVolumes {
    private static final String DATA = "hubmark-data";
    static final String TRACKING_ROLE = "tracking";

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
            description = "Folder of the log volume. Default: ./" + DATA + "/log.")
    Path log = LOG;

    @Option(
            names = "--queue-volume",
            paramLabel = "DIR",
            converter = Converters.Volume.class,
            description = "Folder of the queue volume. Default: ./" + DATA + "/queue.")
    Path queue = QUEUE;

    @Option(
            names = "--tracking-volume",
            paramLabel = "DIR",
            converter = Converters.Volume.class,
            description = "Folder of the message tracking log. Default: ./" + DATA + "/tracking.")
    Path tracking = TRACKING;

    /** {@return the folders} */
    VolumeFolders folders() {
        return new VolumeFolders(log, queue, tracking);
    }
}
