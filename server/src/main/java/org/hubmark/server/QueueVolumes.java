package org.hubmark.server;

import org.hubmark.core.ByteSize;
import org.hubmark.core.Durability;
import org.hubmark.core.FileErrors;
import org.hubmark.core.Settings;
import org.hubmark.core.UserError;
import org.hubmark.hub.admin.RunningHub;
import org.hubmark.queue.QueueReader;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.StoreConfiguration;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/** Options that name the queue of a {@code queue} command. */
final class QueueVolumes {
    @Option(
            names = "--log-volume",
            paramLabel = "DIR",
            description = "Log volume. Default: ./hubmark-data/log.")
    private Path logVolume = ServedVolumes.LOG;

    @Option(
            names = "--queue-volume",
            paramLabel = "DIR",
            description = "Queue volume. Default: ./hubmark-data/queue.")
    private Path queueVolume = ServedVolumes.QUEUE;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** The file of a hub may name one. */
    @Option(
            names = "--queue",
            hidden = true,
            paramLabel = "ADDRESS",
            description = "Refused: queue on Apache Pulsar.")
    void refuse(String address) {
        throw new ParameterException(
                spec.commandLine(),
                "the queue commands work on volumes only; for " + address
                        + " use pulsar-admin (docs/scale-out.md)");
    }

    /** Something to do with a queue. */
    interface Work<T> {
        int with(T queue) throws IOException;
    }

    /** {@return the hub that runs on the queue, if one does} The queue volume is enough to find it. */
    Optional<RunningHub> hub() throws IOException {
        return RunningHub.on(queueVolume);
    }

    /** Reads, also beside a hub that runs on the queue. */
    int read(Work<QueueReader> work) {
        try (QueueReader view = QueueReader.open(logVolume, queueVolume)) {
            return work.with(view);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Changes; no hub may run on the queue. */
    int change(Work<QueueStore> work) {
        StoreConfiguration configuration = new StoreConfiguration(
                logVolume,
                queueVolume,
                new Durability.Synced(),
                ByteSize.parse(StoreOptions.CHECKPOINT_DEPTH_DEFAULT),
                Settings.defaults(),
                InstantSource.system(),
                // A mistyped folder is not to become a store.
                true);
        try (QueueStore store = QueueStore.open(configuration)) {
            return work.with(store);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static UserError failed(IOException e) {
        return UserError.failed(FileErrors.text(e)
                + "; give the --log-volume and --queue-volume of serve, or its file by --config");
    }
}
