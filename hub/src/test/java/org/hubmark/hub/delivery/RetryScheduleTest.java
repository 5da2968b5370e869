package org.hubmark.hub.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.Settings;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Waits double from five minutes to four hours, for five days: tables of a message's attempts. */
final class RetryScheduleTest {
    private static final Instant RECEIVED = Instant.parse("2026-11-20T12:00:00Z");
    private final RetrySchedule schedule = RetrySchedule.read(Settings.defaults());

    @Test
    void doublesUpToTheLongestWaitAndExpires() {
        List<Duration> waits = new ArrayList<>();
        Instant now = RECEIVED;
        Optional<Instant> next = schedule.next(RECEIVED, now, 0, false);
        while (next.isPresent()) {
            waits.add(Duration.between(now, next.get()));
            now = next.get();
            next = schedule.next(RECEIVED, now, waits.size(), false);
        }
        assertThat(waits.stream().map(Duration::toMinutes).limit(9))
                .containsExactly(5L, 5L, 10L, 20L, 40L, 80L, 160L, 240L, 240L);
        assertThat(Duration.between(RECEIVED, now)).isGreaterThanOrEqualTo(Duration.ofDays(5));
    }

    @Test
    void waitsWhenTheClockWasSetBack() {
        assertThat(schedule.next(RECEIVED, RECEIVED.minusSeconds(3600), 0, false))
                .contains(RECEIVED.minusSeconds(3600 - 300));
    }

    @Test
    void theFirstAttemptIsNotTheLastHoweverOldAMessageIs() {
        Instant late = RECEIVED.plus(Duration.ofDays(6));
        assertThat(schedule.next(RECEIVED, late, 0, false))
                .contains(late.plus(Duration.ofHours(4)));
    }

    /** A clock that is set ahead makes all that is deferred too old: it is tried for another day. */
    @Test
    void noneOfTheFirstSevenAttemptsIsTheLast() {
        Instant late = RECEIVED.plus(Duration.ofDays(6));
        for (int attempts = 0; attempts < 7; attempts++) {
            assertThat(schedule.next(RECEIVED, late, attempts, false))
                    .as("%s before", attempts)
                    .contains(late.plus(Duration.ofHours(4)));
        }
        assertThat(schedule.next(RECEIVED, late, 7, false)).isEmpty();
        assertThat(schedule.next(RECEIVED, late, 7, true)).isPresent();
    }

    /** At 0, 1 and 2 hours, and the last one at 4. */
    @Test
    void aScheduleOfFewerAttemptsAsksForNoMoreThanItMakes() {
        RetrySchedule few = RetrySchedule.read(
                new Settings(Map.of("delivery.retry-min", "1h", "delivery.expire-after", "210m")));
        Instant late = RECEIVED.plus(Duration.ofDays(6));
        assertThat(few.next(RECEIVED, late, 1, false)).isPresent();
        assertThat(few.next(RECEIVED, late, 2, false)).isEmpty();
        assertThat(few.next(RECEIVED, RECEIVED.plus(Duration.ofHours(2)), 2, false))
                .contains(RECEIVED.plus(Duration.ofHours(4)));
    }

    @Test
    void aScheduleOfOneAttemptHasNoSecondOne() {
        RetrySchedule one = RetrySchedule.read(new Settings(Map.of("delivery.expire-after", "0s")));
        assertThat(one.next(RECEIVED, RECEIVED, 0, false)).isEmpty();
    }

    @Test
    void refusesBoundsThatContradict() {
        assertThatThrownBy(
                        () -> RetrySchedule.read(new Settings(Map.of("delivery.retry-min", "5h"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("delivery.retry-min")
                .hasMessageContaining("4h");
    }
}
