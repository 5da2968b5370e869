package org.hubmark.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Each fault happens when it was asked for, to whom it was meant for, and to nobody after that. */
@ExtendWith(HubExtension.class)
final class FaultsTest {
    private static final List<String> TO = List.of("b@example.org");
    private static final Duration WAIT_MAX = Duration.ofMinutes(1);
    private static final String MAIL = "MAIL FROM:<a@example.org>";

    @Test
    void theThirdMailGets451(TestHub hub) {
        hub.faults().answer("mail", 3, "451 4.3.0 try later");
        try (SmtpDialogue client = hub.dialogue();
                SmtpDialogue other = hub.dialogue()) {
            assertThat(client.send("1@example.org", TO, "one")).startsWith("250 2.0.0 queued");
            assertThat(other.send("2@example.org", TO, "two")).startsWith("250 2.0.0 queued");
            assertThat(client.offer("3@example.org", TO, "three")).isEqualTo("451 4.3.0 try later");
            assertThat(client.send("3@example.org", TO, "three")).startsWith("250 2.0.0 queued");
        }
        assertThat(hub.await(3)).hasSize(3);
    }

    @Test
    void aConnectionIsCutAfterFourKilobytesOfData(TestHub hub) {
        hub.faults().cutContent(4096);
        try (SmtpDialogue client = hub.dialogue()) {
            String content = "x".repeat(70) + "\n";
            assertThat(client.send("a@example.org", TO, content)).startsWith("250");
            hub.await(1);
            assertThatThrownBy(() -> client.send("a@example.org", TO, content.repeat(100)))
                    .isInstanceOf(UncheckedIOException.class);
        }
        try (SmtpDialogue client = hub.dialogue()) {
            String reply = client.send("a@example.org", TO, ("\n" + "y".repeat(70)).repeat(100));
            assertThat(reply).startsWith("250");
        }
        assertThat(hub.await(2)).hasSize(2);
        assertThat(hub.messages().getLast().plainText()).contains("yyy");
    }

    @Test
    void theDiskIsFullAfterTenMegabytes(TestHub hub) {
        String megabyte = ("z".repeat(98) + "\n").repeat(10_000);
        hub.faults().fillDiskAfter(10_000_000);
        try (SmtpDialogue client = hub.dialogue()) {
            for (int i = 1; i <= 9; i++) {
                assertThat(client.send("a@example.org", TO, megabyte)).startsWith("250");
            }
            // The tenth doesn't fit since each has the hub's Received field too.
            assertThat(client.offer("a@example.org", TO, megabyte)).startsWith("452 4.3.1");
            assertThat(client.command(MAIL)).startsWith("452 4.3.1");
            hub.faults().clear();
            assertThat(client.command(MAIL)).startsWith("250");
        }
        assertThat(hub.await(9)).hasSize(9);
    }

    @Test
    void aSlowSyncDelaysTheReply(TestHub hub) {
        Duration delay = Duration.ofMillis(300);
        try (SmtpDialogue client = hub.dialogue()) {
            hub.faults().delaySyncs(delay);
            long startNanos = System.nanoTime();
            assertThat(client.send("a@example.org", TO, "slow")).startsWith("250");
            assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
                    .isGreaterThanOrEqualTo(delay);
        }
    }

    @Test
    void afterAFailedSyncNothingIsPromisedUntilACrash(TestHub hub) {
        hub.pauseDelivery();
        try (SmtpDialogue client = hub.dialogue()) {
            assertThat(client.send("1@example.org", TO, "Subject: kept\n\n")).startsWith("250");
            hub.faults().failSync(1);
            assertThat(client.offer("2@example.org", TO, "Subject: lost\n\n")).startsWith("421");
        }
        try (SmtpDialogue client = hub.dialogue()) {
            assertThat(client.offer("3@example.org", TO, "no")).startsWith("421");
        }
        hub.crash();
        hub.resumeDelivery();
        // The second was written and not promised, so it may be there or not, and come first.
        hub.await(
                "the message that was promised",
                messages ->
                        messages.stream().anyMatch(message -> message.subject().equals("kept")),
                WAIT_MAX);
        try (SmtpDialogue client = hub.dialogue()) {
            assertThat(client.send("4@example.org", TO, "yes")).startsWith("250");
        }
    }

