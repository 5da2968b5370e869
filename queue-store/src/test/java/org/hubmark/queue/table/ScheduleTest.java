package org.hubmark.queue.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Proves that fresh mail and mail that has waited for its time take turns, whatever lies in the log and
 * in the queue database, that no more is held back than may be, and that the search for what is due costs the
 * same whatever has left before: counted, not timed.
 */
class ScheduleTest {
    private static final int MESSAGES = 1_000_000;
    private static final int BATCH = 10_000;
    private static final int LEFT = 2 * BATCH;
    private static final long NOW = 1_000_000;
    private static final MessageState FRESH = MessageState.fresh();

    @TempDir
    Path folder;

    private @Nullable QueueDatabase database;

    @BeforeEach
    void open() throws IOException {
        QueueDatabase.create(folder, false);
        database = QueueDatabase.open(folder, false, null);
    }

    @AfterEach
    void close() throws IOException {
        database().close();
    }

    @Test
    void oneInFourIsOfWhatHasWaited() throws IOException {
        Schedule schedule = new Schedule(database());
        for (int id = 1; id <= 1000; id++) {
            schedule.cameInLog(id, id <= 500 ? waits(NOW - id) : FRESH);
        }
        List<Long> first = take(schedule, 400);
        assertThat(first.stream().filter(id -> id <= 500)).hasSize(100);
        assertThat(first.stream().filter(id -> id > 500)).isSorted().hasSize(300);
        // The longest due first.
        assertThat(first.stream().filter(id -> id <= 500).toList()).startsWith(500L, 499L);
    }

    /** A backlog of fresh mail in the database, larger than the window, used to hide all deferred mail. */
    @Test
    void aBacklogInTheDatabaseHidesNothing() throws IOException {
        int backlog = 2 * ScheduleLane.WINDOW_MESSAGES_MAX;
        try (QueueBatch batch = database().newBatch()) {
            for (int id = 1; id <= backlog; id++) {
                batch.putSchedule(FRESH.key(id));
            }
            batch.putSchedule(waits(NOW - 1).key(backlog + 1));
            batch.putSchedule(waits(NOW + 1).key(backlog + 2));
            database().write(batch);
        }
        Schedule schedule = new Schedule(database());
        List<Long> taken = take(schedule, backlog + 10);
        assertThat(taken).hasSize(backlog + 1);
        assertThat(taken.indexOf((long) backlog + 1)).isLessThan(Schedule.TIMED_SHARE);
        assertThat(read(schedule).firstDue(NOW + 1)).isEqualTo(waits(NOW + 1).key(backlog + 2));
    }

    @Test
    void noMoreIsHeldBackThanMayBe() throws IOException {
        Schedule schedule = new Schedule(database());
        for (int id = 1; id <= Schedule.HELD_BACK_MAX + 1; id++) {
            schedule.cameInLog(id, FRESH);
        }
        for (long id : take(schedule, Schedule.HELD_BACK_MAX)) {
            assertThat(schedule.holdBack(id, FRESH, NOW + 10)).isTrue();
        }
        assertThat(take(schedule, 1)).hasSize(1);
        assertThat(schedule.holdBack(Schedule.HELD_BACK_MAX + 1, FRESH, NOW + 10))
                .isFalse();
    }

    /** The database counts the deleted rows that its scans had to pass over. */
    @Test
    void aMillionSettledMessagesAtTheHeadAreNotPassedOverAgain() throws IOException {
        try (QueueBatch batch = database().newBatch()) {
            for (int id = 1; id <= MESSAGES; id++) {
                batch.putSchedule(new ScheduleKey(id / 10, id));
                writeFull(batch, id);
            }
            Schedule schedule = new Schedule(database());
            int settled = settle(schedule, batch, 1, MESSAGES - LEFT);
            long passedOver = database().counts().rowsPassedOver();
            // A search begins at the last row found, which has left by then.
            assertThat(passedOver).isLessThan(settled / 100);

            Schedule restarted = new Schedule(database());
            assertThat(read(restarted).firstDue(NOW))
                    .isEqualTo(new ScheduleKey((settled + 1) / 10, settled + 1));
            long once = database().counts().rowsPassedOver() - passedOver;
            // What is not merged away yet is met once: a row, and the mark that it was deleted.
            assertThat(once).isLessThanOrEqualTo(2L * settled);
            settle(restarted, batch, settled + 1, LEFT - 1);
            assertThat(database().counts().rowsPassedOver() - passedOver - once)
                    .as("passed over again, after the first search of a start")
                    .isLessThan(LEFT / 100);
        }
    }

    /** Leases and settles in order; a batch of rows leaves at once, as a group does. */
    private int settle(Schedule schedule, QueueBatch batch, int first, int count)
            throws IOException {
        for (int id = first; id < first + count; id++) {
            ScheduleKey key = Objects.requireNonNull(read(schedule).takeDue(NOW));
            if (key.id() != id) {
                throw new AssertionError(key + " instead of " + id);
            }
            schedule.lease(id);
            batch.deleteSchedule(key);
            schedule.left(id, MessageState.due(key.dueMillis(), 1, "", List.of()));
            writeFull(batch, id);
        }
        return count;
    }

    private void writeFull(QueueBatch batch, int id) throws IOException {
        if (id % BATCH == 0) {
            database().write(batch);
        }
    }

    private QueueDatabase database() {
        if (database == null) {
            throw new IllegalStateException("not open");
        }
        return database;
    }

    private static MessageState waits(long dueMillis) {
        return MessageState.due(dueMillis, 1, "450", List.of());
    }

    /** Leases so many of what is due now, at most. */
    private static List<Long> take(Schedule schedule, int max) throws IOException {
        List<Long> ids = new ArrayList<>();
        while (ids.size() < max) {
            ScheduleKey key = read(schedule).takeDue(NOW);
            if (key == null) {
                return ids;
            }
            schedule.lease(key.id());
            ids.add(key.id());
        }
        return ids;
    }

    private static Schedule read(Schedule schedule) throws IOException {
        while (schedule.needsPage(NOW)) {
            schedule.endPage(schedule.beginPage(NOW).read());
        }
        return schedule;
    }
}
