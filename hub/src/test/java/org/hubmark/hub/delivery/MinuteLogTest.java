package org.hubmark.hub.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;

/** Proves that what happens to a backlog is a line a minute, with the number of messages. */
final class MinuteLogTest {
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(MinuteLog.class);
    private final ArrayDeque<Runnable> minutes = new ArrayDeque<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
    }

    @Test
    void tellsTheFirstAndThenTheNumber() {
        MinuteLog expiries = new MinuteLog("expired", "messages expired", minutes::add);
        for (int i = 1; i <= 1000; i++) {
            expiries.happened("message " + i);
        }
        assertThat(log.list).hasSize(1);
        assertThat(log.list.getFirst().getFormattedMessage())
                .isEqualTo("messages expired: message 1");
        minutes.remove().run();
        assertThat(log.list).hasSize(2);
        assertThat(log.list.get(1).getFormattedMessage()).isEqualTo("999 more messages expired");
        minutes.remove().run();
        assertThat(log.list).hasSize(2);
        assertThat(minutes).isEmpty();
        expiries.happened("message 1");
        assertThat(log.list).hasSize(3);
    }
}
