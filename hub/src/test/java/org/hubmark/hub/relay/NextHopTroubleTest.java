package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import org.hubmark.hub.delivery.NextHop;
import org.hubmark.smtp.client.SmtpReply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;

/**
 * A night with a next hop that is down is a screenful of log, and its last line is true. Method: the
 * failures that deliveries would report, at times that the test makes.
 */
final class NextHopTroubleTest {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger(NextHopTrouble.class);

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final NextHopTrouble trouble =
            new NextHopTrouble(new NextHop(NextHop.Protocol.SMTP, "mx.example", 25));
    /** Anything, as of a clock that may begin anywhere. */
    private long nowNanos = Long.MAX_VALUE - 1_000_000_000;

    @BeforeEach
    void listen() {
        LOG.setLevel(Level.INFO);
        LOG.setAdditive(false);
        log.start();
        LOG.addAppender(log);
    }

    @AfterEach
    void leave() {
        LOG.detachAppender(log);
        LOG.setLevel(null);
        LOG.setAdditive(true);
    }

    @Test
    void aNightOfFailuresIsToldNowAndThen() {
        for (int i = 0; i < 8 * 3600; i++) {
            fail();
            pass(Duration.ofSeconds(1));
        }
        answer();
        pass(NextHopTrouble.CALM);
        trouble.look(nowNanos);
        assertThat(lines()).hasSize(1 + 47 + 1);
        assertThat(lines().getFirst()).isEqualTo("smtp://mx.example:25 can't be reached: refused");
        assertThat(lines().get(1))
                .isEqualTo(
                        "smtp://mx.example:25 can't be reached, or not always, for 10m now, 601 attempts failed;"
                                + " the last one: refused");
        assertThat(lines().getLast()).isEqualTo("smtp://mx.example:25 is back after 8h");
    }

    @Test
    void isBackAMinuteAfterTheLastFailure() {
        fail();
        pass(Duration.ofSeconds(2));
        answer();
        pass(Duration.ofSeconds(57));
        trouble.look(nowNanos);
        assertThat(lines()).hasSize(1);
        pass(Duration.ofSeconds(1));
        trouble.look(nowNanos);
        answer();
        assertThat(lines())
                .containsExactly(
                        "smtp://mx.example:25 can't be reached: refused",
                        "smtp://mx.example:25 is back after 2s");
        fail();
        assertThat(lines().getLast()).endsWith("can't be reached: refused");
    }

    @Test
    void isNotBackBeforeItHasAnswered() {
        fail();
        pass(Duration.ofHours(1));
        trouble.look(nowNanos);
        assertThat(lines()).hasSize(1);
    }

    /** Each connection but every second ends in the middle. */
    @Test
    void oneThatComesAndGoesIsToldEveryTenMinutes() {
        int seconds = 3600;
        for (int i = 0; i < seconds * 100; i++) {
            fail();
            answer();
            pass(Duration.ofMillis(10));
        }
        assertThat(lines()).hasSize(1 + (seconds - 1) / 600);
        pass(Duration.ofSeconds(59));
        trouble.look(nowNanos);
        assertThat(lines().getLast()).doesNotContain("is back");
        pass(Duration.ofSeconds(1));
        trouble.look(nowNanos);
        assertThat(lines().getLast()).endsWith(" is back after 1h");
    }

    @Test
    void refusalsAreToldNowAndThenAndTheirEnd() {
        SmtpReply reply = new SmtpReply(530, "5.7.0 authenticate first");
        for (int i = 0; i <= 20 * 60; i++) {
            trouble.refuses(reply, 1, nowNanos);
            pass(Duration.ofSeconds(1));
        }
        trouble.takes(nowNanos);
        trouble.takes(nowNanos);
        // Who is taken at times is told of once a minute.
        trouble.refuses(reply, 1, nowNanos);
        trouble.takes(nowNanos);
        String refuses = "smtp://mx.example:25 refuses the mail of this hub, ";
        assertThat(lines())
                .containsExactly(
                        refuses + "1 messages so far: 530 5.7.0 authenticate first",
                        refuses + "601 messages so far: 530 5.7.0 authenticate first",
                        refuses + "1201 messages so far: 530 5.7.0 authenticate first",
                        "smtp://mx.example:25 takes mail again after 1201s");
        pass(Duration.ofMinutes(9));
        trouble.refuses(reply, 10, nowNanos);
        assertThat(lines().getLast()).contains("10 messages so far");
    }

    private void fail() {
        trouble.failed("refused", nowNanos);
    }

    private void answer() {
        trouble.answered(nowNanos);
    }

    private void pass(Duration time) {
        nowNanos += time.toNanos();
    }

    private List<String> lines() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
