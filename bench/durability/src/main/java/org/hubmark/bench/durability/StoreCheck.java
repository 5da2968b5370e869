package org.hubmark.bench.durability;

import org.hubmark.core.Durability;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.Settings;
import org.hubmark.core.StoreException;
import org.hubmark.queue.QueueReader;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.StoreConfiguration;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Opens the store that a crashed hub has left, as the hub's next start does, takes out every message
 * as delivery does, and verifies the whole queue. Changes the volumes.
 */
final class StoreCheck {
    static final Map<String, String> SETTINGS =
            Map.of("store.log.segment-size", "4MiB", "store.free-space-min", "1MiB");
    static final long CHECKPOINT_DEPTH_BYTES = 8 << 20;
    private static final int LEASES_AT_ONCE = 1000;

    /** Later than any time that a stepped clock has put on a message. */
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2200-01-01T00:00:00Z"));

    private StoreCheck() {}

    /**
     * Reads all that is left.
     *
     * @return how long opening the store took, in nanoseconds
     */
    static long read(Path logVolume, Path queueVolume, Survivors survivors) throws IOException {
        StoreConfiguration configuration = new StoreConfiguration(
                logVolume,
                queueVolume,
                new Durability.None(),
                CHECKPOINT_DEPTH_BYTES,
                new Settings(SETTINGS),
                CLOCK);
        long startNanos = System.nanoTime();
        long openNanos = 0;
        try (QueueStore store = QueueStore.open(configuration)) {
            openNanos = System.nanoTime() - startNanos;
            List<Lease> leases = store.lease(LEASES_AT_ONCE);
            while (!leases.isEmpty()) {
                for (Lease lease : leases) {
                    read(lease, survivors);
                }
                leases = store.lease(LEASES_AT_ONCE);
            }
            for (String id : survivors.missing()) {
                ask(store, id, survivors);
            }
        } catch (StoreException | UncheckedIOException e) {
            survivors.reportUnreadable(String.valueOf(e.getMessage()));
            return System.nanoTime() - startNanos;
        } catch (IOException e) {
            // All was read; what is damaged can't be rewritten when the store is closed.
            survivors.report(String.valueOf(e.getMessage()));
        }
        try (QueueReader reader = QueueReader.open(logVolume, queueVolume)) {
            reader.check().problems().forEach(survivors::report);
            readNotDue(reader, survivors);
        } catch (IOException e) {
            survivors.report(String.valueOf(e.getMessage()));
        }
        return openNanos;
    }

    /** One whose row can't be read is never leased; the store has logged it, and says it when asked. */
    private static void ask(QueueStore store, String id, Survivors survivors) {
        try {
            var unused = store.find(QueueId.parse(id));
        } catch (UncheckedIOException e) {
            survivors.report(id + ": " + e.getMessage());
        }
    }

    /** Dead letters, and what was set aside: nobody is going to deliver them, and they are there. */
    private static void readNotDue(QueueReader reader, Survivors survivors) throws IOException {
        List<QueueId> ids = new ArrayList<>();
        reader.forEach(message -> {
            switch (message.state()) {
                case DEAD, RETURNED, DAMAGED -> ids.add(message.id());
                case QUEUED, DEFERRED, HEADER -> {
                    // Read already, as delivery does; and of a header there is no more.
                }
            }
        });
        for (QueueId id : ids) {
            try (InputStream in = reader.content(id).open()) {
                survivors.add(in.readAllBytes());
            } catch (IOException | UncheckedIOException e) {
                survivors.report(id + ": " + e.getMessage());
            }
        }
    }

    /** Reads one message; of one that can't be read the survivors say so. */
    static void read(Lease lease, Survivors survivors) {
        try (InputStream in = lease.openContent()) {
            survivors.add(in.readAllBytes());
        } catch (IOException | UncheckedIOException e) {
            survivors.report(lease.id() + ": " + e.getMessage());
        }
    }
}
