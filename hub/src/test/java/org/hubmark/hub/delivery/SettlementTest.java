package org.hubmark.hub.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import jakarta.mail.BodyPart;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;

import org.hubmark.core.BodyType;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.RecipientResult;
import org.hubmark.core.Settings;
import org.hubmark.hub.TestStore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Each recipient gets what its own outcome says, and the sender is told of what failed before that is
 * final. Each test settles leases of a real store whose clock it moves, and looks at what is queued then.
 */
final class SettlementTest {
    private static final Outcome REFUSED =
            new Outcome.Undeliverable("smtp://mx.y.example:25: 550 5.1.1 nobody here");
    private static final Outcome BUSY =
            new Outcome.Deferred("smtp://mx.y.example:25: 451 4.3.0 busy");

    /** With a last attempt that may be the second. */
    private static final Map<String, String> SELDOM =
            Map.of("delivery.retry-min", "96h", "delivery.retry-max", "96h");

    @TempDir
    private Path folder;

    @AutoClose
    private TestStore queue;

    @BeforeEach
    void open() throws IOException {
        queue = new TestStore(folder);
    }

    @Test
    void whoHasItAndWhoIsRefusedIsKeptAndTheRestIsTriedAgain() throws IOException {
        QueueId id = queue.enqueue("a@x.example", "a@y.example", "b@y.example", "c@y.example");
        Settlement settlement = settlement(Map.of());
        settlement.settle(
                lease(),
                new Outcome.Partial(List.of(
                        RecipientResult.DELIVERED,
                        RecipientResult.failed("550 5.1.1 nobody"),
                        RecipientResult.pending("451 4.2.1 later"))));
        QueuedMessage message = find(id);
        assertThat(message.state()).isEqualTo(QueuedMessage.State.DEFERRED);
        assertThat(message.reason()).isEqualTo("451 4.2.1 later");
        assertThat(message.results())
                .extracting(RecipientResult::state)
                .containsExactly(
                        RecipientResult.State.DELIVERED,
                        RecipientResult.State.FAILED,
                        RecipientResult.State.PENDING);
        Lease notification = lease();
        assertThat(text(notification)).contains("Final-Recipient: rfc822; b@y.example");

        queue.advance(Duration.ofMinutes(5));
        Lease second = lease();
        assertThat(second.id()).isEqualTo(id);
        assertThat(second.result(0).isOpen()).isFalse();
        assertThat(second.result(1).isOpen()).isFalse();
        assertThat(second.result(2).isOpen()).isTrue();
        settlement.settle(second, new Outcome.Delivered());
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.RETURNED);
        assertThat(settlement.delivered().sum()).isEqualTo(1);
        settlement.settle(notification, new Outcome.Delivered());
        assertThat(queue.store.find(id)).isEmpty();
        assertThat(settlement.returned().sum()).isEqualTo(1);
        assertThat(settlement.dead().sum()).isZero();
    }

    /** RFC 5321 2.3.5: never a nickname of the machine. */
    @Test
    void aHubWithoutANameReportsByOneThatOthersUnderstand() throws Exception {
        queue.enqueue("b@y.example");
        settlement(Map.of()).settle(lease(), REFUSED);
        try (InputStream content = lease().openContent()) {
            String text = new String(content.readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(text)
                    .containsPattern(
                            "\nReporting-MTA: dns; (?:\\[[0-9a-f:.]+]|[^.\r]+\\.[^\r]+)\r\n");
        }
    }

    @Test
    void theSenderGetsAReportThatProgramsCanRead() throws Exception {
        QueueId id = queue.enqueue("b@y.example");
        settlement(Map.of("smtp.host-name", "hub.example")).settle(lease(), REFUSED);
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.RETURNED);
        Lease notification = lease();
        assertThat(notification.envelope().reversePath()).isEmpty();
        assertThat(notification.envelope().forwardPaths()).containsExactly("a@x.example");
        MimeMessage message;
        try (InputStream content = notification.openContent()) {
            message = new MimeMessage(Session.getInstance(new Properties()), content);
        }
        assertThat(message.getHeader("Auto-Submitted")).containsExactly("auto-replied");
        assertThat(message.getHeader("To")).containsExactly("<a@x.example>");
        assertThat(message.getHeader("From")[0]).contains("<MAILER-DAEMON@hub.example>");
        assertThat(message.getContentType())
                .startsWith("multipart/report; report-type=delivery-status");
        MimeMultipart parts = (MimeMultipart) message.getContent();
        assertThat(parts.getCount()).isEqualTo(3);
        assertThat(text(parts.getBodyPart(0))).contains("<b@y.example>:", "550 5.1.1 nobody here");
        assertThat(parts.getBodyPart(1).getContentType()).isEqualTo("message/delivery-status");
        assertThat(text(parts.getBodyPart(1)))
                .contains(
                        "Reporting-MTA: dns; hub.example\r\n",
                        "X-Hubmark-Queue-ID: " + id + "\r\n",
                        "Arrival-Date: Fri, 20 Nov 2026 12:00:00 +0000\r\n\r\n",
                        "Final-Recipient: rfc822; b@y.example\r\n",
                        "Action: failed\r\n",
                        "Status: 5.1.1\r\n",
                        "Remote-MTA: dns; mx.y.example\r\n",
                        "Diagnostic-Code: smtp; 550 5.1.1 nobody here\r\n");
        assertThat(parts.getBodyPart(2).getContentType()).isEqualTo("text/rfc822-headers");
        assertThat(text(parts.getBodyPart(2)))
                .contains("Subject: to b@y.example")
                .doesNotContain("body");
    }

    /** A next hop that refuses a message may refuse its notification too. */
    @Test
    void aMessageStaysWholeIfItsSenderCannotBeTold() throws IOException {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(MinuteLog.class);
        log.start();
        logger.addAppender(log);
        QueueId id = queue.enqueue("b@y.example");
        Settlement settlement = settlement(Map.of());
        settlement.settle(lease(), REFUSED);
        settlement.settle(lease(), REFUSED);
        logger.detachAppender(log);
        assertThat(queue.messages()).extracting(QueuedMessage::id).containsExactly(id);
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.DEAD);
        assertThat(settlement.dead().sum()).isEqualTo(1);
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "messages stay as dead letters, since their senders can't be told of the"
                                + " failures (see 'hubmark queue retry'): " + id
                                + ": smtp://mx.y.example:25: 550 5.1.1 nobody here");
        assertThat(queue.store.retry(id)).isTrue();
        assertThat(text(lease())).isEqualTo("Subject: to b@y.example\r\n\r\nbody\r\n");
    }

    @Test
    void aMessageThatIsTriedAgainDoesNotLeaveWithAnEarlierNotification() throws IOException {
        QueueId id = queue.enqueue("b@y.example");
        Settlement settlement = settlement(Map.of());
        settlement.settle(lease(), REFUSED);
        Lease earlier = lease();
        assertThat(queue.store.retry(id)).isTrue();
        Lease again = lease();
        settlement.settle(earlier, new Outcome.Delivered());
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.DEFERRED);
        settlement.settle(again, REFUSED);
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.RETURNED);
        settlement.settle(lease(), new Outcome.Delivered());
        assertThat(queue.messages()).isEmpty();
    }

    /** No client can have a message removed: only a notification that the message knows can. */
    @Test
    void whatPretendsToBeANotificationChangesNothing() throws IOException {
        QueueId id = queue.enqueue("b@y.example");
        Settlement settlement = settlement(Map.of());
        settlement.settle(lease(), REFUSED);
        Lease real = lease();
        Envelope forged = new Envelope(
                "", List.of("b@y.example"), BodyType.SEVEN_BIT, TestStore.START, id.toString());
        QueueId other = queue.enqueue("", "b@y.example");
        Lease lease = lease();
        assertThat(lease.id()).isEqualTo(other);
        settlement.settle(
                new Lease(other, forged, lease.sizeBytes(), 0, lease.content()),
                new Outcome.Delivered());
        assertThat(queue.store.find(other)).isEmpty();
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.RETURNED);
        settlement.settle(real, new Outcome.Delivered());
        assertThat(queue.messages()).isEmpty();
    }

    /** RFC 5321 4.1.3. */
    @ParameterizedTest
    @CsvSource({
        "smtp://[::1]:25, [IPv6:::1]",
        "smtp://127.0.0.1:2525, [127.0.0.1]",
        "lmtp://mx1.y.example:24, mx1.y.example",
    })
    void anAddressIsALiteral(String nextHop, String mta) throws IOException {
        queue.enqueue("b@y.example");
        settlement(Map.of()).settle(lease(), new Outcome.Undeliverable(nextHop + ": 550 no"));
        assertThat(text(lease())).contains("\r\nRemote-MTA: dns; " + mta + "\r\n");
    }

    /** The class is that of the reply, whatever code a server puts behind it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "550 5.1.1 nobody         | 5.1.1",
                "550 2.1.5 nobody         | 5.0.0",
                "554 4.2.2 mailbox full   | 5.2.2",
                "550 nobody               | 5.0.0",
                "550                      | 5.0.0",
                "550 5.1 nobody           | 5.0.0",
                "550 10.1.1 nobody        | 5.0.0",
                "550 5.1.1.1 nobody       | 5.0.0",
                "550 5.1.1nobody          | 5.0.0",
                "550 5.1.1                | 5.1.1",
                "550 5.1000.1 nobody      | 5.0.0",
                "550 5.01.1 nobody        | 5.0.0",
                "550 3.1.1 nobody         | 5.0.0",
                "5.6.3 not text           | 5.6.3",
                "nobody                   | 5.0.0",
                "5501 5.1.1 nobody        | 5.0.0",
            })
    void theStatusIsOfTheClassOfTheReply(String reply, String status) throws IOException {
        queue.enqueue("b@y.example");
        settlement(Map.of())
                .settle(lease(), new Outcome.Undeliverable("smtp://mx.y.example:25: " + reply));
        assertThat(text(lease()))
                .contains("Action: failed\r\nStatus: " + status + "\r\n", "    smtp://")
                .contains("Remote-MTA: dns; mx.y.example\r\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "451 4.3.0 busy | 4.3.0",
                "451 5.3.0 busy | 4.3.0",
                "451 2.0.0 busy | 4.0.0",
                "can't be reached | 4.0.0",
            })
    void theStatusOfADelayIsATransientOne(String reply, String status) throws IOException {
        queue.enqueue("b@y.example");
        Lease lease = lease();
        queue.advance(Duration.ofHours(1));
        settlement(Map.of("delivery.delay-warning", "1h"))
                .settle(lease, new Outcome.Deferred(reply));
        assertThat(text(lease())).contains("Action: delayed\r\nStatus: " + status + "\r\n");
    }

    @Test
    void aLongReplyIsSafe() throws IOException {
        queue.enqueue("b@y.example");
        String words = "550 5.7.1 " + "no \r\nX-Evil: 1 \u00e9 ".repeat(40) + "x".repeat(3000);
        settlement(Map.of()).settle(lease(), new Outcome.Undeliverable(words));
        String text = text(lease());
        assertThat(text.lines()).allMatch(line -> line.length() <= 998);
        assertThat(text).doesNotContain("\nX-Evil").matches("\\p{ASCII}*");
        String field = text.substring(text.indexOf("Diagnostic-Code:"));
        assertThat(field).startsWith("Diagnostic-Code: smtp; 550 5.7.1 no ??X-Evil: 1 ? no ");
    }

    /** What was off for five days is not given up by what another message has met. */
    @Test
    void whatWasNotTriedIsNeverGivenUp() throws IOException {
        QueueId id = queue.enqueue("b@y.example");
        Settlement settlement = settlement(Map.of(
                "delivery.delay-warning", "1h",
                "delivery.next-hop-retry", "30s",
                "delivery.retry-min", "96h",
                "delivery.retry-max", "96h"));
        settlement.settle(lease(), BUSY);
        queue.advance(Duration.ofDays(6));
        for (int i = 0; i < 3; i++) {
            Lease lease = lease();
            assertThat(lease.id()).isEqualTo(id);
            assertThat(lease.attempts()).isEqualTo(1);
            settlement.settle(lease, new Outcome.NotTried("not tried again yet: refused"));
            assertThat(queue.store.lease(10)).as("nothing is sent to anybody").isEmpty();
            queue.advance(Duration.ofSeconds(29));
            assertThat(queue.store.lease(1)).as("too soon").isEmpty();
            queue.advance(Duration.ofSeconds(1));
        }
        assertThat(find(id).reason()).endsWith("451 4.3.0 busy");
        assertThat(settlement.deferred().sum()).isEqualTo(1);
        // Its own attempt does it.
        settlement.settle(lease(), BUSY);
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.RETURNED);
        assertThat(text(lease())).contains("Status: 4.4.7");
    }

    @Test
    void theFirstAttemptIsNotTheLast() throws IOException {
        QueueId id = queue.enqueue("b@y.example");
        queue.advance(Duration.ofDays(6));
        settlement(SELDOM).settle(lease(), BUSY);
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.DEFERRED);
        queue.advance(Duration.ofDays(4));
        settlement(SELDOM).settle(lease(), BUSY);
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.RETURNED);
    }

    /** It was given up at its second attempt. */
    @Test
    void aClockThatJumpsAheadLeavesADayOfAttempts() throws IOException {
        QueueId id = queue.enqueue("b@y.example");
        Settlement settlement = settlement(Map.of("delivery.delay-warning", "0s"));
        settlement.settle(lease(), BUSY);
        queue.advance(Duration.ofDays(60));
        Instant jumped = queue.clock().instant();
        while (find(id).state() != QueuedMessage.State.RETURNED) {
            settlement.settle(lease(), BUSY);
            queue.advance(Duration.ofHours(4));
        }
        assertThat(Duration.between(jumped, queue.clock().instant()))
                .isEqualTo(Duration.ofHours(28));
    }

    /** Whoever asks for an attempt gets one more after it, over a restart too. */
    @Test
    void whatAnOperatorAsksForIsNotGivenUpAtOnce() throws IOException {
        QueueId id = queue.enqueue("b@y.example");
        Settlement settlement = settlement(SELDOM);
        settlement.settle(lease(), BUSY);
        queue.advance(Duration.ofDays(6));
        assertThat(queue.store.retry(id)).isTrue();
        Lease asked = lease();
        assertThat(asked.askedFor()).isTrue();
        settlement.settle(asked, BUSY);
        assertThat(find(id).dueAt()).isEqualTo(queue.clock().instant().plus(Duration.ofDays(4)));
        queue.advance(Duration.ofDays(4));
        Lease last = lease();
        assertThat(last.askedFor()).isFalse();
        settlement.settle(last, BUSY);
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.RETURNED);
    }

    @Test
    void anOldDeadLetterThatIsAskedForIsNotDeadAgainAtOnce() throws IOException {
        QueueId id = queue.enqueue("b@y.example");
        Settlement settlement = settlement(Map.of("delivery.notifications", "false"));
        settlement.settle(lease(), REFUSED);
        queue.advance(Duration.ofDays(60));
        assertThat(queue.store.retry(id)).isTrue();
        settlement.settle(lease(), BUSY);
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.DEFERRED);
        assertThat(find(id).attempts()).isEqualTo(2);
    }

    @Test
    void whatIsTooOldComesBack() throws IOException {
        QueueId id = queue.enqueue("a@x.example", "b@y.example", "c@y.example");
        settlement(SELDOM).settle(lease(), BUSY);
        queue.advance(Duration.ofDays(5));
        Lease lease = lease();
        settlement(SELDOM).settle(lease, BUSY);
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.RETURNED);
        assertThat(text(lease()))
                .contains("Status: 4.4.7", "b@y.example", "c@y.example", "451 4.3.0 busy");
    }

    @Test
    void aNotificationIsNeverAnswered() throws IOException {
        QueueId id = queue.enqueue("", "b@y.example");
        Settlement settlement = settlement(Map.of("delivery.delay-warning", "1ms"));
        Lease lease = lease();
        queue.advance(Duration.ofMinutes(1));
        settlement.settle(lease, BUSY);
        queue.advance(Duration.ofMinutes(5));
        settlement.settle(lease(), REFUSED);
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.DEAD);
        assertThat(find(id).reason()).contains("550 5.1.1 nobody here");
        assertThat(find(id).attempts()).isEqualTo(2);
        assertThat(queue.store.lease(1)).isEmpty();
        assertThat(queue.store.retry(id)).isTrue();
        assertThat(text(lease())).contains("body");
        assertThat(settlement.dead().sum()).isEqualTo(1);
    }

    @Test
    void aDeadLetterThatIsTriedAgainIsTriedForWhomItWasRefused() throws IOException {
        QueueId id = queue.enqueue("a@x.example", "a@y.example", "b@y.example");
        Settlement settlement = settlement(Map.of("delivery.notifications", "false"));
        settlement.settle(
                lease(),
                new Outcome.Partial(
                        List.of(RecipientResult.DELIVERED, RecipientResult.failed("550 no"))));
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.DEAD);
        assertThat(queue.store.retry(id)).isTrue();
        Lease again = lease();
        assertThat(again.result(0).isOpen()).isFalse();
        assertThat(again.result(1).isOpen()).isTrue();
    }

    @Test
    void withoutNotificationsThereAreDeadLetters() throws IOException {
        QueueId id = queue.enqueue("b@y.example");
        settlement(Map.of("delivery.notifications", "false")).settle(lease(), REFUSED);
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.DEAD);
    }

    @Test
    void aFailureIsNotFinalBeforeTheSenderIsSureToBeTold() throws IOException {
        QueueId id = queue.enqueue("b@y.example");
        Lease lease = lease();
        queue.store.stopAccepting();
        settlement(Map.of()).settle(lease, REFUSED);
        QueuedMessage message = find(id);
        assertThat(message.state()).isEqualTo(QueuedMessage.State.DEFERRED);
        assertThat(message.reason()).contains("notification", "550 5.1.1 nobody here");
        queue.advance(Duration.ofMinutes(5));
        assertThat(lease().result(0).isOpen()).isTrue();
    }

    @Test
    void aDelayIsToldOnce() throws IOException {
        QueueId id = queue.enqueue("b@y.example");
        Settlement settlement = settlement(Map.of("delivery.delay-warning", "4h"));
        settlement.settle(lease(), BUSY);
        assertThat(find(id).results()).isEmpty();
        queue.advance(Duration.ofHours(4));
        settlement.settle(lease(), BUSY);
        assertThat(text(lease()))
                .contains(
                        "Action: delayed",
                        "Status: 4.3.0",
                        "Will-Retry-Until: Wed, 25 Nov 2026 12:00:00 +0000");
        queue.advance(Duration.ofHours(8));
        Lease late = lease();
        assertThat(late.id()).isEqualTo(id);
        assertThat(late.result(0).state()).isEqualTo(RecipientResult.State.DELAYED);
        settlement.settle(late, BUSY);
        assertThat(queue.store.lease(1)).isEmpty();
    }

    @Test
    void whatIsAnsweredWhenTheHubStopsCountsAndTheRestIsDueAtOnce() throws IOException {
        QueueId id = queue.enqueue("a@x.example", "a@y.example", "b@y.example");
        Settlement settlement = settlement(Map.of());
        settlement.abort();
        settlement.settle(
                lease(),
                new Outcome.Partial(
                        List.of(RecipientResult.DELIVERED, RecipientResult.pending("closed"))));
        Lease rest = lease();
        assertThat(rest.id()).isEqualTo(id);
        assertThat(rest.result(0).isOpen()).isFalse();
        settlement.settle(rest, BUSY);
        assertThat(lease().attempts()).isEqualTo(1);
    }

    private Settlement settlement(Map<String, String> settings) {
        return new Settlement(
                queue.store,
                DeliverySettings.read(new Settings(settings)),
                queue.tracking,
                new ResidenceHistogram(),
                queue.clock());
    }

    /** What was settled before is committed by then. */
    private Lease lease() throws IOException {
        var unused = queue.store.find(new QueueId(0));
        List<Lease> due = queue.store.lease(1);
        assertThat(due).hasSize(1);
        return due.getFirst();
    }

    private QueuedMessage find(QueueId id) {
        return queue.store.find(id).orElseThrow();
    }

    private static String text(Lease lease) throws IOException {
        try (InputStream content = lease.openContent()) {
            return new String(content.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static String text(BodyPart part) throws Exception {
        try (InputStream content = part.getInputStream()) {
            return new String(content.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
