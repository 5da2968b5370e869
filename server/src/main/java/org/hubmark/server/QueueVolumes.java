package org.hubmark.server;

import org.hubmark.core.ByteSize;
import org.hubmark.core.Durability;
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
            description = "Folder of the log volume. Default: ./hubmark-data/log.")
    private Path logVolume = ServedVolumes.LOG;

    @Option(
            names = "--queue-volume",
            paramLabel = "DIR",
            description = "Folder of the queue volume. Default: ./hubmark-data/queue.")
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
                "the commands of queue look into a queue on volumes; for " + address
                        + " use Pulsar's own pulsar-admin, as docs/scale-out.md says");
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

    /** One volume that is named and one that is not are seldom of one queue. */
    private UserError failed(IOException e) {
        String words = e.getMessage() == null ? e.toString() : e.getMessage();
        if (!(logVolume.equals(ServedVolumes.LOG) || queueVolume.equals(ServedVolumes.QUEUE))) {
            return UserError.failed(words);
        }
        if (logVolume.equals(ServedVolumes.LOG) && queueVolume.equals(ServedVolumes.QUEUE)) {
            return UserError.failed(words + "; other folders are named by --log-volume and"
                    + " --queue-volume, or by --config with the file of serve");
        }
        String missing = logVolume.equals(ServedVolumes.LOG) ? "--log-volume" : "--queue-volume";
        return UserError.failed(words + "; name " + missing
                + " too, as it was given to serve: without it, " + logVolume + " and "
                + queueVolume + " were taken for the volumes of one queue");
    }
}
