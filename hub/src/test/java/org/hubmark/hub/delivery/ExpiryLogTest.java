package org.hubmark.hub.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import org.hubmark.core.QueueId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;

/** Proves that a backlog that expires is a line a minute, with the number of messages. */
final class ExpiryLogTest {
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(ExpiryLog.class);
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
        ExpiryLog expiries = new ExpiryLog(minutes::add);
        for (int i = 1; i <= 1000; i++) {
            expiries.expired(new QueueId(i));
        }
        assertThat(log.list).hasSize(1);
        assertThat(log.list.getFirst().getFormattedMessage())
                .contains(new QueueId(1).toString(), "delivery.expire-after");
        minutes.remove().run();
        assertThat(log.list).hasSize(2);
        assertThat(log.list.get(1).getFormattedMessage()).startsWith("999 more messages");
        minutes.remove().run();
        assertThat(log.list).hasSize(2);
        assertThat(minutes).isEmpty();
        expiries.expired(new QueueId(1));
        assertThat(log.list).hasSize(3);
    }
}
