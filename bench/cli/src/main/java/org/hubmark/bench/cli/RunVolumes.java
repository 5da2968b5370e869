package org.hubmark.bench.cli;

import org.hubmark.bench.hub.DataFolders;
import org.hubmark.core.UserError;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The folders of the volumes that run and matrix make for their hubs. */
final class RunVolumes {
    private static final String RULE = CommonOptions.VOLUME_RULE + " Default: new.";

    @Option(
            names = "--log-volume",
            converter = Converters.Volume.class,
            description = "Log volume" + RULE)
    private @Nullable Path log;

    @Option(
            names = "--queue-volume",
            converter = Converters.Volume.class,
            description = "Queue volume" + RULE)
    private @Nullable Path queue;

    @Option(
            names = "--tracking-volume",
            converter = Converters.Volume.class,
            description = "Tracking volume" + RULE)
    private @Nullable Path tracking;

    /** {@return those that were named} */
    List<Path> given() {
        return Stream.of(log, queue, tracking).filter(Objects::nonNull).toList();
    }

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

    /**
     * {@return all three; null where none was named} What was not named lies with the one before it:
     * the queue with the log, tracking with the queue. There has to be a log.
     */
    @Nullable
    VolumeFolders named() {
        if (log == null) {
            if (queue != null || tracking != null) {
                throw UserError.usage("--queue-volume and --tracking-volume need a --log-volume");
            }
            return null;
        }
        Path queueOn = queue == null ? log : queue;
        return new VolumeFolders(log, queueOn, tracking == null ? queueOn : tracking);
    }
}
