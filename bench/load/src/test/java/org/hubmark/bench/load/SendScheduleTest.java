package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Proves when messages are due, evenly or at random, that each intended start is taken once, whoever
 * takes, and how late it is by the driver's fault.
 */
class SendScheduleTest {
    private static final long MILLI = 1_000_000;

    private final SendSchedule schedule =
            new SendSchedule(new Pace.OpenLoop(1_000, Arrivals.FIXED, 1));
    private final SendSchedule.First first = new SendSchedule.First();

    @Test
    void aPaceIsMaxOrOneRate() {
        assertThat(Pace.parse("max", Arrivals.FIXED, 1)).isEqualTo(new Pace.ClosedLoop());
        assertThat(Pace.parse("0.5", Arrivals.POISSON, 7))
                .isEqualTo(new Pace.OpenLoop(0.5, Arrivals.POISSON, 7));
    }

    @Test
    void givesEachStartToOneOfMany() throws Exception {
        schedule.begin(0);
        long endNanos = 20_000 * MILLI;
        Callable<List<Long>> taker = () -> {
            List<Long> taken = new ArrayList<>();
            SendSchedule.First first = new SendSchedule.First();
            while (schedule.take(endNanos, first)) {
                taken.add(first.dueNanos);
            }
            return taken;
        };
        List<Long> all = new ArrayList<>();
        try (ExecutorService takers = Executors.newFixedThreadPool(4)) {
            for (Future<List<Long>> one : takers.invokeAll(List.of(taker, taker, taker, taker))) {
                all.addAll(one.get());
            }
        }
        all.sort(null);
        assertThat(all).hasSize(20_001).doesNotHaveDuplicates();
        assertThat(all.getLast()).isEqualTo(endNanos);
    }

    @Test
    void takesNothingBeforeItsTime() {
        schedule.begin(10 * MILLI);
        assertThat(schedule.overdue(9 * MILLI)).isZero();
        assertThat(schedule.take(9 * MILLI, first)).isFalse();
        assertThat(first.dueNanos).isEqualTo(10 * MILLI);
        assertThat(schedule.take(10 * MILLI, first)).isTrue();
        assertThat(first.dueNanos).isEqualTo(10 * MILLI);
        assertThat(schedule.take(10 * MILLI, first)).isFalse();
        assertThat(first.dueNanos).isEqualTo(11 * MILLI);
        assertThat(schedule.overdue(15 * MILLI)).isEqualTo(5);
    }

    @Test
    void blamesTheDriverWhileAConnectionIsFree() {
        schedule.begin(0);
        schedule.freed(5 * MILLI);
        schedule.freed(7 * MILLI);
        assertThat(late(8 * MILLI)).as("due at 0, free at 5").isEqualTo(3 * MILLI);
        assertThat(late(8 * MILLI)).as("due at 1, the other one free at 5").isEqualTo(3 * MILLI);
        schedule.freed(9 * MILLI);
        assertThat(late(9 * MILLI)).as("due at 2, the next one free at 9").isZero();
        schedule.freed(9 * MILLI);
        schedule.lost();
        schedule.freed(10 * MILLI);
        assertThat(late(12 * MILLI)).isEqualTo(2 * MILLI);
    }

    @Test
    void blamesTheDriverForWhatBecameDueWhileItWasBehind() {
        schedule.begin(0);
        schedule.behind(2 * MILLI, 5 * MILLI);
        schedule.behind(7 * MILLI, 7 * MILLI + 3);
        for (long expected : new long[] {3, 3, 3, 2, 1, 0, 0}) {
            schedule.freed(20 * MILLI);
            assertThat(Math.max(0, late(20 * MILLI)))
                    .as("due at %s ms", first.dueNanos / MILLI)
                    .isEqualTo(expected * MILLI);
        }
    }

    @Test
    void poissonGapsAreExponentialAndRepeatable() {
        List<Long> due = due(new Pace.OpenLoop(1_000, Arrivals.POISSON, 7), 40_000);
        assertThat(due(new Pace.OpenLoop(1_000, Arrivals.POISSON, 7), 40_000)).isEqualTo(due);
        assertThat(due(new Pace.OpenLoop(1_000, Arrivals.POISSON, 8), 200))
                .isNotEqualTo(due.subList(0, 200));
        // The gaps' mean and deviation are 1 ms.
        double mean = due.getLast() / 1e6 / due.size();
        double square = 0;
        for (int i = 1; i < due.size(); i++) {
            double gap = (due.get(i) - due.get(i - 1)) / 1e6 - mean;
            square += gap * gap;
        }
        assertThat(mean).isCloseTo(1, within(0.03));
        assertThat(Math.sqrt(square / due.size())).isCloseTo(1, within(0.05));
    }

    @Test
    void evenStartsDoNotDrift() {
        List<Long> due = due(new Pace.OpenLoop(300, Arrivals.FIXED, 1), 3_001);
        for (int i = 0; i < due.size(); i++) {
            assertThat(due.get(i)).isCloseTo(Math.round(i * 1e9 / 300), within(2L));
        }
    }

    private static List<Long> due(Pace.OpenLoop pace, int count) {
        SendSchedule schedule = new SendSchedule(pace);
        schedule.begin(0);
        SendSchedule.First first = new SendSchedule.First();
        List<Long> due = new ArrayList<>();
        while (due.size() < count) {
            assertThat(schedule.take(Long.MAX_VALUE / 2, first)).isTrue();
            due.add(first.dueNanos);
        }
        return due;
    }

    private long late(long nowNanos) {
        assertThat(schedule.take(nowNanos, first)).isTrue();
        return first.lateNanos;
    }
}
