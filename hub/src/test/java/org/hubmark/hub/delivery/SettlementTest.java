package org.hubmark.hub.delivery;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.hubmark.hub.LogLines;
import org.hubmark.hub.TestStore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
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
    private static final Map<String, String> SELDOM = Map.of(
            "delivery.retry-min", "96h",
            "delivery.retry-max", "96h",
            "delivery.next-hop-retry", "30s");

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
        List<RecipientResult> results = List.of(
                RecipientResult.DELIVERED,
                RecipientResult.failed("550 5.1.1 nobody"),
                RecipientResult.pending("451 4.2.1 later"));
        settlement.settle(lease(), new Outcome.Partial(results));
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.DEFERRED);
        assertThat(find(id).reason()).isEqualTo("451 4.2.1 later");
        assertThat(find(id).results())
                .extracting(RecipientResult::state)
                .containsExactlyElementsOf(
                        results.stream().map(RecipientResult::state).toList());
        Lease notification = lease();
        assertThat(text(notification)).contains("Final-Recipient: rfc822; b@y.example");

        queue.advance(Duration.ofMinutes(5));
        Lease second = lease();
        assertThat(second.id()).isEqualTo(id);
        assertThat(second.results())
                .extracting(RecipientResult::isOpen)
                .containsExactly(false, false, true);
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
        assertThat(text(lease()))
                .containsPattern("\nReporting-MTA: dns; (?:\\[[0-9a-f:.]+]|[^.\r]+\\.[^\r]+)\r\n");
    }

    @Test
    void theSenderGetsAReportThatProgramsCanRead() throws Exception {
        QueueId id = queue.enqueue("b@y.example");
        settlement(Map.of("smtp.host-name", "hub.example")).settle(lease(), REFUSED);
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.RETURNED);
        Lease notification = lease();
        assertThat(notification.envelope().reversePath()).isEmpty();
        assertThat(notification.envelope().forwardPaths()).containsExactly("a@x.example");
        MimeMessage message =
                new MimeMessage(Session.getInstance(new Properties()), notification.openContent());
        assertThat(message.getHeader("Auto-Submitted")).containsExactly("auto-replied");
        assertThat(message.getHeader("To")).containsExactly("<a@x.example>");
        assertThat(message.getHeader("From")[0]).contains("<MAILER-DAEMON@hub.example>");
        assertThat(message.getContentType())
                .startsWith("multipart/report; report-type=delivery-status");
        MimeMultipart parts = (MimeMultipart) message.getContent();
        assertThat(parts.getCount()).isEqualTo(3);
        assertThat(text(parts.getBodyPart(0)))
                .contains("<b@y.example>:", "    smtp://mx", "550 5.1.1 nobody here");
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
        QueueId id = queue.enqueue("b@y.example");
        Settlement settlement = settlement(Map.of());
        try (LogLines log = new LogLines(MinuteLog.class)) {
            settlement.settle(lease(), REFUSED);
            settlement.settle(lease(), REFUSED);
            assertThat(log.lines())
                    .containsExactly(
                            "messages became dead letters, since their senders could not be"
                                    + " notified (see 'hubmark queue retry'): "
                                    + id + ": smtp://mx.y.example:25: 550 5.1.1 nobody here");
        }
        assertThat(queue.messages()).extracting(QueuedMessage::id).containsExactly(id);
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.DEAD);
        assertThat(settlement.dead().sum()).isEqualTo(1);
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

    /** The class is that of the reply, whatever code a server puts behind it. An address is a literal (RFC 5321 4.1.3). */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "failed  | smtp://[::1]:25: 550 no            | Remote-MTA: dns; [IPv6:::1]",
                "failed  | smtp://127.0.0.1:2525: 550 no      | Remote-MTA: dns; [127.0.0.1]",
                "failed  | lmtp://mx1.y.example:24: 550 no    | Remote-MTA: dns; mx1.y.example",
                "failed  | smtp://m:25: 550 5.1.1 nobody      | Status: 5.1.1",
                "failed  | smtp://m:25: 550 2.1.5 nobody      | Status: 5.0.0",
                "failed  | smtp://m:25: 554 4.2.2 mailbox full| Status: 5.2.2",
                "failed  | smtp://m:25: 550 nobody            | Status: 5.0.0",
                "failed  | smtp://m:25: 550                   | Status: 5.0.0",
                "failed  | smtp://m:25: 550 5.1 nobody        | Status: 5.0.0",
                "failed  | smtp://m:25: 550 10.1.1 nobody     | Status: 5.0.0",
                "failed  | smtp://m:25: 550 5.1.1.1 nobody    | Status: 5.0.0",
                "failed  | smtp://m:25: 550 5.1.1nobody       | Status: 5.0.0",
                "failed  | smtp://m:25: 550 5.1.1             | Status: 5.1.1",
                "failed  | smtp://m:25: 550 5.1000.1 nobody   | Status: 5.0.0",
                "failed  | smtp://m:25: 550 5.01.1 nobody     | Status: 5.0.0",
                "failed  | smtp://m:25: 550 3.1.1 nobody      | Status: 5.0.0",
                "failed  | smtp://m:25: 5.6.3 not text        | Status: 5.6.3",
                "failed  | smtp://m:25: nobody                | Status: 5.0.0",
                "failed  | smtp://m:25: 5501 5.1.1 nobody     | Status: 5.0.0",
                "delayed | 451 4.3.0 busy                     | Status: 4.3.0",
                "delayed | 451 5.3.0 busy                     | Status: 4.3.0",
                "delayed | 451 2.0.0 busy                     | Status: 4.0.0",
                "delayed | can't be reached                   | Status: 4.0.0",
            })
    void aReportHasTheFields(String action, String reply, String field) throws IOException {
        queue.enqueue("b@y.example");
        Lease lease = lease();
        queue.advance(Duration.ofHours(1));
        settlement(Map.of("delivery.delay-warning", "1h"))
                .settle(
                        lease,
                        action.equals("failed")
                                ? new Outcome.Undeliverable(reply)
                                : new Outcome.Deferred(reply));
        assertThat(text(lease()))
                .contains("\r\nAction: " + action + "\r\nStatus: ", "\r\n" + field + "\r\n");
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

    /**
     * Attempts of a message: what comes of each, the state that it has then and how many attempts it had, and the
     * times between, in which nothing may be due. What was not tried is never given up, the first attempt is not the
     * last, a clock that jumps ahead leaves a day of attempts, and whoever asks for one gets another one after it. A
     * notification is never answered.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s@x.example | seldom  | +6d busy DEFERRED 1 +4d busy RETURNED",
                "s@x.example | seldom  | busy DEFERRED 1 +6d untried DEFERRED 1 none +29s none +1s"
                        + " untried DEFERRED 1 none +29s none +1s busy RETURNED",
                "s@x.example | seldom  | busy DEFERRED 1 +6d retry busy DEFERRED 2 +95h none +1h"
                        + " busy RETURNED",
                "s@x.example | default | busy DEFERRED 1 +60d busy DEFERRED 2 +4h busy DEFERRED 3 +4h"
                        + " busy DEFERRED 4 +4h busy DEFERRED 5 +4h busy DEFERRED 6 +4h"
                        + " busy DEFERRED 7 +4h busy RETURNED",
                "s@x.example | silent  | refused DEAD 1 none +60d retry busy DEFERRED 2 none",
                "''          | default | +1m busy DEFERRED 1 none +5m refused DEAD 2 none retry",
            })
    void isTriedAndGivenUp(String sender, String settings, String steps) throws IOException {
        QueueId id = queue.enqueue(sender, "b@y.example");
        Settlement settlement = settlement(
                switch (settings) {
                    case "seldom" -> SELDOM;
                    case "silent" -> Map.of("delivery.notifications", "false");
                    default -> Map.of("delivery.delay-warning", sender.isEmpty() ? "1ms" : "0s");
                });
        long deferred = 0;
        Iterator<String> words = List.of(steps.split(" ", -1)).iterator();
        while (words.hasNext()) {
            String word = words.next();
            switch (word) {
                case "none" -> assertThat(queue.store.lease(1)).isEmpty();
                case "retry" -> assertThat(queue.store.retry(id)).isTrue();
                case "busy", "refused", "untried" -> {
                    Lease lease = lease();
                    assertThat(lease.id()).isEqualTo(id);
                    settlement.settle(
                            lease,
                            switch (word) {
                                case "busy" -> BUSY;
                                case "refused" -> REFUSED;
                                default -> new Outcome.NotTried("not tried again yet: refused");
                            });
                    QueuedMessage.State state = QueuedMessage.State.valueOf(words.next());
                    assertThat(find(id).state()).isEqualTo(state);
                    assertThat(find(id).reason())
                            .endsWith(word.equals("refused") ? "nobody here" : "451 4.3.0 busy");
                    if (state == QueuedMessage.State.RETURNED) {
                        assertThat(text(lease())).contains("Status: 4.4.7");
                    } else {
                        assertThat(find(id).attempts()).isEqualTo(Integer.parseInt(words.next()));
                    }
                    deferred +=
                            word.equals("busy") && state != QueuedMessage.State.RETURNED ? 1 : 0;
                }
                default -> queue.advance(TestStore.time(word.substring(1)));
            }
        }
        assertThat(settlement.deferred().sum()).isEqualTo(deferred);
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
    void aDeadLetterThatIsTriedAgainIsTriedForWhomItWasRefused() throws IOException {
        QueueId id = queue.enqueue("a@x.example", "a@y.example", "b@y.example");
        Settlement settlement = settlement(Map.of("delivery.notifications", "false"));
        settlement.settle(lease(), partial(RecipientResult.failed("550 no")));
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.DEAD);
        assertThat(queue.store.retry(id)).isTrue();
        Lease again = lease();
        assertThat(again.result(0).isOpen()).isFalse();
        assertThat(again.result(1).isOpen()).isTrue();
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
        settlement.settle(lease(), partial(RecipientResult.pending("closed")));
        Lease rest = lease();
        assertThat(rest.id()).isEqualTo(id);
        assertThat(rest.result(0).isOpen()).isFalse();
        settlement.settle(rest, BUSY);
        assertThat(lease().attempts()).isEqualTo(1);
    }

    /** The first recipient has it. */
    private static Outcome partial(RecipientResult second) {
        return new Outcome.Partial(List.of(RecipientResult.DELIVERED, second));
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
        return new String(part.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
}
