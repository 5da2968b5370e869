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
        Optional<Instant> next = schedule.next(RECEIVED, now, false);
        while (next.isPresent()) {
            waits.add(Duration.between(now, next.get()));
            now = next.get();
            next = schedule.next(RECEIVED, now, false);
        }
        assertThat(waits.stream().map(Duration::toMinutes).limit(9))
                .containsExactly(5L, 5L, 10L, 20L, 40L, 80L, 160L, 240L, 240L);
        assertThat(Duration.between(RECEIVED, now)).isGreaterThanOrEqualTo(Duration.ofDays(5));
    }

    @Test
    void waitsWhenTheClockWasSetBack() {
        assertThat(schedule.next(RECEIVED, RECEIVED.minusSeconds(3600), false))
                .contains(RECEIVED.minusSeconds(3600 - 300));
    }

    @Test
    void theFirstAttemptIsNotTheLastHoweverOldAMessageIs() {
        Instant late = RECEIVED.plus(Duration.ofDays(6));
        assertThat(schedule.next(RECEIVED, late, true)).contains(late.plus(Duration.ofHours(4)));
        assertThat(schedule.next(RECEIVED, late, false)).isEmpty();
    }

    @Test
    void aScheduleOfOneAttemptHasNoSecondOne() {
        RetrySchedule one = RetrySchedule.read(new Settings(Map.of("delivery.expire-after", "0s")));
        assertThat(one.next(RECEIVED, RECEIVED, true)).isEmpty();
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
