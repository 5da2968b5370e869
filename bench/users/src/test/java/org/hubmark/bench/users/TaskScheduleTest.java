package org.hubmark.bench.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.users.profile.UserProfile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.EnumMap;
import java.util.Map;

/** Proves that a day has as many tasks of each kind as its profile says, and that the seed repeats it. */
class TaskScheduleTest {
    private static final double DAY_NANOS = 8 * 3600e9;

    @ParameterizedTest
    @ValueSource(strings = {"light", "medium", "heavy", "very-heavy"})
    void aDayHasTheTasksOfTheProfile(String name) {
        UserProfile profile = Task.profile(name);
        long seed = Long.getLong("hubmark.seed", 1);
        int days = 1000;
        Map<Task, Long> counts = new EnumMap<>(Task.class);
        TaskSchedule schedule = new TaskSchedule(profile, 0, DAY_NANOS, seed);
        for (; schedule.dueNanos() < days * DAY_NANOS; schedule.next()) {
            counts.merge(schedule.task(), 1L, Long::sum);
        }
        assertThat(counts).doesNotContainKeys(Task.LOGON, Task.SAVE, Task.REACT);
        counts.forEach((task, count) -> {
            double expected = days * task.perDay(profile);
            // Five standard deviations of a Poisson count.
            assertThat((double) count)
                    .as("%s of %s, seed %s", task, name, seed)
                    .isCloseTo(expected, within(5 * Math.sqrt(expected)));
        });
    }

    @Test
    void theSeedRepeatsTheDay() {
        UserProfile profile = Task.profile("medium");
        TaskSchedule one = new TaskSchedule(profile, 5, DAY_NANOS, 42);
        TaskSchedule other = new TaskSchedule(profile, 5, DAY_NANOS, 42);
        for (int i = 0; i < 1000; i++) {
            assertThat(other.dueNanos()).isEqualTo(one.dueNanos());
            assertThat(other.task()).isEqualTo(one.task());
            one.next();
            other.next();
        }
    }
}
