package org.hubmark.bench.cli;

import org.hubmark.bench.machine.volumes.VolumeFolders;
import org.hubmark.bench.measure.run.DataFolders;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/** Where the volumes lie that a run makes for its hubs. */
final class RunVolumes {
    private static final String DEFAULT =
            " Default: a new folder below the results, removed at the" + " end.";

    @Option(
            names = "--log-volume",
            paramLabel = "DIR",
            converter = Converters.Volume.class,
            description = "Folder of the log volume, absent or empty; what the run makes in it is"
                    + " removed at the end." + DEFAULT)
    private @Nullable Path log;

    @Option(
            names = "--queue-volume",
            paramLabel = "DIR",
            converter = Converters.Volume.class,
            description = "Folder of the queue volume, likewise." + DEFAULT)
    private @Nullable Path queue;

    @Option(
            names = "--tracking-volume",
            paramLabel = "DIR",
            converter = Converters.Volume.class,
            description = "Folder of the message tracking log, likewise." + DEFAULT)
    private @Nullable Path tracking;

    /**
     * {@return them, not claimed yet}
     *
     * @param results the folder of the results
     */
    DataFolders folders(Path results) {
        Path volumes = results.resolve("volumes");
        return new DataFolders(new VolumeFolders(
                log == null ? volumes.resolve("log") : log,
                queue == null ? volumes.resolve("queue") : queue,
                tracking == null ? volumes.resolve("tracking") : tracking));
    }
}
