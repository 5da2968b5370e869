package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.StoreException;
import org.hubmark.queue.log.VolumeFile;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Proves that sectors of the log that can't be read (EIO) cost the messages in them, which are known
 * and kept, and nothing else: while the store runs, and at its start. The segments are simulated.
 */
@Timeout(120)
class StoreReadErrorTest {
    private static final int LARGE_BYTES = 60_000;

    @TempDir
    Path folder;

    private final SimulatedVolume segments = new SimulatedVolume("segments");

    @Test
    void aBadSectorOfARunningStoreCostsTheMessageInIt() throws Exception {
        StoreUnderTest queue = StoreUnderTest.open(folder, segments);
        QueueId before = queue.enqueue("sound, before");
        QueueId small = queue.enqueue("the small content");
        QueueId large = queue.enqueue(large("the large content"));
        QueueId after = queue.enqueue("sound, after");
        makeUnreadable("the small content");
        makeUnreadable("the large content");
        List<QueueId> rest = fill(queue);
        List<QueueId> sound = readAll(queue, List.of(small, large));
        assertThat(sound).contains(before, after).containsAll(rest).doesNotContain(small, large);
        assertThat(queue.store().statistics().length().damagedMessages()).isEqualTo(2);
        assertThat(queue.store().failure()).isNotDone();
        queue.store().close();
        queue.openAgain();
        assertThat(queue.message(large).state()).isEqualTo(QueuedMessage.State.DAMAGED);
        queue.store().close();
        assertThat(queue.budget.bytesUsed()).isZero();
    }

    @Test
    void aMessageThatCannotBeReadIsSetAsideBeforeItsSegmentIsMovedToo() throws Exception {
        StoreUnderTest queue =
                StoreUnderTest.open(folder, new LogSettings(8 << 20, 2, 0), segments);
        QueueId small = queue.enqueue("the small content");
        QueueId sound = queue.enqueue("sound");
        int others = queue.pushEnvelopesOutOfMemory();
        makeUnreadable("the small content");
        assertThat(queue.store().lease(2 + others))
                .hasSize(1 + others)
                .extracting(Lease::id)
                .contains(sound)
                .doesNotContain(small);
        assertThat(queue.store().statistics().database().checkpoints()).isZero();
        assertThat(queue.store().failure()).isNotDone();
        fill(queue);
        assertThat(queue.message(small).state()).isEqualTo(QueuedMessage.State.DAMAGED);
        assertThat(queue.store().statistics().length().damagedMessages()).isEqualTo(1);
        queue.store().close();
    }

    @Test
    void aStartAfterACrashGoesOnBehindAContentThatCannotBeRead() throws Exception {
        StoreUnderTest queue = StoreUnderTest.open(folder, segments);
        QueueId large = queue.enqueue(large("the large content"));
        QueueId after = queue.enqueue("sound, after");
        QueueId last = queue.enqueue(large("the last content"));
        kill(queue);
        makeUnreadable("the large content");
        makeUnreadable("the last content");
        queue.openAgain();
        assertThat(readAll(queue, List.of(large, last))).containsExactly(after);
        assertThat(queue.store().statistics().length().damagedMessages()).isEqualTo(2);
        queue.store().close();
    }

    @Test
    void aStartRefusesWhatNobodyKnowsUnlessItIsAccepted() throws Exception {
        StoreUnderTest queue = StoreUnderTest.open(folder, segments);
        QueueId before = queue.enqueue("sound, before");
        queue.enqueue("the small content");
        QueueId after = queue.enqueue("sound, after");
        kill(queue);
        makeUnreadable("the small content");
        assertThatThrownBy(queue::openAgain)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("segments/segment-000001.log, offset ")
                .hasMessageContaining("can't be read")
                .hasMessageContaining("store.accept-damage");
        queue.set(Map.of("store.accept-damage", "true"));
        queue.openAgain();
        assertThat(readAll(queue, List.of())).containsExactly(before, after);
        List<QueueId> rest = fill(queue);
        // The damaged segment has been moved by now, so nothing is left to be accepted.
        queue.set(Map.of());
        kill(queue);
        queue.openAgain();
        assertThat(readAll(queue, List.of())).contains(before, after).containsAll(rest);
        queue.store().close();
    }

    @Test
    void aReadErrorIsNeverTheEndOfTheLog() throws Exception {
        StoreUnderTest queue = StoreUnderTest.open(folder, segments);
        QueueId before = queue.enqueue("sound, before");
        queue.enqueue("the last content");
        kill(queue);
        makeUnreadable("the last content");
        assertThatThrownBy(queue::openAgain).hasMessageContaining("store.accept-damage");
        queue.set(Map.of("store.accept-damage", "true"));
        queue.openAgain();
        assertThat(readAll(queue, List.of())).containsExactly(before);
        queue.store().close();
    }

    @Test
    void theSnapshotOfAnEarlierVersionIsNotReadAndGoes() throws Exception {
        StoreUnderTest queue = StoreUnderTest.open(folder, segments);
        QueueId id = queue.enqueue("sound");
        queue.store().close();
        for (String name : List.of("index", "index.new")) {
            try (VolumeFile file = segments.create(name)) {
                file.write(0, new ByteBuffer[] {ByteBuffer.allocateDirect(4096)}, 1);
                file.sync();
            }
            segments.syncNames();
            segments.makeUnreadable(name, 0, 1);
        }
        queue.openAgain();
        assertThat(segments.list()).doesNotContain("index", "index.new");
        assertThat(queue.leaseOne().id()).isEqualTo(id);
        queue.store().close();
    }

