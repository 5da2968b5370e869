package org.hubmark.bench.cli;

import org.hubmark.bench.machine.volumes.VolumeFolders;
import org.hubmark.bench.measure.run.DataFolders;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/** The folders of the volumes that run and matrix make for their hubs. */
final class RunVolumes {
    private static final String RULE = CommonOptions.VOLUME_RULE
            + " Default: run makes a folder below the results, matrix a test volume.";

    @Option(
            names = "--log-volume",
            paramLabel = "DIR",
            converter = Converters.Volume.class,
            description = "Folder of the log volume" + RULE)
    private @Nullable Path log;

    @Option(
            names = "--queue-volume",
            paramLabel = "DIR",
            converter = Converters.Volume.class,
            description = "Folder of the queue volume" + RULE)
    private @Nullable Path queue;

    @Option(
            names = "--tracking-volume",
            paramLabel = "DIR",
            converter = Converters.Volume.class,
            description = "Folder of the message tracking log" + RULE)
    private @Nullable Path tracking;

    /**
     * {@return them, not claimed yet; those that were not named lie below the results}
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

    /** {@return all three as they were named; null where none was} A part of them is refused. */
    @Nullable
    VolumeFolders named() {
        if (log != null && queue != null && tracking != null) {
            return new VolumeFolders(log, queue, tracking);
        }
        if (Stream.of(log, queue, tracking).anyMatch(Objects::nonNull)) {
            throw UserError.usage("--log-volume, --queue-volume and --tracking-volume: name all"
                    + " three, or none");
        }
        return null;
    }
}
