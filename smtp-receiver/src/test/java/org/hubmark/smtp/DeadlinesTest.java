package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import org.hubmark.core.Settings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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

    /** Says the same each tick. {@return the seconds until the connection ended, -1 if it didn't} */
    private long secondsUntil(Ending expected, Duration atMost, String saidEachTick) {
        long startNanos = nowNanos;
        while (nowNanos - startNanos < atMost.toNanos()) {
            nowNanos += TICK_NANOS;
            say(saidEachTick);
            Ending ending = deadlines.check(nowNanos);
            if (ending != null) {
                assertThat(ending).isEqualTo(expected);
                return Duration.ofNanos(nowNanos - startNanos).toSeconds();
            }
        }
        return -1;
    }

    @Test
    void theTimeOfAPauseIsOurs() {
        say("EHLO c.example\r\n");
        intake.pauseNanos = 1;
        say("MAIL FROM:<a@b.example>\r\n");
        assertThat(session.isWaiting()).isTrue();
        assertThat(secondsUntil(Ending.COMMAND_LATE, Duration.ofHours(2), "")).isEqualTo(-1);
    }

    @Test
    void silenceBetweenCommands() {
        assertThat(secondsUntil(Ending.COMMAND_LATE, Duration.ofHours(1), "")).isEqualTo(300);
    }

    @Test
    void anOctetNowAndThenIsNoCommand() {
        assertThat(secondsUntil(Ending.COMMAND_LATE, Duration.ofHours(1), "x")).isEqualTo(300);
    }

    @Test
    void wholeCommandsAreProgress() {
        assertThat(secondsUntil(Ending.COMMAND_LATE, Duration.ofHours(1), "NOOP\r\n"))
                .isEqualTo(-1);
    }

    @Test
    void silenceWithinContent() {
        say(Peer.TRANSACTION + "DATA\r\nx");
        assertThat(secondsUntil(Ending.CONTENT_LATE, Duration.ofHours(1), "")).isEqualTo(180);
    }

    @Test
    void anOctetASecondOfContentIsTooSlow() {
        say(Peer.TRANSACTION + "DATA\r\n");
        assertThat(secondsUntil(Ending.CONTENT_SLOW, Duration.ofHours(1), "x".repeat(15)))
                .isBetween(180L, 220L);
    }

    @Test
    void whatCameFastIsNoCreditForLater() {
        say(Peer.TRANSACTION + "DATA\r\n" + "x\r\n".repeat(100_000));
        assertThat(secondsUntil(Ending.CONTENT_SLOW, Duration.ofHours(1), "x\r\n"))
                .isBetween(180L, 220L);
    }

    @Test
    void aModemPasses() {
        // 9600 bit/s is 960 octets a second, here with a pause of two minutes in between.
        String tick = "0123456789abc\r\n".repeat(960);
        say(Peer.TRANSACTION + "DATA\r\n");
        assertThat(secondsUntil(Ending.CONTENT_SLOW, Duration.ofMinutes(5), tick))
                .isEqualTo(-1);
        assertThat(secondsUntil(Ending.CONTENT_SLOW, Duration.ofMinutes(2), "")).isEqualTo(-1);
        assertThat(secondsUntil(Ending.CONTENT_SLOW, Duration.ofMinutes(5), tick))
                .isEqualTo(-1);
    }

    @Test
    void aTransactionThatDoesNotEnd() {
        say(Peer.TRANSACTION);
        assertThat(secondsUntil(Ending.TRANSACTION_LATE, Duration.ofHours(2), "NOOP\r\n"))
                .isBetween(3600L, 3630L);
    }

    @Test
    void timeInWhichThePeerWaitsIsNotItsOwn() throws InterruptedException {
        intake.holdsAnswers = true;
        say(Peer.TRANSACTION + "DATA\r\nx\r\n.\r\n");
        assertThat(secondsUntil(Ending.COMMAND_LATE, Duration.ofHours(2), "")).isEqualTo(-1);
        intake.answer();
    }
}