    @Test
    void aDeviceThatCannotBeReadAtAllIsNotTakenForLostMail() throws Exception {
        StoreUnderTest queue = StoreUnderTest.open(folder, segments);
        List<QueueId> ids = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            ids.add(queue.enqueue(StoreUnderTest.octets(i, LARGE_BYTES)));
        }
        kill(queue);
        List<String> names = segments.list();
        for (String name : names) {
            // Not the header, by which the file is known.
            segments.makeUnreadable(name, 4096, (1 << 20) - 4096);
        }
        queue.set(Map.of("store.accept-damage", "true"));
        assertThatThrownBy(queue::openAgain)
                .hasMessageContaining("can't open the queue")
                .hasMessageContaining("Input/output error");
        assertThat(segments.list()).isEqualTo(names);
        assertThat(ids).isNotEmpty();
    }

    @Test
    void anySectorsCostNoMoreThanWhatLiesInThem() throws Exception {
        long first = Long.getLong("hubmark.seed", System.nanoTime());
        for (long seed = first; seed < first + 6; seed++) {
            try {
                loseSectors(folder.resolve("seed" + seed), seed);
            } catch (AssertionError | IOException | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    /** Each message is a group, so a page that can't be read costs one at most. */
    private static void loseSectors(Path home, long seed) throws IOException {
        Random random = new Random(seed);
        SimulatedVolume volume = new SimulatedVolume("segments");
        StoreUnderTest queue = StoreUnderTest.open(home, volume);
        Map<QueueId, byte[]> sent = new HashMap<>();
        for (int i = 0; i < 40; i++) {
            int bytes = random.nextInt(random.nextBoolean() ? 3_000 : LARGE_BYTES);
            byte[] octets = StoreUnderTest.octets(seed + i, bytes);
            sent.put(queue.enqueue(octets), octets);
        }
        int sectors = 1 + random.nextInt(5);
        int end = random.nextInt(3);
        if (end == 0) {
            queue.store().close();
        } else if (end == 1) {
            volume.kill();
            queue.store().closeBroken(new IOException("killed"));
        }
        List<String> names =
                volume.list().stream().filter(name -> name.endsWith(".log")).toList();
        for (int i = 0; i < sectors; i++) {
            volume.makeUnreadable(
                    names.get(random.nextInt(names.size())), random.nextInt(4096, 1 << 20), 1);
        }
        if (end < 2) {
            queue.set(Map.of("store.accept-damage", "true"));
            queue.openAgain();
        }
        if (random.nextBoolean()) {
            fill(queue);
        }
        int sound = 0;
        for (Lease lease : queue.store().lease(Integer.MAX_VALUE)) {
            byte[] octets = sent.get(lease.id());
            if (octets != null) {
                try {
                    assertThat(StoreUnderTest.read(lease)).isEqualTo(octets);
                    sound++;
                } catch (IOException e) {
                    queue.store().setAside(lease.id(), "can't be read");
                }
            }
        }
        assertThat(sound).isBetween(sent.size() - sectors, sent.size());
        assertThat(queue.store().failure()).isNotDone();
        queue.store().close();
        assertThat(queue.budget.bytesUsed()).isZero();
    }

    private static byte[] large(String text) {
        byte[] octets = StoreUnderTest.octets(7, LARGE_BYTES);
        byte[] begin = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(begin, 0, octets, 20_000, begin.length);
        return octets;
    }

    /** Adds mail until the oldest two segments have been moved. */
    private static List<QueueId> fill(StoreUnderTest queue) {
        List<QueueId> ids = new ArrayList<>();
        for (int i = 0; queue.store().statistics().database().checkpoints() < 2; i++) {
            ids.add(queue.enqueue(StoreUnderTest.octets(i, 50_000)));
        }
        return ids;
    }

    private static List<QueueId> readAll(StoreUnderTest queue, List<QueueId> damaged)
            throws IOException {
        List<QueueId> sound = new ArrayList<>();
        for (Lease lease : queue.store().lease(Integer.MAX_VALUE)) {
            if (damaged.contains(lease.id())) {
                assertThatThrownBy(() -> StoreUnderTest.read(lease))
                        .isInstanceOf(IOException.class);
                queue.store().setAside(lease.id(), "can't be read");
            } else {
                assertThat(StoreUnderTest.read(lease)).hasSize((int) lease.sizeBytes());
                sound.add(lease.id());
                queue.store().release(lease.id());
            }
        }
        // What was handed over before is settled when this is answered.
        damaged.forEach(
                id -> assertThat(queue.message(id).state()).isEqualTo(QueuedMessage.State.DAMAGED));
        return sound;
    }

    /** Ends the use of the files as the end of a process does; nothing is lost. */
    private void kill(StoreUnderTest queue) throws IOException {
        segments.kill();
        queue.store().closeBroken(new IOException("killed"));
    }

    /** Makes the sector unreadable in which a text begins, in the segment that has it. */
    private void makeUnreadable(String text) throws IOException {
        int found = 0;
        for (String name : segments.list()) {
            if (!name.endsWith(".log")) {
                continue;
            }
            byte[] octets;
            try (VolumeFile file = segments.open(name)) {
                octets = new byte[(int) file.length()];
                try {
                    file.read(0, ByteBuffer.wrap(octets));
                } catch (IOException e) {
                    readAround(file, octets);
                }
            }
            int at = new String(octets, StandardCharsets.ISO_8859_1).indexOf(text);
            if (at >= 0) {
                segments.makeUnreadable(name, at, 1);
                found++;
            }
        }
        assertThat(found).as("places in the log").isEqualTo(1);
    }

    private static void readAround(VolumeFile file, byte[] octets) throws IOException {
        Arrays.fill(octets, (byte) 0);
        for (int at = 0; at < octets.length; at += 512) {
            try {
                file.read(at, ByteBuffer.wrap(octets, at, Math.min(512, octets.length - at)));
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("simulated");
            }
        }
    }
}