    @Test
    void aDeferredDeliveryComesWhenTheClockSaysSo(TestHub hub) {
        hub.clock().stop();
        hub.faults().deferDelivery(1, "the destination is busy");
        QueueId id = send(hub);
        awaitState(hub, id, QueuedMessage.State.DEFERRED);
        hub.clock().advance(Duration.ofMinutes(5));
        assertThat(hub.await(1).getFirst().attempts()).isEqualTo(1);
    }

    /** Whether the first attempt has been made or is still to be made, and whatever the clock did before. */
    @RepeatedTest(10)
    void aClockThatIsMovedAtOnceMovesTheDueTimeToo(TestHub hub) {
        hub.faults().deferDelivery(1, "busy").deferDelivery(2, "still busy");
        send(hub);
        hub.clock().advance(Duration.ofHours(4));
        hub.clock().advance(Duration.ofHours(4));
        assertThat(hub.await(1).getFirst().attempts()).isEqualTo(2);
    }

    @Test
    void aClockIsMovedWhileDeliveriesArePaused(TestHub hub) {
        hub.pauseDelivery();
        send(hub);
        long startNanos = System.nanoTime();
        hub.clock().advance(Duration.ofHours(4));
        assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(WAIT_MAX);
        hub.resumeDelivery();
        assertThat(hub.await(1)).hasSize(1);
    }

    @Test
    void anAgentMayMoveTheClockItself() {
        CompletableFuture<TestHub> self = new CompletableFuture<>();
        HubOptions options = HubOptions.defaults().deliverTo(lease -> {
            assertThat(lease.envelope().reversePath()).isEqualTo("a@example.org");
            self.join().clock().advance(Duration.ofHours(1));
            return new Outcome.Delivered();
        });
        try (TestHub hub = TestHub.start(options)) {
            self.complete(hub);
            Instant before = hub.clock().instant();
            send(hub);
            hub.await(
                    "the agent's turn",
                    messages -> hub.clock().instant().isAfter(before.plusSeconds(3599)),
                    WAIT_MAX);
        }
    }

    @Test
    void aRefusedMessageFailsTheTestUnlessItAsksForTheReply(TestHub hub) {
        hub.faults().answer("RCPT", 1, "550 5.1.1 nobody there").failSync(1);
        try (SmtpDialogue client = hub.dialogue()) {
            assertThatThrownBy(() -> client.send("a@example.org", TO, "one"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessage("the server did not take the message: 550 5.1.1 nobody there");
            assertThatThrownBy(() -> client.send("a@example.org", TO, "two"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("421");
        }
    }

    @Test
    void aFailedDeliveryIsADeadLetterWithItsReason(TestHub hub) {
        hub.faults().failDelivery(1, "nobody there");
        QueueId id = send(hub);
        awaitState(hub, id, QueuedMessage.State.DEAD);
        assertThat(queued(hub, id).reason()).isEqualTo("nobody there");
    }

    private static void awaitState(TestHub hub, QueueId id, QueuedMessage.State expected) {
        hub.await(expected.name(), messages -> queued(hub, id).state() == expected, WAIT_MAX);
    }

    private static QueuedMessage queued(TestHub hub, QueueId id) {
        return hub.hub().store().orElseThrow().find(id).orElseThrow();
    }

    private static QueueId send(TestHub hub) {
        try (SmtpDialogue client = hub.dialogue()) {
            String reply = client.send("a@example.org", TO, "a message");
            assertThat(reply).startsWith("250 2.0.0 queued as ");
            return QueueId.parse(reply.substring(reply.lastIndexOf(' ') + 1));
        }
    }

    @Test
    void whatCanNeverHappenIsRefused(TestHub hub) {
        Faults faults = hub.faults();
        List<ThrowingCallable> impossible = List.of(
                () -> faults.answer("MAIL", 0, "451 4.3.0 try later"),
                () -> faults.answer("MAIL", 1, "later"),
                () -> faults.cutContent(-1),
                () -> faults.fillDiskAfter(-1),
                () -> faults.delaySyncs(Duration.ofSeconds(-1)),
                () -> faults.failSync(0),
                () -> faults.deferDelivery(0, "busy"),
                () -> faults.failDelivery(0, "nobody there"),
                () -> hub.await(-1));
        assertThat(impossible)
                .allSatisfy(call -> assertThatIllegalArgumentException().isThrownBy(call));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> faults.answer("BDAT", 1, "451 4.3.0 no"))
                .withMessageContaining("is not one of HELO, EHLO, MAIL");
    }
}
