package org.hubmark.hub.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.hub.LogLines;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;

/** Proves that what happens to a backlog is a line a minute, with the number of messages. */
final class MinuteLogTest {
    @Test
    void tellsTheFirstAndThenTheNumber() {
        ArrayDeque<Runnable> minutes = new ArrayDeque<>();
        MinuteLog expiries = new MinuteLog("expired", "messages expired", minutes::add);
        try (LogLines log = new LogLines(MinuteLog.class)) {
            for (int i = 1; i <= 1000; i++) {
                expiries.happened("message " + i);
            }
            assertThat(log.lines()).containsExactly("messages expired: message 1");
            minutes.remove().run();
            assertThat(log.lines()).hasSize(2).last().isEqualTo("999 more messages expired");
            minutes.remove().run();
            assertThat(log.lines()).hasSize(2);
            assertThat(minutes).isEmpty();
            expiries.happened("message 1");
            assertThat(log.lines()).hasSize(3);
        }
    }
}
