package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Proves that the queue volume gets its space back, by itself and without new mail, when a backlog
 * has left: most of it, with what stays spread over all files, and then the rest.
 */
class QueueSpaceTest {
    private static final int SEGMENT_BYTES = 1 << 20;
    private static final int MESSAGES = 200;
    private static final int MESSAGE_BYTES = 100_000;
    private static final int STAYS_OF = 10;

    @TempDir
    Path folder;

    @Test
    @Timeout(60)
    void spaceComesBackWhenABacklogHasLeft() throws Exception {
        try (TestQueue queue = TestQueue.open(folder, new LogSettings(SEGMENT_BYTES, 2, 0))) {
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
                assertThat(TestQueue.read(stay.get(i))).isEqualTo(octets(i * STAYS_OF));
            }

            QueueId last = stay.getLast().id();
            stay.forEach(lease -> queue.store().acknowledge(lease.id()));
            assertThat(queue.store().find(last)).isEmpty();
            awaitDatabaseBytes(queue, SEGMENT_BYTES);
        }
    }

    @Test
    void aRewritingThatWasCancelledSaysSo() throws Exception {
        QueueDatabase.create(folder, false);
        try (QueueDatabase database = QueueDatabase.open(folder, false, null)) {
            assertThat(database.compact(1)).isTrue();
            database.cancelCompaction();
            assertThat(database.compact(1)).isFalse();
        }
    }

    private static byte[] octets(int number) {
        return TestQueue.octets(number, MESSAGE_BYTES);
    }

    private static void awaitDatabaseBytes(TestQueue queue, long bytesMax) throws Exception {
        while (databaseBytes(queue) > bytesMax) {
            // The test's time limit ends this when it never comes true.
            Thread.sleep(20);
        }
    }

    private static long databaseBytes(TestQueue queue) throws IOException {
        return TestQueue.sizes(queue.queue().resolve(QueueDatabase.FOLDER)).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }
}
