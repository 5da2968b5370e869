package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.mail.BodyPart;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;

import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.core.RecipientResult;
import org.hubmark.core.Settings;
import org.hubmark.queue.QueuedMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
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

    @TempDir
    private Path folder;

    private TestStore queue;
    private TrackingLog tracking;

    @BeforeEach
    void open() throws IOException {
        queue = new TestStore(folder);
        tracking = TrackingLog.open(folder.resolve("tracking"), Settings.defaults());
    }

    @AfterEach
    void close() throws IOException {
        queue.close();
        tracking.close();
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
        assertThat(text(lease())).contains("Final-Recipient: rfc822; b@y.example");

        queue.advance(Duration.ofMinutes(5));
        Lease second = lease();
        assertThat(second.id()).isEqualTo(id);
        assertThat(second.result(0).isOpen()).isFalse();
        assertThat(second.result(1).isOpen()).isFalse();
        assertThat(second.result(2).isOpen()).isTrue();
        settlement.settle(second, new Outcome.Delivered());
        assertThat(queue.store.find(id)).isEmpty();
        assertThat(settlement.delivered().sum()).isEqualTo(1);
        assertThat(settlement.returned().sum()).isEqualTo(1);
        assertThat(settlement.dead().sum()).isZero();
    }

    @Test
    void theSenderGetsAReportThatProgramsCanRead() throws Exception {
        QueueId id = queue.enqueue("b@y.example");
        settlement(Map.of("delivery.host-name", "hub.example")).settle(lease(), REFUSED);
        assertThat(queue.store.find(id)).isEmpty();
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

    @Test
    void whatIsTooOldComesBack() throws IOException {
        QueueId id = queue.enqueue("a@x.example", "b@y.example", "c@y.example");
        Lease lease = lease();
        queue.advance(Duration.ofDays(5));
        settlement(Map.of()).settle(lease, BUSY);
        assertThat(queue.store.find(id)).isEmpty();
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
        assertThat(queue.store.lease(1)).isEmpty();
        assertThat(settlement.dead().sum()).isEqualTo(1);
    }

    @Test
    void aDeadLetterThatIsTriedAgainIsTriedForWhomItWasRefused() throws IOException {
        QueueId id = queue.enqueue("", "a@y.example", "b@y.example");
        Settlement settlement = settlement(Map.of());
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
                tracking,
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
