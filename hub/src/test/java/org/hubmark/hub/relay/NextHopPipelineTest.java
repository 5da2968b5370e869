package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.hub.ScriptedHop;
import org.hubmark.hub.TestAgents;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Messages one behind the other over one connection: each gets its own outcome, whatever becomes of the one
 * before it and of the connection. Against scripted next hops, which say nothing until they have read
 * what a test says was sent ahead.
 */
final class NextHopPipelineTest {
    private static final String CONTENT = "Subject: x\r\n\r\n";
    private static final Outcome DELIVERED = new Outcome.Delivered();
    private static final String[] GREETING = TestAgents.greeting("PIPELINING");
    private static final String[] FIRST = {"MAIL", "250 ok", "RCPT", "250 ok"};
    private static final String[] TAKEN = TestAgents.script(FIRST, "DATA", "354 go", ".", "250 x");
    private static final String[] BEGINS =
            TestAgents.script(GREETING, FIRST, "DATA", "354 go", ".");
    private static final String[] LMTP = {"220 hi", "LHLO", "250-x", "250 PIPELINING"};

    /** A further message, asked for before a word about the one before. */
    private static final String[] AHEAD = {"RSET", "MAIL", "RCPT", "DATA"};

    /** The answers to its envelope. */
    private static final String[] ANSWERS = {"250 reset", "250 mail", "250 rcpt"};

    /** RFC 2920 3.1: DATA ends a group, and the end of content may begin the next. */
    @Test
    void theNextEnvelopeGoesAheadOfTheAnswer() throws Exception {
        String[] script = TestAgents.script(
                BEGINS,
                AHEAD,
                "250 one",
                ANSWERS,
                "354 go",
                ".",
                AHEAD,
                "250 two",
                ANSWERS,
                "354 go",
                ".",
                "250 three");
        try (ScriptedHop hop = ScriptedHop.start(script);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(deliver(agent, messages(3)).values())
                    .containsExactly(DELIVERED, DELIVERED, DELIVERED);
            assertThat(hop.connections()).isEqualTo(1);
        }
    }

    @Test
    void nothingGoesAheadWithoutTheExtension() throws Exception {
        try (ScriptedHop hop = ScriptedHop.start(
                        TestAgents.script(TestAgents.greeting("X-NONE"), TAKEN, TAKEN));
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(deliver(agent, messages(2)).values()).containsExactly(DELIVERED, DELIVERED);
            assertThat(hop.received()).doesNotContain("RSET");
        }
    }

    /** The server is still in the transaction of the refused one, or thinks so, until the RSET. */
    @Test
    void aRefusalConcernsItsOwnMessage() throws Exception {
        String[] script = TestAgents.script(
                BEGINS,
                AHEAD,
                "250 one",
                "250 reset",
                "250 mail",
                "550 5.1.1 nobody",
                "503 5.5.1 no recipients",
                "RSET",
                "250 reset",
                FIRST,
                "DATA",
                "354 go",
                ".",
                AHEAD,
                "554 5.6.0 never",
                ANSWERS,
                "354 go",
                ".",
                "250 four");
        try (ScriptedHop hop = ScriptedHop.start(script);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            List<Outcome> outcomes = List.copyOf(deliver(agent, messages(4)).values());
            assertThat(outcomes.get(0)).isEqualTo(DELIVERED);
            assertThat(reason(outcomes.get(1))).endsWith("550 5.1.1 nobody");
            assertThat(reason(outcomes.get(2))).endsWith("554 5.6.0 never");
            assertThat(outcomes.get(3)).isEqualTo(DELIVERED);
            assertThat(hop.connections()).isEqualTo(1);
        }
    }

    /** Exim would cut it at the eleventh RSET behind a refusal, and with it the answers to what it has taken. */
    @Test
    void aConnectionCarriesNoMoreAfterAFewRefusals() throws Exception {
        String[] refused = {
            "MAIL",
            "250 ok",
            "RCPT",
            "550 5.1.1 nobody",
            "DATA",
            "503 5.5.1 no recipients",
            "RSET",
            "250 ok"
        };
        try (ScriptedHop hop = ScriptedHop.start(
                        TestAgents.script(GREETING, refused, refused, refused, refused, "QUIT"),
                        TestAgents.script(GREETING, TAKEN));
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            for (int i = 0; i < 4; i++) {
                assertThat(reason(
                                deliver(agent, messages(1)).values().iterator().next()))
                        .endsWith("550 5.1.1 nobody");
            }
            assertThat(deliver(agent, messages(1)).values()).containsExactly(DELIVERED);
            assertThat(hop.connections()).isEqualTo(2);
        }
    }

