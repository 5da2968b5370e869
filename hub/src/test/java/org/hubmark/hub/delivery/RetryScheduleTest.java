package org.hubmark.hub.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Settings;
import org.hubmark.hub.TestStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /**
     * A clock that is set ahead makes all that is deferred too old: it is tried for another day, by seven attempts
     * before the last, but by no more than its schedule makes on time, which are those at 0, 1, 2 and 4 hours in the
     * second one. An operator gets another attempt, where there is a second one for any message.
     */
    @ParameterizedTest
    @CsvSource({
        // shortest wait, expiry, age, attempts before, asked for, wait
        "5m, 120h, -1h,  0, false, 5m",
        "5m, 120h, 144h, 0, false, 4h",
        "5m, 120h, 144h, 6, false, 4h",
        "5m, 120h, 144h, 7, false, ",
        "5m, 120h, 144h, 7, true,  4h",
        "1h, 210m, 144h, 1, false, 4h",
        "1h, 210m, 144h, 2, false, ",
        "1h, 210m, 2h,   2, false, 2h",
        "5m, 0s,   0s,   0, false, ",
    })
    void theNextAttempt(
            String waitMin,
            String expiry,
            String age,
            int attempts,
            boolean askedFor,
            @Nullable String wait) {
        RetrySchedule table = RetrySchedule.read(new Settings(
                Map.of("delivery.retry-min", waitMin, "delivery.expire-after", expiry)));
        Instant now = RECEIVED.plus(TestStore.time(age));
        assertThat(table.next(RECEIVED, now, attempts, askedFor))
                .isEqualTo(Optional.ofNullable(wait).map(TestStore::time).map(now::plus));
    }
}
