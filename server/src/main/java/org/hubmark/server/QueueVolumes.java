package org.hubmark.server;

import org.hubmark.core.ByteSize;
import org.hubmark.core.Durability;
import org.hubmark.core.QueueId;
import org.hubmark.core.Settings;
import org.hubmark.core.UserError;
import org.hubmark.hub.QueueEngine;
import org.hubmark.hub.admin.RunningHub;
import org.hubmark.queue.OperatorAction;
import org.hubmark.queue.OperatorResult;
import org.hubmark.queue.QueueReader;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.ReadableQueue;
import org.hubmark.queue.StoreConfiguration;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    @Option(
            names = "--queue",
            paramLabel = "ADDRESS",
            converter = Converters.QueueAddress.class,
            description =
                    "Queue on Apache Pulsar, pulsar://HOST:PORT/TENANT/NAMESPACE, in place of one on"
                            + " volumes; needs --set pulsar.admin=http://HOST:PORT."
                            + " Default: the volumes.")
    private @Nullable URI queue;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description =
                    "Setting of --queue in docs/scale-out.md; may be repeated. Default: none.")
    private Map<String, String> given = new LinkedHashMap<>();

    /** Something to do with a queue. */
    interface Work<T> {
        int with(T queue) throws IOException;
    }

    /** {@return the hub that runs on the queue, if one does} The queue volume is enough to find it. */
    Optional<RunningHub> hub() throws IOException {
        refuseMixture();
        if (queue != null) {
            // Each of its hubs sees the same queue that we see.
            return Optional.empty();
        }
        return RunningHub.on(queueVolume);
    }

    /** Reads, also beside a hub that runs on the queue. */
    int read(Work<ReadableQueue> work) {
        refuseMixture();
        try (ReadableQueue view = open()) {
            return work.with(view);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private ReadableQueue open() throws IOException {
        URI address = queue;
        return address == null
                ? QueueReader.open(logVolume, queueVolume)
                : remote(address, (engine, settings) -> engine.view(address, settings));
    }

    /** {@return whether the queue is on volumes} */
    boolean onVolumes() {
        return queue == null;
    }

    /** Changes messages of a queue that is not on volumes; hubs may use it meanwhile. */
    Map<QueueId, OperatorResult> operate(OperatorAction action, List<QueueId> ids) {
        URI address = Objects.requireNonNull(queue);
        try {
            return remote(
                    address, (engine, settings) -> engine.operate(address, settings, action, ids));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Something to do with a queue that is not on volumes. */
    private interface Remote<T> {
        T with(QueueEngine engine, Settings settings) throws IOException;
    }

    /** Settings are looked at first. */
    private <T> T remote(URI address, Remote<T> work) throws IOException {
        Settings settings = new Settings(given);
        QueueEngine engine;
        try {
            engine = QueueEngine.of(address);
            engine.check(address, settings);
            settings.requireAllRead();
        } catch (IllegalArgumentException e) {
            throw UserError.usage(String.valueOf(e.getMessage()));
        }
        return work.with(engine, settings);
    }

    private void refuseMixture() {
        boolean named =
                !logVolume.equals(ServedVolumes.LOG) || !queueVolume.equals(ServedVolumes.QUEUE);
        if (queue != null && named) {
            throw UserError.usage(
                    "--queue names a queue in a cluster, --log-volume and --queue-volume name one on"
                            + " this machine; name one of them");
        }
        if (queue == null && !given.isEmpty()) {
            throw UserError.usage("--set goes with --queue only");
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
        if (queue != null
                || !(logVolume.equals(ServedVolumes.LOG)
                        || queueVolume.equals(ServedVolumes.QUEUE))) {
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