    /** Nobody has it: it is sent again, and the next hop gets no envelope ahead for a while. */
    @Test
    void whatWasSentAndNotAnsweredGoesOverAnotherConnection() throws Exception {
        String[] breaks = TestAgents.script(BEGINS, AHEAD, "250 one", "250 reset", "close");
        try (ScriptedHop hop = ScriptedHop.start(
                        breaks, TestAgents.script(GREETING, TAKEN, TAKEN, TAKEN));
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(deliver(agent, messages(2)).values()).containsExactly(DELIVERED, DELIVERED);
            assertThat(deliver(agent, messages(2)).values()).containsExactly(DELIVERED, DELIVERED);
            assertThat(hop.connections()).isEqualTo(2);
        }
    }

    /** What was answered to the message itself decides, as for one that is alone on a connection. */
    @Test
    void whatWasAnsweredInPartIsDeferred() throws Exception {
        String[] breaks =
                TestAgents.script(BEGINS, AHEAD, "250 one", "250 reset", "250 mail", "close");
        try (ScriptedHop hop = ScriptedHop.start(breaks, GREETING);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            List<Outcome> outcomes = List.copyOf(deliver(agent, messages(2)).values());
            assertThat(outcomes.get(0)).isEqualTo(DELIVERED);
            assertThat(outcomes.get(1))
                    .isInstanceOfSatisfying(
                            Outcome.Deferred.class,
                            later -> assertThat(later.reason()).endsWith("closed the connection"));
            assertThat(hop.connections()).isEqualTo(1);
        }
    }

    /** RFC 5321 3.8: after 421 the server looks at nothing any more, so nothing of it was taken. */
    @ParameterizedTest
    @ValueSource(strings = {"RSET", "MAIL", "."})
    void whatComesBehindAGoodbyeGoesOverAnotherConnection(String where) throws Exception {
        String goodbye = "421 4.7.0 enough";
        String[] first = switch (where) {
            case "RSET" -> TestAgents.script(BEGINS, AHEAD, "250 one", goodbye, "close");
            case "MAIL" ->
                TestAgents.script(BEGINS, AHEAD, "250 one", "250 reset", goodbye, "close");
            default ->
                TestAgents.script(
                        BEGINS, AHEAD, "250 one", ANSWERS, "354 go", ".", AHEAD, goodbye, "close");
        };
        String[] two =
                TestAgents.script(BEGINS, AHEAD, "250 two", ANSWERS, "354 go", ".", "250 three");
        String[] one = TestAgents.script(GREETING, TAKEN, TAKEN);
        try (ScriptedHop hop = ScriptedHop.start(first, where.equals(".") ? one : two);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(deliver(agent, messages(3)).values())
                    .containsExactly(DELIVERED, DELIVERED, DELIVERED);
            assertThat(hop.connections()).isEqualTo(2);
        }
    }

    /** Our own side is wrong about one message; the ones around it are delivered. */
    @Test
    void aContentThatCantBeReadBreaksDownAlone() throws Exception {
        String[] script = TestAgents.script(BEGINS, AHEAD, "250 one", ANSWERS, "354 go");
        Lease sound = lease(2, CONTENT);
        Lease unreadable = new Lease(sound.id(), sound.envelope(), sound.sizeBytes(), 0, () -> {
            throw new IOException("checksum differs");
        });
        List<Lease> messages = new ArrayList<>(List.of(lease(1, CONTENT), unreadable));
        messages.add(lease(3, CONTENT));
        try (ScriptedHop hop = ScriptedHop.start(script, TestAgents.script(GREETING, TAKEN));
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            ListedDeliveries deliveries = ListedDeliveries.deliver(agent, messages);
            assertThat(deliveries.outcomes().values()).containsExactly(DELIVERED, DELIVERED);
            assertThat(deliveries.broken()).containsOnlyKeys(new QueueId(2));
            assertThat(deliveries.broken().get(new QueueId(2)))
                    .hasMessageContaining("checksum differs");
        }
    }

