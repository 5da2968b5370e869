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
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;

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

    @AutoClose
    private TestStore queue;

    @BeforeEach
    void open() throws IOException {
        queue = new TestStore(folder);
    }

    static Stream<Arguments> settlements() throws IOException {
        String all = new String(
                Objects.requireNonNull(SettlementTest.class.getResourceAsStream("settlements.txt"))
                        .readAllBytes(),
                StandardCharsets.UTF_8);
        return Stream.of(all.split("(?m)^== ", -1)).skip(1).flatMap(one -> {
            String[] parts = one.split("\n", 2);
            String[] name = parts[0].split(": ", 2);
            return Stream.of((name.length == 1 ? "" : name[1]).split(" / ", -1))
                    .map(each -> Arguments.of(name[0] + " " + each, parts[1].replace("$1", each)));
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("settlements")
    void comesOutAsTheTableSays(String name, String steps) throws IOException {
        Map<String, String> settings = new HashMap<>();
        steps.lines().filter(line -> line.startsWith("with ")).forEach(line -> {
            String[] entry = line.substring(5).split("=", 2);
            settings.put(entry[0], entry[1]);
        });
        Steps under = new Steps(settlement(settings));
        for (String line : steps.lines().toList()) {
            if (!line.startsWith("#")) {
                under.step(line, line.split(" ", 3));
            }
        }
    }

    private final class Steps {
        private final Settlement settlement;
        private final Map<String, Lease> taken = new HashMap<>();
        private QueueId id = new QueueId(0);

        private Steps(Settlement settlement) {
            this.settlement = settlement;
        }

        private void step(String line, String... words) throws IOException {
            switch (words[0]) {
                case "", "with" -> {}
                case "send" ->
                    id = queue.enqueue(words[1].replace("-", ""), words[2].split(" ", -1));
                case "attempt" -> {
                    Lease lease = lease();
                    assertThat(lease.id()).isEqualTo(id);
                    settle(lease, line.substring(8));
                }
                case "take" -> taken.put(words[1], lease());
                case "settle" -> settle(taken(words[1]), words[2]);
                case "has" ->
                    assertThat(text(taken(words[1]))).contains(words[2].translateEscapes());
                case "report" -> {
                    Lease lease = lease();
                    queue.advance(Duration.ofHours(1));
                    String[] sides = line.substring(7).split(" => ", 2);
                    settlement.settle(lease, outcome(sides[0]));
                    String action = words[1].equals("failed") ? "failed" : "delayed";
                    assertThat(text(lease()))
                            .contains("\r\nAction: " + action + "\r\nStatus: ")
                            .contains("\r\n" + sides[1] + "\r\n");
                }
                case "open" -> {
                    Lease lease = taken(words[1]);
                    String[] open = words[2].split(" ", -1);
                    for (int i = 0; i < open.length; i++) {
                        assertThat("" + lease.result(i).isOpen()).isEqualTo(open[i]);
                    }
                }
                case "none" -> assertThat(queue.store.lease(1)).isEmpty();
                case "retry" -> assertThat(queue.store.retry(id)).isTrue();
                case "kept" ->
                    assertThat(find(id).results())
                            .extracting(result -> result.state().toString())
                            .containsExactly(
                                    line.equals("kept")
                                            ? new String[0]
                                            : line.substring(5).split(" ", -1));
                case "counted" ->
                    assertThat(settlement.delivered() + " " + settlement.deferred() + " "
                                    + settlement.returned() + " " + settlement.dead())
                            .isEqualTo(line.substring(8));
                case "empty" -> assertThat(queue.messages()).isEmpty();
                case "abort" -> settlement.abort();
                case "full" -> queue.store.stopAccepting();
                default -> queue.advance(TestStore.time(line.substring(1)));
            }
        }

        private Lease taken(String name) {
            return Objects.requireNonNull(taken.get(name));
        }

        private void settle(Lease lease, String step) {
            String[] sides = step.split(" => ", 2);
            settlement.settle(lease, outcome(sides[0]));
            String became = queue.store
                    .find(id)
                    .map(message ->
                            message.state() + " " + message.attempts() + " " + message.reason())
                    .orElse("gone");
            assertThat(became).matches("\\Q" + sides[1].replace("*", "\\E.*\\Q") + "\\E\\b.*");
        }

        private static Outcome outcome(String text) {
            String[] words = text.split(" ", 2);
            return switch (words[0]) {
                case "delivered" -> new Outcome.Delivered();
                case "busy" -> BUSY;
                case "refused" -> REFUSED;
                case "untried" -> new Outcome.NotTried("not tried again yet: refused");
                case "failed" -> new Outcome.Undeliverable(words[1]);
                case "deferred" -> new Outcome.Deferred(words[1]);
                default ->
                    new Outcome.Partial(Stream.of(text.split(" & ", -1))
                            .map(each -> each.split(" ", 2))
                            .map(each -> new RecipientResult(
                                    RecipientResult.State.valueOf(each[0]),
                                    each.length == 1 ? "" : each[1]))
                            .toList());
            };
        }
    }

    @Test
    void aDeadLetterWhoseSenderCannotBeToldIsLogged() throws IOException {
        QueueId id = queue.enqueue("b@y.example");
        Settlement settlement = settlement(Map.of());
        try (LogLines log = new LogLines(MinuteLog.class)) {
            settlement.settle(lease(), REFUSED);
            settlement.settle(lease(), REFUSED);
            assertThat(log.lines())
                    .containsExactly(
                            "messages became dead letters, since their senders could not be"
                                    + " notified (see 'hubmark queue retry'): " + id
                                    + ": smtp://mx.y.example:25: 550 5.1.1 nobody here");
        }
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
