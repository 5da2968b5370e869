package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Proves that messages which were acknowledged together leave together: a reader and a start after a kill
 * find none of them, and a record that was torn brings them all back.
 */
class AcknowledgedLotTest {
    @TempDir
    Path folder;

    @Test
    void aReaderAndAStartAfterAKillFindNoneOfThem() throws IOException {
        try (StoreUnderTest queue = StoreUnderTest.open(folder.resolve("now"))) {
            // More than one record holds.
            List<QueueId> ids = enqueue(queue, 300);
            assertThat(queue.store().lease(299)).hasSize(299);
            List<QueueId> stay = List.of(ids.get(7), ids.getLast());
            List<QueueId> lot = new ArrayList<>(ids);
            lot.remove(ids.get(7));
            lot.add(new QueueId(1));
            lot.add(ids.getFirst());
            queue.store().acknowledge(lot);
            assertThat(queue.store().find(ids.getFirst())).isEmpty();
            assertThat(queue.check()).isEqualTo(new CheckReport(2, 200, List.of()));
            queue.crash(folder.resolve("killed"));
            assertThat(queue.store().lease(300)).extracting(Lease::id).isEqualTo(stay);
        }
    }

    @Test
    void aTornRecordBringsAllOfThemBack() throws IOException {
        try (StoreUnderTest queue = StoreUnderTest.open(folder.resolve("now"))) {
            List<QueueId> ids = enqueue(queue, 5);
            assertThat(queue.store().lease(5)).hasSize(5);
            queue.store().acknowledge(ids.subList(0, 4));
            assertThat(queue.store().find(ids.getFirst())).isEmpty();
            Path torn = folder.resolve("torn");
            StoreUnderTest.copyAtRest(folder.resolve("now"), torn);
            zero(torn.resolve("log/segments/segment-000001.log"), ids.get(2), ids.get(3));
            try (StoreUnderTest again = StoreUnderTest.open(torn)) {
                assertThat(again.store().lease(6)).extracting(Lease::id).isEqualTo(ids);
            }
        }
    }

    private static List<QueueId> enqueue(StoreUnderTest queue, int messages) {
        return Stream.generate(() -> queue.offer(100, StoreUnderTest.TO))
                .limit(messages)
                .toList()
                .stream()
                .map(StoreUnderTest::queued)
                .toList();
    }

    /** Takes the second of two ids that stand one after the other out of a file. */
    private static void zero(Path file, QueueId before, QueueId id) throws IOException {
        byte[] ids = ByteBuffer.allocate(16)
                .putLong(before.value())
                .putLong(id.value())
                .array();
        byte[] octets = Files.readAllBytes(file);
        int at = 0;
        while (!Arrays.equals(octets, at, at + 16, ids, 0, 16)) {
            at++;
        }
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            out.seek(at + 8);
            out.writeLong(0);
        }
    }
}
