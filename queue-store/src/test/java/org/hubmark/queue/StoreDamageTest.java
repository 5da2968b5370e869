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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Proves that bits of the log that have changed and sectors that can't be read (EIO) cost the messages in them,
 * which are known and kept, and nothing else: while the store runs, when its segments are moved, and at its
 * start. The segments are simulated.
 */
@Timeout(120)
class StoreDamageTest {
    private static final int LARGE_BYTES = 60_000;
    private static final String ENVELOPE = "damaged@example.org";

    enum Damage {
        FLIPPED,
        UNREADABLE
    }

    @TempDir
    Path folder;

    private final SimulatedVolume segments = new SimulatedVolume("segments");

    @ParameterizedTest
    @EnumSource
    void aDamagedContentCostsItsMessage(Damage damage) throws Exception {
        StoreUnderTest queue = open();
        QueueId before = queue.enqueue(100);
        QueueId small = queue.enqueue("the small content");
        QueueId large = queue.enqueue(large("the large content"));
        QueueId extents = StoreUnderTest.queued(queue.offer(100_000, 30_000, StoreUnderTest.TO));
        damage(damage, "the small content", "the large content");
        int filled = queue.fill(2);
        assertThat(readAll(queue, List.of(small, large)))
                .contains(before, extents)
                .hasSize(2 + filled);
        assertThat(queue.length().damagedMessages()).isEqualTo(2);
        assertThat(queue.store().failure()).isNotDone();
        queue.store().close();
        assertThat(queue.check().problems())
                .hasSize(2)
                .anyMatch(problem -> problem.startsWith(small + ": extent 0"))
                .anyMatch(problem -> problem.startsWith(large + ": extent 0"));
        queue.openAgain();
        assertThat(queue.state(large)).isEqualTo(QueuedMessage.State.DAMAGED);
        queue.store().close();
        assertThat(queue.budget.bytesUsed()).isZero();
    }

    /** Before the segment is moved somebody wants to deliver it, or nobody does. */
    @ParameterizedTest
    @CsvSource({"FLIPPED, true", "FLIPPED, false", "UNREADABLE, true", "UNREADABLE, false"})
    void aMessageWithoutItsEnvelopeIsSetAside(Damage damage, boolean isDueBefore) throws Exception {
        StoreUnderTest queue =
                StoreUnderTest.at(folder).log(8 << 20, 2).segments(segments).open();
        QueueId sound = queue.enqueue(100);
        QueueId lost = StoreUnderTest.queued(queue.offer(100, List.of(ENVELOPE)));
        int others = queue.pushEnvelopesOutOfMemory();
        damage(damage, ENVELOPE);
        if (isDueBefore) {
            List<Lease> leases = queue.store().lease(2 + others);
            assertThat(StoreUnderTest.ids(leases))
                    .hasSize(1 + others)
                    .contains(sound)
                    .doesNotContain(lost);
            leases.forEach(lease -> queue.store().release(lease.id()));
            assertThatThrownBy(() -> queue.store().find(lost))
                    .isInstanceOf(UncheckedIOException.class);
            assertThat(queue.length().damagedMessages()).isEqualTo(1);
            assertThat(queue.store().statistics().database().checkpoints()).isZero();
        }
        int filled = queue.fill(2);
        assertThat(readAll(queue, List.of())).contains(sound).hasSize(1 + others + filled);
        assertThat(queue.message(lost).reason()).contains(isDueBefore ? "" : "envelope");
        assertThat(queue.length().damagedMessages()).isEqualTo(1);
        assertThat(queue.store().failure()).isNotDone();
        queue.store().close();
        // Its content may lie in the same sector.
        assertThat(queue.check().problems()).hasSize(damage == Damage.FLIPPED ? 0 : 1);
        queue.openAgain();
        assertThat(queue.state(lost)).isEqualTo(QueuedMessage.State.DAMAGED);
        assertThat(queue.message(lost).sizeBytes()).isEqualTo(100);
        queue.store().close();
    }

    @ParameterizedTest
    @EnumSource
    void aStartGoesOnBehindADamagedContent(Damage damage) throws Exception {
        StoreUnderTest queue = open();
        QueueId large = queue.enqueue(large("the large content"));
        QueueId after = queue.enqueue(100);
        List<QueueId> damaged = new ArrayList<>(List.of(large));
        if (damage == Damage.UNREADABLE) {
            // Never the end of the log, as octets that differ there are.
            damaged.add(queue.enqueue(large("the last content")));
        }
        queue.kill();
        damage(
                damage,
                damaged.size() == 1
                        ? new String[] {"the large content"}
                        : new String[] {"the large content", "the last content"});
        try (QueueReader reader = queue.reader();
                InputStream in = reader.content(large).open()) {
            assertThatThrownBy(in::readAllBytes).isInstanceOf(IOException.class);
        }
        queue.openAgain();
        assertThat(readAll(queue, damaged)).containsExactly(after);
        assertThat(queue.length().damagedMessages()).isEqualTo(damaged.size());
        queue.store().close();
    }

