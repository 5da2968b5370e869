package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Recipients that are checked: commands behind RCPT wait for the answer, and a refusal is a 550. Method: a
 * check that answers at once, when the test says so, or never.
 */
final class RecipientCheckTest {
    private static final String COMMANDS = """
            EHLO c\r
            MAIL FROM:<a@b>\r
            RCPT TO:<yes@d>\r
            RCPT TO:<no@d>\r
            RCPT TO:<nonsense>\r
            DATA\r
            x\r
            .\r
            NOOP\r
            """;

    private final ArrayDeque<Runnable> held = new ArrayDeque<>();
    private final MemoryIntake intake = new MemoryIntake();

    private static Optional<String> answerFor(String forwardPath) {
        return forwardPath.startsWith("no@")
                ? Optional.of("550 no\u0007body\r\n250 here")
                : Optional.empty();
    }

    private void later(String forwardPath, Consumer<Optional<String>> listener) {
        held.add(() -> listener.accept(answerFor(forwardPath)));
    }

    private static void holds(String replies, Peer peer) {
        assertThat(replies.lines().skip(8).map(line -> line.substring(0, 9)))
                .containsExactly(
                        "250 2.1.0",
                        "250 2.1.5",
                        "550 5.1.1",
                        "501 5.1.3",
                        "354 go ah",
                        "250 2.0.0",
                        "250 2.0.0");
        assertThat(replies).contains("550 5.1.1 550 no?body??250 here\n");
        assertThat(peer.intake.messages().get(0).envelope().forwardPaths())
                .containsExactly("yes@d");
        assertThat(peer.service.counters().recipientsRefused.sum()).isOne();
    }

    @Test
    void anAnswerAtOnce() {
        try (Peer peer = new Peer(intake, (path, listener) -> listener.accept(answerFor(path)))) {
            holds(peer.send(COMMANDS), peer);
        }
    }

    @Test
    void anAnswerThatComesLater() {
        try (Peer peer = new Peer(intake, this::later)) {
            StringBuilder replies = new StringBuilder(peer.send(COMMANDS));
            assertThat(replies).endsWith("250 2.1.0 sender ok\n");
            for (int i = 0; i < 2; i++) {
                assertThat(held).hasSize(1);
                held.remove().run();
                replies.append(peer.replies());
            }
            holds(replies.toString(), peer);
        }
    }

    @Test
    void whoHasGoneIsNotAnswered() {
        try (Peer peer = new Peer(intake, this::later)) {
            peer.send(COMMANDS);
            var unused = peer.channel.close();
            held.remove().run();
            assertThat(peer.replies()).isEmpty();
        }
    }

    @Test
    @Tag("faults")
    void aCheckThatThrowsEndsTheConnection() {
        RecipientCheck faulty = (path, listener) -> {
            throw new IllegalStateException("a test's check");
        };
        try (Peer peer = new Peer(intake, faulty)) {
            assertThat(peer.send(COMMANDS)).endsWith(Reply.FAULT + "\n");
            assertThat(peer.isOpen()).isFalse();
        }
    }
}
