package org.hubmark.bench.cli;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/** Where the volumes lie that a hub serves from. */
final class ServedVolumes {
    private static final String DATA = "hubmark-data";
    static final Path LOG = Path.of(DATA, "log");
    static final Path QUEUE = Path.of(DATA, "queue");
    static final Path TRACKING = Path.of(DATA, "tracking");

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
}
