package org.hubmark.queue.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Proves that the search for what is due costs the same whatever has left before: a million messages
 * are scheduled and settled from the head, and the database counts the deleted rows that its scans
 * had to pass over. Counted, not timed.
 */
class ScheduleTest {
    private static final int MESSAGES = 1_000_000;
    private static final int BATCH = 10_000;
    private static final int LEFT = 2 * BATCH;

    @TempDir
    Path folder;

    @Test
    void aMillionSettledMessagesAtTheHeadAreNotPassedOverAgain() throws IOException {
        QueueDatabase.create(folder, false);
        try (QueueDatabase database = QueueDatabase.open(folder, false, null);
                QueueBatch batch = database.newBatch()) {
            for (int id = 1; id <= MESSAGES; id++) {
                batch.putSchedule(new ScheduleKey(id / 10, id));
                writeFull(database, batch, id);
            }
            Schedule schedule = new Schedule(database);
            int settled = settle(schedule, database, batch, 1, MESSAGES - LEFT);
            long passedOver = database.counts().rowsPassedOver();
            // A search begins at the last row found, which has left by then.
            assertThat(passedOver).isLessThan(settled / 100);

            Schedule restarted = new Schedule(database);
            assertThat(read(restarted).firstDue(MESSAGES))
                    .isEqualTo(new ScheduleKey((settled + 1) / 10, settled + 1));
            long once = database.counts().rowsPassedOver() - passedOver;
            // What is not merged away yet is met once: a row, and the mark that it was deleted.
            assertThat(once).isLessThanOrEqualTo(2L * settled);
            settle(restarted, database, batch, settled + 1, LEFT - 1);
            assertThat(database.counts().rowsPassedOver() - passedOver - once)
                    .as("passed over again, after the first search of a start")
                    .isLessThan(LEFT / 100);
        }
    }

    /** Leases and settles in order; a batch of rows leaves at once, as a group does. */
    private static int settle(
            Schedule schedule, QueueDatabase database, QueueBatch batch, int first, int count)
            throws IOException {
        for (int id = first; id < first + count; id++) {
            ScheduleKey key = Objects.requireNonNull(read(schedule).takeDue(MESSAGES));
            if (key.id() != id) {
                throw new AssertionError(key + " instead of " + id);
            }
            schedule.lease(id);
            batch.deleteSchedule(key);
            schedule.left(id, MessageState.due(key.dueMillis(), 1, "", List.of()));
            writeFull(database, batch, id);
        }
        return count;
    }

    private static Schedule read(Schedule schedule) throws IOException {
        while (schedule.needsPage(MESSAGES)) {
            schedule.endPage(schedule.beginPage(MESSAGES).read());
        }
        return schedule;
    }

    private static void writeFull(QueueDatabase database, QueueBatch batch, int id)
            throws IOException {
        if (id % BATCH == 0) {
            database.write(batch);
        }
    }
}
