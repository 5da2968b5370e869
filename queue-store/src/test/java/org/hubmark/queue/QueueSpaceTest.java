package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Durability;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.queue.log.VolumeFile;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.hubmark.queue.table.ContentFiles;
import org.hubmark.queue.table.QueueDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Proves that the queue volume gets its space back, by itself and without new mail, when a backlog
 * has left: most of it, with what stays spread over all files, and then the rest.
 */
class QueueSpaceTest {
    private static final int SEGMENT_BYTES = 1 << 20;
    private static final int MESSAGES = 200;
    private static final int MESSAGE_BYTES = 100_000;
    private static final int STAYS_OF = 10;

    private static final int SMALL_SEGMENT_BYTES = 128 << 10;
    private static final int SMALL_BYTES = 10_000;

    /** More than one rewriting takes. */
    private static final int OPERATIONS_MAX = 60;

    @TempDir
    Path folder;

    private final ContentBudget budget = new ContentBudget(64 << 20);

    @Test
    @Timeout(60)
    void spaceComesBackWhenABacklogHasLeft() throws Exception {
        try (StoreUnderTest queue =
                StoreUnderTest.open(folder, new LogSettings(SEGMENT_BYTES, 2, 0))) {
            for (int i = 0; i < MESSAGES; i++) {
                queue.enqueue(octets(i));
            }
            assertThat(databaseBytes(queue)).isGreaterThan(MESSAGES * MESSAGE_BYTES / 2L);

            List<Lease> stay = new ArrayList<>();
            List<Lease> leases = queue.store().lease(MESSAGES);
            for (int i = 0; i < MESSAGES; i++) {
                if (i % STAYS_OF == 0) {
                    stay.add(leases.get(i));
                } else {
                    queue.store().acknowledge(leases.get(i).id());
                }
            }
            long stayBytes = (long) stay.size() * MESSAGE_BYTES;
            awaitDatabaseBytes(queue, 2 * stayBytes + SEGMENT_BYTES);
            for (int i = 0; i < stay.size(); i++) {
                assertThat(StoreUnderTest.read(stay.get(i))).isEqualTo(octets(i * STAYS_OF));
            }

            QueueId last = stay.getLast().id();
            stay.forEach(lease -> queue.store().acknowledge(lease.id()));
            assertThat(queue.store().find(last)).isEmpty();
            awaitDatabaseBytes(queue, SEGMENT_BYTES);
        }
    }

    @Test
    @Timeout(60)
    void aDamagedContentIsCopiedAndFoundByWhoReadsIt() throws Exception {
        StoreUnderTest queue = StoreUnderTest.open(folder, new LogSettings(SEGMENT_BYTES, 2, 0));
        for (int i = 0; i < MESSAGES; i++) {
            queue.enqueue(octets(i));
        }
        List<Lease> leases = queue.store().lease(MESSAGES);
        Lease damaged = leases.get(0);
        Lease sound = leases.get(STAYS_OF);
        flip(queue.queue().resolve(ContentFiles.FOLDER), octets(0));
        for (Lease lease : leases) {
            if (!List.of(damaged.id(), sound.id()).contains(lease.id())) {
                queue.store().acknowledge(lease.id());
            }
        }
        awaitDatabaseBytes(queue, 2 * SEGMENT_BYTES);
        assertThatThrownBy(() -> StoreUnderTest.read(damaged)).hasMessageContaining("checksum");
        assertThat(StoreUnderTest.read(sound)).isEqualTo(octets(STAYS_OF));
        assertThat(queue.store().failure()).isNotDone();
        queue.store().close();
        assertThat(queue.check().problems())
                .singleElement()
                .asString()
                .contains(damaged.id().toString(), "checksum");
    }

    /**
     * Before each write, sync and deletion of content files in turn: what stays in the queue is whole after
     * every one of them.
     */
    @Test
    @Timeout(300)
    void aPowerCutAtAnyMomentOfTheRewritingTakesNothing(
            @TempDir(factory = InMemoryFolder.class) Path memory) throws Exception {
        boolean cut = true;
        for (int operation = 1; cut && operation <= OPERATIONS_MAX; operation++) {
            Path home = memory.resolve("cut" + operation);
            // No flush of the database but those that the store asks for.
            SimulatedLogVolume volume =
                    new SimulatedLogVolume("segments", SMALL_SEGMENT_BYTES, Long.MAX_VALUE);
            List<QueueId> stay = new ArrayList<>();
            QueueStore store = volume.openStore(configuration(home));
            for (int i = 0; i < MESSAGES; i++) {
                enqueue(store, i);
            }
            SimulatedVolume content = volume.turnOn(home.resolve("queue")).content();
            int seed = operation;
            content.callBefore(operation, () -> volume.cutPower(seed));
            for (Lease lease : store.lease(MESSAGES)) {
                if (lease.id().value() % STAYS_OF == 0) {
                    stay.add(lease.id());
                } else {
                    store.acknowledge(lease.id());
                }
            }
            while (!volume.isOff() && bytes(content) > MESSAGES * SMALL_BYTES / 4) {
                Thread.onSpinWait();
            }
            cut = volume.isOff();
            store.closeBroken(new IOException("the power is gone (simulated)"));
            // One that has not come yet must not come to the next store.
            content.callBefore(Long.MAX_VALUE, () -> {});
            try (QueueStore again = volume.openStore(configuration(home))) {
                List<QueueId> found = new ArrayList<>();
                for (Lease lease : again.lease(MESSAGES)) {
                    assertThat(StoreUnderTest.read(lease)).hasSize(SMALL_BYTES);
                    found.add(lease.id());
                }
                assertThat(found).as("cut before operation %d", operation).containsAll(stay);
            }
        }
    }

