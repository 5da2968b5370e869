package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import org.hubmark.core.Settings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * Who keeps a connection without bringing mail on loses it in time, and who is merely slow does not.
 * Method: a session, looked at each 15 seconds of a time that the test makes.
 */
@Timeout(60)
final class DeadlinesTest {
    private static final Map.Entry<String, Long> GOES_ON = Map.entry("goes on", -1L);
    private static final long TICK_NANOS = Duration.ofSeconds(15).toNanos();

    private final MemoryIntake intake = new MemoryIntake();
    private final Limits limits = Limits.read(new Settings(Map.of("smtp.host-name", "mx.example")));
    private final Service service = new Service(
            intake,
            Peers.of(limits),
            new SmtpCounters(),
            limits,
            RelayRules.read(Settings.defaults(), List.of()),
            new OpenPolicy(),
            null,
            InstantSource.system(),
            null);
    private final Session session = new Session(
            service,
            new Connection(service, service.peers().unlimited(), false),
            service.peers().unlimited(),
            "192.0.2.1",
            true);
    private long nowNanos;
    private final Deadlines deadlines = new Deadlines(service.limits().times(), session, nowNanos);

    @AfterEach
    void close() {
        session.close();
        assertThat(service.budget().bytesUsed()).isZero();
    }

    private void say(String octets) {
        ByteBuf in = Unpooled.copiedBuffer(octets, StandardCharsets.ISO_8859_1);
        boolean goesOn = true;
        while (goesOn && in.isReadable()) {
            goesOn = session.consume(in);
        }
        in.release();
        if (!octets.isEmpty()) {
            deadlines.heard(nowNanos);
        }
    }

    /** Says the same each tick. {@return how the connection ended, and after how many seconds} */
    private Map.Entry<String, Long> end(int minutesAtMost, String saidEachTick) {
        long startNanos = nowNanos;
        while (nowNanos - startNanos < Duration.ofMinutes(minutesAtMost).toNanos()) {
            nowNanos += TICK_NANOS;
            say(saidEachTick);
            Ending ending = deadlines.check(nowNanos);
            if (ending != null) {
                long nanos = nowNanos - startNanos;
                return Map.entry(ending.name(), Duration.ofNanos(nanos).toSeconds());
            }
        }
        return GOES_ON;
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "silence between commands, '', '', COMMAND_LATE, 300, 300",
        "an octet now and then is no command, '', x, COMMAND_LATE, 300, 300",
        "whole commands are progress, '', NOOP\\r\\n, goes on, -1, -1",
        "silence within content, DATA\\r\\nx, '', CONTENT_LATE, 180, 180",
        "an octet a second is too slow, DATA\\r\\n, {x*15}, CONTENT_SLOW, 180, 220",
        "fast is no credit for later, DATA\\r\\n{x\\r\\n*100000}, x\\r\\n, CONTENT_SLOW, 180, 220",
        "a transaction that does not end, NOOP\\r\\n, NOOP\\r\\n, TRANSACTION_LATE, 3600, 3630"
    })
    void whoBringsNothingOnIsLate(
            String name, String first, String each, String ending, long from, long to) {
        say(first.isEmpty() ? "" : Peer.TRANSACTION + DialogueTest.octets(first));
        Map.Entry<String, Long> ended = end(120, DialogueTest.octets(each));
        assertThat(ended.getKey()).isEqualTo(ending);
        assertThat(ended.getValue()).isBetween(from, to);
    }

    @Test
    void aModemPasses() {
        // 9600 bit/s is 960 octets a second, here with a pause of two minutes in between.
        String tick = "0123456789abc\r\n".repeat(960);
        say(Peer.TRANSACTION + "DATA\r\n");
        assertThat(end(5, tick)).isEqualTo(GOES_ON);
        assertThat(end(2, "")).isEqualTo(GOES_ON);
        assertThat(end(5, tick)).isEqualTo(GOES_ON);
    }

    @Test
    void timeInWhichThePeerWaitsIsNotItsOwn() throws InterruptedException {
        intake.holdsAnswers = true;
        say(Peer.TRANSACTION + "DATA\r\nx\r\n.\r\n");
        assertThat(end(120, "")).isEqualTo(GOES_ON);
        intake.answer();
    }

    @Test
    void theTimeOfAPauseIsOurs() {
        say("EHLO c.example\r\n");
        intake.pauseNanos = 1;
        say("MAIL FROM:<a@b.example>\r\n");
        assertThat(session.isWaiting()).isTrue();
        assertThat(end(120, "")).isEqualTo(GOES_ON);
    }
}
