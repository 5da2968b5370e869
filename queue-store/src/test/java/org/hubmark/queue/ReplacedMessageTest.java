package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Durability;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.core.StoreException;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.hubmark.queue.table.QueueDatabase;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Proves that a message whose header takes its place is there after a power loss: the queue database may
 * have forgotten the whole message by then, also durably, so the log must have the header.
 */
@Timeout(60)
class ReplacedMessageTest {
    private static final int SEGMENT_BYTES = 128 << 10;
    private static final int MAIL_BYTES = 8_000;

    /** Every write to the database is flushed. */
    private static final long MEMTABLE_BYTES = 1;

    /** Most of them lose what was not synced. */
    private static final int SEEDS = 4;

    private static final int TRIES = 1_000;

    @TempDir(factory = InMemoryFolder.class)
    Path folder;

    private final ContentBudget budget = new ContentBudget(64 << 20);

    static List<Durability> classes() {
        return List.of(new Durability.Synced(), new Durability.Periodic(Duration.ofHours(1)));
    }

    @ParameterizedTest
    @MethodSource("classes")
    void isThereAfterAPowerLossAsAHeader(Durability durability) throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            loseAfterFlush(folder.resolve("seed" + seed), durability, seed);
        }
    }

    private void loseAfterFlush(Path home, Durability durability, long seed) throws Exception {
        SimulatedLogVolume volume =
                new SimulatedLogVolume("segments", SEGMENT_BYTES, MEMTABLE_BYTES);
        StoreConfiguration configuration = new StoreConfiguration(
                home.resolve("log"),
                home.resolve("queue"),
                durability,
                1 << 20,
                new Settings(Map.of("store.direct-flush", "false", "store.free-space-min", "0B")),
                InstantSource.fixed(StoreUnderTest.START));
        QueueStore store = volume.openStore(configuration);
        QueueId first = enqueue(store);
        while (store.statistics().database().checkpoints() == 0) {
            enqueue(store);
        }
        SimulatedVolume contents = volume.turnOn(home.resolve("queue")).content();
        assertThat(isInDatabase(home.resolve("queue"), contents, first)).isTrue();

        Lease lease = store.lease(1).getFirst();
        assertThat(lease.id()).isEqualTo(first);
        store.deadLetterHeader(lease, new byte[100], "refused", List.of());
        assertThat(state(store, first)).isEqualTo(QueuedMessage.State.HEADER);
        while (isInDatabase(home.resolve("queue"), contents, first)) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        volume.cutPower(seed);
        store.closeBroken(new IOException("the power is gone (simulated)"));

        try (QueueStore again = volume.openStore(configuration)) {
            assertThat(state(again, first))
                    .as("seed %d, %s", seed, durability)
                    .isEqualTo(QueuedMessage.State.HEADER);
        }
    }

    private static QueuedMessage.State state(QueueStore store, QueueId id) {
        return store.find(id).orElseThrow().state();
    }

    /** {@return whether the files of the database have the row, as a power loss would leave them} */
    private static boolean isInDatabase(Path queueVolume, SimulatedVolume contents, QueueId id)
            throws IOException {
        StoreException changing = null;
        for (int i = 0; i < TRIES; i++) {
            try (QueueDatabase flushed = QueueDatabase.openForReading(queueVolume, contents)) {
                return flushed.row(id.value()) != null;
            } catch (StoreException e) {
                // RocksDB has deleted a file meanwhile that it no longer needs.
                changing = e;
            }
        }
        throw new IOException("the queue database can't be read", changing);
    }

    private QueueId enqueue(QueueStore store) {
        Content content = Objects.requireNonNull(Content.open(store.nextId(), budget, MAIL_BYTES));
        content.append(StoreUnderTest.octets(1, MAIL_BYTES), 0, MAIL_BYTES);
        Envelope envelope = new Envelope(
                "", List.of("to@example.org"), BodyType.SEVEN_BIT, StoreUnderTest.START, "");
        CompletableFuture<Receipt> answer = new CompletableFuture<>();
        store.enqueue(envelope, content, answer::complete);
        return StoreUnderTest.queued(answer);
    }
}