    /** A read error is never the end of the log. */
    @ParameterizedTest
    @CsvSource({"FLIPPED, false", "UNREADABLE, false", "UNREADABLE, true"})
    void aStartRefusesWhatNobodyKnowsUnlessItIsAccepted(Damage damage, boolean isLast)
            throws Exception {
        StoreUnderTest queue = open();
        List<QueueId> sound = new ArrayList<>(List.of(queue.enqueue(100)));
        StoreUnderTest.queued(queue.offer(100, List.of(ENVELOPE)));
        if (!isLast) {
            sound.add(queue.enqueue(100));
        }
        queue.kill();
        damage(damage, ENVELOPE);
        assertThatThrownBy(queue::openAgain)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("segments/segment-000001.log, offset ")
                .hasMessageContaining(damage == Damage.FLIPPED ? "is damaged" : "can't be read")
                .hasMessageContaining("store.accept-damage");
        assertThat(queue.check().problems())
                .anyMatch(problem -> problem.contains("segment-000001.log, offset "));
        queue.set(Map.of("store.accept-damage", "true"));
        queue.openAgain();
        assertThat(readAll(queue, List.of())).isEqualTo(sound);
        int filled = queue.fill(2);
        // The damaged segment has been moved by now, so nothing is left to be accepted.
        queue.set(Map.of());
        queue.kill();
        queue.openAgain();
        assertThat(readAll(queue, List.of())).containsAll(sound).hasSize(sound.size() + filled);
        queue.close();
    }

    @Test
    void aDeviceThatCannotBeReadAtAllIsNotTakenForLostMail() throws Exception {
        StoreUnderTest queue = open();
        for (int i = 0; i < 40; i++) {
            queue.enqueue(LARGE_BYTES);
        }
        queue.kill();
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
    }

    /** Each message is a group, so a page that can't be read costs one at most. */
    @Test
    void anySectorsCostNoMoreThanWhatLiesInThem() throws Exception {
        long first = Long.getLong("hubmark.seed", 0);
        for (long seed = first; seed < first + 8; seed++) {
            try {
                loseSectors(folder.resolve("seed" + seed), new Random(seed));
            } catch (AssertionError | IOException | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static void loseSectors(Path home, Random random) throws IOException {
        SimulatedVolume volume = new SimulatedVolume("segments");
        StoreUnderTest queue = StoreUnderTest.at(home).segments(volume).open();
        for (int i = 0; i < 40; i++) {
            queue.enqueue(random.nextInt(random.nextBoolean() ? 3_000 : LARGE_BYTES));
        }
        int messages = queue.offered.size();
        int sectors = 1 + random.nextInt(5);
        int end = random.nextInt(3);
        if (end == 0) {
            queue.store().close();
        } else if (end == 1) {
            queue.kill();
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
            messages += queue.fill(2);
        }
        int sound = 0;
        for (Lease lease : queue.store().lease(Integer.MAX_VALUE)) {
            try {
                queue.requireContent(lease);
                sound++;
            } catch (IOException e) {
                queue.store().setAside(lease.id(), "can't be read");
            }
        }
        assertThat(sound).isBetween(messages - sectors, messages);
        assertThat(queue.store().failure()).isNotDone();
        queue.store().close();
        assertThat(queue.budget.bytesUsed()).isZero();
    }

    private StoreUnderTest open() throws IOException {
        return StoreUnderTest.at(folder).segments(segments).open();
    }

    private static byte[] large(String text) {
        byte[] octets = StoreUnderTest.octets(7, LARGE_BYTES);
        byte[] begin = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(begin, 0, octets, 20_000, begin.length);
        return octets;
    }

    /** {@return what could be read, and is due again; the rest is set aside} */
    private static List<QueueId> readAll(StoreUnderTest queue, List<QueueId> damaged)
            throws IOException {
        List<QueueId> sound = new ArrayList<>();
        for (Lease lease : queue.store().lease(Integer.MAX_VALUE)) {
            if (damaged.contains(lease.id())) {
                assertThatThrownBy(() -> StoreUnderTest.read(lease))
                        .isInstanceOf(IOException.class);
                queue.store().setAside(lease.id(), "can't be read");
            } else {
                queue.requireContent(lease);
                sound.add(lease.id());
            }
        }
        sound.forEach(queue.store()::release);
        // What was handed over before is settled when this is answered.
        damaged.forEach(id -> assertThat(queue.state(id)).isEqualTo(QueuedMessage.State.DAMAGED));
        return sound;
    }

    /** Changes a bit of each text, or makes its sector unreadable, wherever it lies in the log. */
    private void damage(Damage damage, String... texts) throws IOException {
        Map<String, String> octets = new TreeMap<>();
        for (String name : segments.list()) {
            try (VolumeFile file = segments.open(name)) {
                ByteBuffer all = ByteBuffer.allocate((int) file.length());
                file.read(0, all);
                octets.put(name, new String(all.array(), StandardCharsets.ISO_8859_1));
            }
        }
        int found = 0;
        for (Map.Entry<String, String> segment : octets.entrySet()) {
            for (String text : texts) {
                int at = segment.getValue().indexOf(text);
                if (at >= 0) {
                    damage(damage, segment.getKey(), at, (byte) text.charAt(0));
                    found++;
                }
            }
        }
        assertThat(found).as("places in the log").isEqualTo(texts.length);
    }

    private void damage(Damage damage, String segment, int at, byte octet) throws IOException {
        if (damage == Damage.UNREADABLE) {
            segments.makeUnreadable(segment, at, 1);
            return;
        }
        try (VolumeFile file = segments.open(segment)) {
            ByteBuffer changed = ByteBuffer.wrap(new byte[] {(byte) (octet ^ 1)});
            file.write(at, new ByteBuffer[] {changed}, 1);
        }
    }
}