    @Test
    void lmtpAnswersForEachRecipientOfEachMessage() throws Exception {
        String[] begins = {"MAIL", "250", "RCPT", "250", "RCPT", "250", "DATA", "354 go", "."};
        String[] script = TestAgents.script(
                LMTP,
                begins,
                "RSET",
                "MAIL",
                "RCPT",
                "RCPT",
                "250 one a",
                "452 one b",
                "250 reset",
                "250 mail",
                "550 two a",
                "250 two b",
                "DATA",
                "354 go",
                ".",
                "250 two b");
        List<Lease> messages = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            messages.add(lease(i, CONTENT, "a@y.example", "b@y.example"));
        }
        try (ScriptedHop hop = ScriptedHop.start(script);
                NextHopAgent agent = TestAgents.agent(hop.lmtp())) {
            assertThat(deliver(agent, messages).values())
                    .extracting(outcome -> ((Outcome.Partial) outcome)
                            .results().stream()
                                    .map(result -> result.state().toString())
                                    .toList())
                    .containsExactly(
                            List.of("DELIVERED", "PENDING"), List.of("FAILED", "DELIVERED"));
        }
    }

    /** A reply too many anywhere before: 354 shows what answers what, and no refusal passes for a delivery. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void aReplyTooManyHidesNoRefusal(int where) throws Exception {
        List<String> answers =
                new ArrayList<>(List.of(TestAgents.script("250 one", ANSWERS, "354 go")));
        answers.add(where, "250 once more");
        String[] miscounts = TestAgents.script(BEGINS, AHEAD, answers.toArray());
        String[] again = TestAgents.script(BEGINS, "554 5.7.1 refused");
        try (ScriptedHop hop = ScriptedHop.start(miscounts, again);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            List<Lease> messages = messages(2);
            Map<QueueId, Outcome> outcomes = deliver(agent, messages);
            assertThat(outcomes.get(messages.get(0).id())).isEqualTo(DELIVERED);
            assertThat(outcomes.get(messages.get(1).id()))
                    .isInstanceOfAny(Outcome.Deferred.class, Outcome.Undeliverable.class);
        }
    }

    /** A connection on which something was said is not used again; by LMTP too. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsSaidUnaskedAnswersNoMessage(boolean lmtp) throws Exception {
        String[] begins = TestAgents.script(lmtp ? LMTP : GREETING, FIRST, "DATA", "354 go", ".");
        String[] chatty = TestAgents.script(begins, "250 taken\r\n250 once more");
        String[] refuses = TestAgents.script(begins, "554 5.7.1 refused");
        try (ScriptedHop hop = ScriptedHop.start(chatty, refuses);
                NextHopAgent agent = TestAgents.agent(lmtp ? hop.lmtp() : hop.smtp())) {
            assertThat(deliver(agent, messages(1)).values()).containsExactly(DELIVERED);
            assertThat(reason(agent.deliver(lease(2, CONTENT)))).endsWith("554 5.7.1 refused");
            assertThat(hop.connections()).isEqualTo(2);
        }
    }

    @Test
    void aReplyBeforeItsCommandEndsTheConnection() throws Exception {
        String[] script = TestAgents.script(
                TestAgents.greeting(),
                "MAIL",
                "250 mail",
                "RCPT",
                "250 rcpt\r\n250 rcpt again",
                "DATA");
        try (ScriptedHop hop = ScriptedHop.start(script);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(reason(deliver(agent, messages(1)).values().iterator().next()))
                    .endsWith("said 250 rcpt again without being asked");
            assertThat(hop.received()).doesNotContain("DATA");
        }
    }

    private static Map<QueueId, Outcome> deliver(NextHopAgent agent, List<Lease> messages) {
        ListedDeliveries deliveries = ListedDeliveries.deliver(agent, messages);
        assertThat(deliveries.broken()).isEmpty();
        return deliveries.outcomes();
    }

    private static List<Lease> messages(int count) {
        List<Lease> messages = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            messages.add(lease(i, CONTENT));
        }
        return messages;
    }

    private static Lease lease(long id, String content, String... recipients) {
        Lease lease = TestAgents.lease(
                content, recipients.length == 0 ? new String[] {"b@y.example"} : recipients);
        return new Lease(new QueueId(id), lease.envelope(), lease.sizeBytes(), 0, lease.content());
    }

    private static String reason(@Nullable Outcome outcome) {
        return switch (outcome) {
            case null -> "none";
            case Outcome.Deferred later -> later.reason();
            case Outcome.NotTried none -> none.reason();
            case Outcome.Undeliverable never -> never.reason();
            case Outcome.Delivered all -> "delivered";
            case Outcome.Partial each -> each.toString();
        };
    }
}
