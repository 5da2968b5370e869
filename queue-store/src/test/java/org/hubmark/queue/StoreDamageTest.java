package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Proves that a message that can't be read is kept and set aside with its reason, and that the rest
 * goes on: bits of the log are flipped while the store is open, in a content and in an envelope.
 */
@Timeout(120)
class StoreDamageTest {
    @TempDir
    Path folder;

    @Test
    void aMessageThatWasSetAsideStaysSoUntilItIsReleased() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            QueueId damaged = queue.enqueue("damaged");
            QueueId sound = queue.enqueue("sound");
            queue.store().lease(2);
            queue.store().setAside(damaged, "a checksum differs");
            queue.store().release(sound);
            for (int start = 0; start < 2; start++) {
                assertThat(queue.message(damaged).state()).isEqualTo(QueuedMessage.State.DAMAGED);
                assertThat(queue.message(damaged).reason()).isEqualTo("a checksum differs");
                assertThat(queue.message(damaged).attempts()).isEqualTo(1);
                assertThat(queue.store().statistics().length().damagedMessages())
                        .isEqualTo(1);
                assertThat(queue.leaseOne().id()).isEqualTo(sound);
                assertThat(queue.store().lease(1)).isEmpty();
                queue.reopen();
            }
            assertThat(queue.store().retry(damaged)).isFalse();
            assertThat(queue.store().releaseSetAside(sound)).isFalse();
            assertThat(queue.store().releaseSetAside(damaged)).isTrue();
            assertThat(queue.store().lease(2)).extracting(Lease::id).contains(damaged, sound);
            assertThat(queue.store().statistics().length().damagedMessages()).isZero();
        }
    }

    @Test
    void anEnvelopeThatCannotBeReadIsSetAsideAndTheRestIsLeased() throws Exception {
        StoreUnderTest queue = StoreUnderTest.open(folder);
        QueueId damaged = StoreUnderTest.queued(
                queue.offer(queue.content(new byte[100]), List.of("damaged@example.org")));
        QueueId sound = queue.enqueue("sound");
        int others = queue.pushEnvelopesOutOfMemory();
        flip("damaged@example.org");
        assertThat(queue.store().lease(2 + others))
                .hasSize(1 + others)
                .extracting(Lease::id)
                .contains(sound)
                .doesNotContain(damaged);
        assertThatThrownBy(() -> queue.store().find(damaged)).hasMessageContaining("checksum");
        assertThat(queue.store().statistics().length().damagedMessages()).isEqualTo(1);
        assertThat(queue.store().lease(1)).isEmpty();
        assertThat(queue.store().failure()).isNotDone();
        queue.store().close();
        // From here on it is as after a crash.
        assertThatThrownBy(queue::openAgain)
                .hasMessageContaining("segments/segment-000001.log, offset ")
                .hasMessageContaining("store.accept-damage");
        assertThat(queue.check().problems())
                .anySatisfy(problem -> assertThat(problem).contains("segment-000001.log, offset "));
        queue.set(Map.of("store.accept-damage", "true"));
        queue.openAgain();
        assertThat(queue.store().lease(2 + others))
                .hasSize(1 + others)
                .extracting(Lease::id)
                .contains(sound)
                .doesNotContain(damaged);
        queue.store().close();
    }

    @Test
    void aContentThatCannotBeReadFailsItsReaderOnly() throws Exception {
        StoreUnderTest queue = StoreUnderTest.open(folder);
        QueueId damaged = queue.enqueue("the content that is damaged");
        queue.reopen();
        flip("the content that is damaged");
        Lease lease = queue.leaseOne();
        assertThatThrownBy(() -> StoreUnderTest.read(lease)).isInstanceOf(IOException.class);
        queue.store().setAside(damaged, "a checksum differs");
        assertThat(queue.message(damaged).state()).isEqualTo(QueuedMessage.State.DAMAGED);
        assertThat(queue.store().failure()).isNotDone();
        queue.store().close();
    }

    @Test
    void aCheckpointMovesTheRestOfADamagedSegment() throws Exception {
        LogSettings log = new LogSettings(16 << 20, 2, 0);
        StoreUnderTest queue = StoreUnderTest.open(folder, log);
        QueueId before = queue.enqueue("sound, before the damage");
        QueueId lost = StoreUnderTest.queued(
                queue.offer(queue.content(new byte[100]), List.of("damaged@example.org")));
        QueueId damaged = queue.enqueue("the content that is damaged");
        byte[] large = StoreUnderTest.octets(5, 100_000);
        QueueId extents = queue.enqueueInExtents(large, 30_000);
        int others = queue.pushEnvelopesOutOfMemory();
        flip("damaged@example.org");
        flip("the content that is damaged");
        int filled = 0;
        for (; queue.store().statistics().database().checkpoints() < 2; filled++) {
            queue.enqueue(StoreUnderTest.octets(filled, 50_000));
        }
        List<QueueId> sound = new ArrayList<>();
        for (Lease lease : queue.store().lease(Integer.MAX_VALUE)) {
            if (lease.id().equals(damaged)) {
                assertThatThrownBy(() -> StoreUnderTest.read(lease))
                        .hasMessageContaining("doesn't match its checksum");
                queue.store().setAside(damaged, "a checksum differs");
            } else {
                assertThat(StoreUnderTest.read(lease)).hasSize((int) lease.sizeBytes());
                sound.add(lease.id());
            }
        }
        assertThat(sound).contains(before, extents).doesNotContain(lost);
        assertThat(sound).hasSize(2 + others + filled);
        assertThat(queue.message(lost).state()).isEqualTo(QueuedMessage.State.DAMAGED);
        assertThat(queue.message(lost).reason()).contains("envelope");
        assertThat(queue.message(lost).sizeBytes()).isEqualTo(100);
        assertThat(queue.store().statistics().length().damagedMessages()).isEqualTo(2);
        assertThat(queue.store().failure()).isNotDone();
        queue.store().close();
        queue.openAgain();
        assertThat(queue.message(lost).state()).isEqualTo(QueuedMessage.State.DAMAGED);
        queue.store().close();
        try (QueueReader reader = QueueReader.open(queue.log(), queue.queue())) {
            List<QueuedMessage> listed = new ArrayList<>();
            reader.forEach(listed::add);
            assertThat(listed).extracting(QueuedMessage::id).contains(before, extents);
            assertThat(listed)
                    .filteredOn(message -> message.state() == QueuedMessage.State.DAMAGED)
                    .extracting(QueuedMessage::id, QueuedMessage::sizeBytes)
                    .containsExactly(tuple(lost, 100L), tuple(damaged, 27L));
        }
        assertThat(queue.check().problems())
                .singleElement()
                .asString()
                .contains(damaged.toString());
    }

    /** Flips a bit wherever a text lies in the log. */
    private void flip(String text) throws IOException {
        byte[] wanted = text.getBytes(StandardCharsets.US_ASCII);
        int flipped = 0;
        for (Path file : StoreUnderTest.sizes(folder).keySet()) {
            if (!file.toString().endsWith(".log")) {
                continue;
            }
            byte[] found = Files.readAllBytes(file);
            int at = new String(found, StandardCharsets.ISO_8859_1).indexOf(text);
            if (at >= 0) {
                int changed = at + wanted.length / 2;
                // The store may be open.
                try (RandomAccessFile octets = new RandomAccessFile(file.toFile(), "rw")) {
                    octets.seek(changed);
                    octets.write(found[changed] ^ 1);
                }
                flipped++;
            }
        }
        assertThat(flipped).as("places in the log").isPositive();
    }
}