    /** The rewriting uses the database, which is closed when the checkpointer has ended. */
    @Test
    @Timeout(60)
    void aCheckpointerThatFailsEndsTheRewritingFirst() throws Exception {
        SimulatedLogVolume volume =
                new SimulatedLogVolume("segments", SMALL_SEGMENT_BYTES, Long.MAX_VALUE);
        QueueStore store = volume.openStore(configuration(folder));
        for (int i = 0; i < MESSAGES; i++) {
            enqueue(store, i);
        }
        SimulatedVolume content = volume.turnOn(folder.resolve("queue")).content();
        CompletableFuture<Boolean> checkpointerEnded = new CompletableFuture<>();
        content.callBefore(1, new Runnable() {
            @Override
            public void run() {
                if (Thread.currentThread().getName().equals("reclaimer")) {
                    checkpointerEnded.complete(interruptedEnds("checkpointer"));
                } else {
                    content.callBefore(1, this);
                }
            }
        });
        for (Lease lease : store.lease(MESSAGES)) {
            if (lease.id().value() % STAYS_OF != 0) {
                store.acknowledge(lease.id());
            }
        }
        assertThat(checkpointerEnded.join()).isFalse();
        assertThat(store.failure().join()).isInstanceOf(InterruptedException.class);
        store.closeBroken(new IOException("the test is over"));
    }

    /** {@return whether a thread of that name ends soon when it is interrupted} */
    private static boolean interruptedEnds(String name) {
        Thread thread = Thread.getAllStackTraces().keySet().stream()
                .filter(one -> one.getName().equals(name))
                .findAny()
                .orElseThrow();
        thread.interrupt();
        try {
            return thread.join(Duration.ofMillis(500));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long bytes(SimulatedVolume content) throws IOException {
        try {
            long bytes = 0;
            for (String name : content.list()) {
                try (VolumeFile file = content.open(name)) {
                    bytes += file.length();
                }
            }
            return bytes;
        } catch (FileNotFoundException e) {
            // It was deleted meanwhile.
            return Long.MAX_VALUE;
        } catch (IOException e) {
            // The power went meanwhile.
            return 0;
        }
    }

    private static StoreConfiguration configuration(Path home) {
        return new StoreConfiguration(
                home.resolve("log"),
                home.resolve("queue"),
                new Durability.Synced(),
                1 << 20,
                new Settings(Map.of("store.free-space-min", "0B")),
                InstantSource.system());
    }

    private void enqueue(QueueStore store, int number) {
        byte[] octets = StoreUnderTest.octets(number, SMALL_BYTES);
        Content content = Objects.requireNonNull(Content.open(store.nextId(), budget, SMALL_BYTES));
        content.append(octets, 0, SMALL_BYTES);
        CompletableFuture<Receipt> answer = new CompletableFuture<>();
        Envelope envelope = new Envelope(
                "from@example.org",
                List.of("to@example.org"),
                BodyType.EIGHT_BIT_MIME,
                StoreUnderTest.RECEIVED,
                "");
        store.enqueue(envelope, content, answer::complete);
        assertThat(answer.join()).isInstanceOf(Receipt.Queued.class);
    }

    /** Flips a bit of a content in the file in which it lies. */
    private static void flip(Path contents, byte[] octets) throws IOException {
        String wanted = new String(octets, StandardCharsets.ISO_8859_1);
        for (Path file : StoreUnderTest.sizes(contents).keySet()) {
            byte[] found = Files.readAllBytes(file);
            int at = new String(found, StandardCharsets.ISO_8859_1).indexOf(wanted);
            if (at >= 0) {
                found[at + octets.length / 2] ^= 1;
                Files.write(file, found);
                return;
            }
        }
        throw new AssertionError("the content is in no file of " + contents);
    }

    @Test
    void aRewritingThatWasCancelledSaysSo() throws Exception {
        QueueDatabase.create(folder, false);
        try (QueueDatabase database = QueueDatabase.open(folder, false, null)) {
            assertThat(database.compact()).isTrue();
            database.cancelCompaction();
            assertThat(database.compact()).isFalse();
        }
    }

    private static byte[] octets(int number) {
        return StoreUnderTest.octets(number, MESSAGE_BYTES);
    }

    private static void awaitDatabaseBytes(StoreUnderTest queue, long bytesMax) throws Exception {
        while (databaseBytes(queue) > bytesMax) {
            // The test's time limit ends this when it never comes true.
            requireSound(queue.store());
        }
    }

    /** Takes some milliseconds: a store that fails in them gives nothing back. */
    private static void requireSound(QueueStore store) throws Exception {
        try {
            throw new AssertionError(store.failure().get(20, TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            // It has not failed.
            return;
        }
    }

    private static long databaseBytes(StoreUnderTest queue) throws IOException {
        return bytes(queue.queue().resolve(QueueDatabase.FOLDER))
                + bytes(queue.queue().resolve(ContentFiles.FOLDER));
    }

    private static long bytes(Path folder) throws IOException {
        return StoreUnderTest.sizes(folder).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }
}
