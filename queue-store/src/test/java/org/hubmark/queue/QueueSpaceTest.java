package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    @Test
    @Timeout(60)
    void spaceComesBackWhenABacklogHasLeft() throws Exception {
        try (StoreUnderTest queue =
                StoreUnderTest.at(folder).log(SEGMENT_BYTES, 2).open()) {
            enqueueAll(queue, MESSAGE_BYTES);
            assertThat(databaseBytes(queue)).isGreaterThan(MESSAGES * MESSAGE_BYTES / 2L);

            List<Lease> stay = acknowledgeMost(queue);
            long stayBytes = (long) stay.size() * MESSAGE_BYTES;
            awaitDatabaseBytes(queue, 2 * stayBytes + SEGMENT_BYTES);
            for (Lease lease : stay) {
                queue.requireContent(lease);
            }
            StoreUnderTest.ids(stay).forEach(queue.store()::acknowledge);
            awaitDatabaseBytes(queue, SEGMENT_BYTES);
        }
    }

    @Test
    @Timeout(60)
    void aDamagedContentIsCopiedAndFoundByWhoReadsIt() throws Exception {
        StoreUnderTest queue = StoreUnderTest.at(folder).log(SEGMENT_BYTES, 2).open();
        List<QueueId> ids = enqueueAll(queue, MESSAGE_BYTES);
        flip(queue.queue().resolve(ContentFiles.FOLDER), ids.getFirst());
        List<Lease> stay = acknowledgeMost(queue);
        Lease damaged = stay.removeFirst();
        awaitDatabaseBytes(queue, 2L * stay.size() * MESSAGE_BYTES + SEGMENT_BYTES);
        assertThatThrownBy(() -> StoreUnderTest.read(damaged)).hasMessageContaining("checksum");
        for (Lease lease : stay) {
            queue.requireContent(lease);
        }
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
            StoreUnderTest queue = openSmall(home, volume);
            enqueueAll(queue, SMALL_BYTES);
            SimulatedVolume content = volume.turnOn(queue.queue()).content();
            int seed = operation;
            content.callBefore(operation, () -> volume.cutPower(seed));
            List<Lease> stay = acknowledgeMost(queue);
            while (!volume.isOff() && bytes(content) > MESSAGES * SMALL_BYTES / 4) {
                Thread.onSpinWait();
            }
            cut = volume.isOff();
            queue.kill();
            // One that has not come yet must not come to the next store.
            content.callBefore(Long.MAX_VALUE, () -> {});
            queue.openAgain();
            List<Lease> found = queue.store().lease(MESSAGES);
            for (Lease lease : found) {
                queue.requireContent(lease);
            }
            assertThat(StoreUnderTest.ids(found))
                    .as("cut before operation %d", operation)
                    .containsAll(StoreUnderTest.ids(stay));
            queue.close();
        }
    }

    /** The rewriting uses the database, which is closed when the checkpointer has ended. */
    @Test
    @Timeout(60)
    void aCheckpointerThatFailsEndsTheRewritingFirst() throws Exception {
        SimulatedLogVolume volume =
                new SimulatedLogVolume("segments", SMALL_SEGMENT_BYTES, Long.MAX_VALUE);
        StoreUnderTest queue = openSmall(folder, volume);
        enqueueAll(queue, SMALL_BYTES);
        SimulatedVolume content = volume.turnOn(queue.queue()).content();
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
        acknowledgeMost(queue);
        assertThat(checkpointerEnded.join()).isFalse();
        assertThat(queue.store().failure().join()).isInstanceOf(InterruptedException.class);
        queue.kill();
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

    private static StoreUnderTest openSmall(Path home, SimulatedLogVolume volume)
            throws IOException {
        return StoreUnderTest.at(home)
                .simulated(volume)
                .settings(Map.of("store.free-space-min", "0B"))
                .open();
    }

    private static List<QueueId> enqueueAll(StoreUnderTest queue, int lengthBytes) {
        List<QueueId> ids = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            ids.add(queue.enqueue(lengthBytes));
        }
        return ids;
    }

    /** {@return what stays, spread over all files; the first does} */
    private static List<Lease> acknowledgeMost(StoreUnderTest queue) {
        List<Lease> stay = new ArrayList<>();
        List<Lease> leases = queue.store().lease(MESSAGES);
        for (int i = 0; i < leases.size(); i++) {
            if (i % STAYS_OF == 0) {
                stay.add(leases.get(i));
            } else {
                queue.store().acknowledge(leases.get(i).id());
            }
        }
        return stay;
    }

    /** Flips a bit of a content in the file in which it lies. */
    private static void flip(Path contents, QueueId id) throws IOException {
        byte[] octets = StoreUnderTest.octets(id.value(), MESSAGE_BYTES);
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
