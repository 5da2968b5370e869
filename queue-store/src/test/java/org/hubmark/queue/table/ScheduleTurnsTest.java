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

/**
 * Proves that fresh mail and mail that has waited for its time take turns, whatever lies in the log and
 * in the queue database, and what holding back does to a message.
 */
class ScheduleTurnsTest {
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

    @Test
    void fewOfOneKindDoNotHoldBackTheOther() throws IOException {
        Schedule schedule = new Schedule(database());
        for (int id = 1; id <= 100; id++) {
            schedule.cameInLog(id, id == 50 ? FRESH : waits(NOW - 1));
        }
        assertThat(take(schedule, 4)).contains(50L);
        assertThat(take(schedule, 100)).hasSize(96);
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
    void whatIsHeldBackComesAtItsTimeWithItsPlace() throws IOException {
        Schedule schedule = new Schedule(database());
        schedule.cameInLog(1, FRESH);
        assertThat(take(schedule, 1)).containsExactly(1L);
        assertThat(schedule.holdBack(1, FRESH, NOW + 10)).isTrue();
        assertThat(schedule.isLeased(1)).isFalse();
        assertThat(schedule.beginSettle(1)).isFalse();
        // Until a page was read the database may have something at once.
        assertThat(read(schedule).nextMillis()).isEqualTo(NOW + 10);
        assertThat(schedule.takeDue(NOW + 9)).isNull();
        assertThat(schedule.firstDue(NOW + 10)).isNotNull();
        assertThat(schedule.takeDue(NOW + 10)).isEqualTo(FRESH.key(1));
        assertThat(schedule.nextMillis()).isEqualTo(Long.MAX_VALUE);
        assertThat(schedule.takeDue(NOW + 10)).isNull();
    }

    @Test
    void whatIsHeldBackIsAnOperatorsToTake() throws IOException {
        Schedule schedule = new Schedule(database());
        schedule.cameInLog(1, FRESH);
        take(schedule, 1);
        assertThat(schedule.withdraw(1, FRESH)).as("while it is leased").isFalse();
        schedule.holdBack(1, FRESH, NOW + 10);
        assertThat(schedule.withdraw(1, FRESH)).isTrue();
        schedule.left(1, FRESH);
        assertThat(schedule.takeDue(NOW + 10)).isNull();
    }

    @Test
    void whatIsHeldBackIsDueWhenHoldingEnds() throws IOException {
        Schedule schedule = new Schedule(database());
        schedule.cameInLog(1, FRESH);
        schedule.cameInLog(2, waits(NOW - 1));
        for (long id : take(schedule, 2)) {
            assertThat(schedule.holdBack(id, id == 1 ? FRESH : waits(NOW - 1), NOW + 10))
                    .isTrue();
        }
        assertThat(schedule.withdraw(2, waits(NOW - 1))).isTrue();
        schedule.endHolding();
        assertThat(schedule.takeDue(NOW - 86_400_000)).isEqualTo(FRESH.key(1));
        assertThat(schedule.takeDue(NOW + 10)).isNull();
    }

    @Test
    void whatIsHeldBackAndMovedToTheDatabaseIsThereOnce() throws IOException {
        Schedule schedule = new Schedule(database());
        schedule.cameInLog(1, FRESH);
        take(schedule, 1);
        schedule.holdBack(1, FRESH, NOW + 10);
        schedule.moved(1, FRESH);
        assertThat(take(schedule, 5)).isEmpty();
        assertThat(read(schedule).takeDue(NOW + 10)).isEqualTo(FRESH.key(1));
        schedule.lease(1);
        assertThat(read(schedule).takeDue(NOW + 10)).isNull();
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
