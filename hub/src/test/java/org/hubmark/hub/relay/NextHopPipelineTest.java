package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.hub.ScriptedHop;
import org.hubmark.hub.TestAgents;
import org.hubmark.hub.delivery.DeliverySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Several messages under way over one connection: each gets its own outcome, whatever becomes of those
 * before it and of the connection. Against scripted next hops, which say nothing until they have read
 * what a test says was sent ahead.
 */
final class NextHopPipelineTest {
    private static final String CONTENT = "Subject: x\r\n\r\n";
    private static final Outcome DELIVERED = new Outcome.Delivered();
    private static final String[] CHUNKS = TestAgents.greeting("PIPELINING", "CHUNKING");
    private static final String[] FIRST = {"MAIL", "250 ok", "RCPT", "250 ok"};
    private static final String[] BEGINS = TestAgents.script(CHUNKS, FIRST);
    private static final String[] LMTP = {
        "220 hi", "LHLO", "250-x", "250-CHUNKING", "250 PIPELINING"
    };

    /** A further message, asked for before a word about the one before. */
    private static final String[] AHEAD = {"RSET", "MAIL", "RCPT", "BDAT"};

    /** The answers to its envelope. */
    private static final String[] ANSWERS = {"250 reset", "250 mail", "250 rcpt"};

    /** A message behind another is asked for without an answer to that one, and taken. */
    @Test
    void byChunksEverythingGoesAheadOfTheAnswers() throws Exception {
        String[] script = TestAgents.script(BEGINS, "BDAT", AHEAD, "250 one", ANSWERS, "250 two");
        try (ScriptedHop hop = ScriptedHop.start(script);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(deliver(agent, messages(2)).values()).containsExactly(DELIVERED, DELIVERED);
            assertThat(hop.connections()).isEqualTo(1);
        }
    }

    /** RFC 2920 3.1: DATA ends a group, and the end of content may begin the next. */
    @Test
    void byDataTheNextEnvelopeGoesAheadOfTheAnswer() throws Exception {
        String[] script = TestAgents.script(
                TestAgents.greeting("PIPELINING"),
                FIRST,
                "DATA",
                "354 go",
                ".",
                "RSET",
                "MAIL",
                "RCPT",
                "DATA",
                "250 one",
                ANSWERS,
                "354 go",
                ".",
                "250 two");
        try (ScriptedHop hop = ScriptedHop.start(script);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(deliver(agent, messages(2)).values()).containsExactly(DELIVERED, DELIVERED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CHUNKING", "PIPELINING"})
    void nothingGoesAheadWithoutTheExtensionOrOneByOne(String extension) throws Exception {
        boolean pipelines = extension.equals("PIPELINING");
        String[] taken = pipelines
                ? TestAgents.script(FIRST, "DATA", "354 go", ".", "250 taken")
                : TestAgents.script(FIRST, "BDAT", "250 taken");
        try (ScriptedHop hop = ScriptedHop.start(
                        TestAgents.script(TestAgents.greeting(extension), taken, taken));
                NextHopAgent agent = TestAgents.agent(
                        TestAgents.settings("delivery.pipeline-max", pipelines ? "1" : "16"),
                        DeliverySpec.Tls.NONE,
                        hop.smtp())) {
            assertThat(deliver(agent, messages(2)).values()).containsExactly(DELIVERED, DELIVERED);
            assertThat(hop.received()).doesNotContain("RSET");
        }
    }

    /** The server is still in the transaction of the refused one, or thinks so, until the RSET. */
    @Test
    void aRefusalConcernsItsOwnMessage() throws Exception {
        String[] script = TestAgents.script(
                BEGINS,
                "BDAT",
                AHEAD,
                AHEAD,
                "250 one",
                "250 reset",
                "250 mail",
                "550 5.1.1 nobody",
                "503 5.5.1 no recipients",
                ANSWERS,
                "554 5.6.0 never",
                // Nothing is behind it: the RSET is its own.
                "RSET",
                "250 reset",
                FIRST,
                "BDAT",
                "250 four");
        try (ScriptedHop hop = ScriptedHop.start(script);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            List<Outcome> outcomes = List.copyOf(deliver(agent, messages(3)).values());
            assertThat(outcomes.get(0)).isEqualTo(DELIVERED);
            assertThat(reason(outcomes.get(1))).endsWith("550 5.1.1 nobody");
            assertThat(reason(outcomes.get(2))).endsWith("554 5.6.0 never");
            assertThat(deliver(agent, messages(1)).values()).containsExactly(DELIVERED);
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
        String[] greeting = TestAgents.greeting("PIPELINING");
        try (ScriptedHop hop = ScriptedHop.start(
                        TestAgents.script(greeting, refused, refused, refused, refused, "QUIT"),
                        TestAgents.script(greeting, FIRST, "DATA", "354 go", ".", "250 taken"));
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

    /** Whether it was taken nobody knows: it is sent again, and the next hop isn't given as much at once. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatWasSentAndNotAnsweredGoesOverAnotherConnection(int lost) throws Exception {
        String[] ahead = lost == 1 ? AHEAD : TestAgents.script(AHEAD, AHEAD);
        String[] breaks = TestAgents.script(BEGINS, "BDAT", ahead, "250 one", "250 reset", "close");
        String[] taken = TestAgents.script(FIRST, "BDAT", "250 taken");
        // And then two that could go one behind the other, had the next hop borne it.
        String[] oneByOne = TestAgents.script(
                CHUNKS, lost == 1 ? taken : TestAgents.script(taken, taken), taken, taken);
        try (ScriptedHop hop = ScriptedHop.start(breaks, oneByOne);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(deliver(agent, messages(1 + lost)))
                    .hasSize(1 + lost)
                    .allSatisfy((id, outcome) -> assertThat(outcome).isEqualTo(DELIVERED));
            assertThat(deliver(agent, messages(2)).values()).containsExactly(DELIVERED, DELIVERED);
            assertThat(hop.connections()).isEqualTo(2);
        }
    }

    /** What was answered to the message itself decides, as for one that is alone on a connection. */
    @Test
    void whatWasAnsweredInPartIsDeferred() throws Exception {
        String[] breaks = TestAgents.script(
                BEGINS, "BDAT", AHEAD, "250 one", "250 reset", "250 mail", "close");
        try (ScriptedHop hop = ScriptedHop.start(breaks, CHUNKS);
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
        String[] answered = switch (where) {
            case "RSET" -> new String[0];
            case "MAIL" -> new String[] {"250 reset"};
            default -> ANSWERS;
        };
        String[] first = TestAgents.script(
                BEGINS, "BDAT", AHEAD, AHEAD, "250 one", answered, "421 4.7.0 enough", "close");
        int left = where.equals(".") ? 1 : 2;
        String[] taken = TestAgents.script(FIRST, "BDAT", "250 taken");
        String[] second = TestAgents.script(CHUNKS, taken, left == 2 ? taken : new String[0]);
        try (ScriptedHop hop = ScriptedHop.start(first, second);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            Map<QueueId, Outcome> outcomes = deliver(agent, messages(3));
            assertThat(outcomes.values().stream().filter(DELIVERED::equals)).hasSize(1 + left);
            assertThat(outcomes).hasSize(3);
            assertThat(hop.connections()).isEqualTo(2);
        }
    }

    /** It is looked through before anything of it is written: the others don't notice. */
    @Test
    void contentThatCantGoAsTextDisturbsNobody() throws Exception {
        String[] script =
                TestAgents.script(BEGINS, "BDAT", "250 one", "MAIL", "250", "RCPT", "250");
        List<Lease> messages = messages(1);
        messages.add(lease(2, "a\n.\nb\r\n"));
        try (ScriptedHop hop = ScriptedHop.start(script, CHUNKS);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            List<Outcome> outcomes = List.copyOf(deliver(agent, messages).values());
            assertThat(outcomes.get(0)).isEqualTo(DELIVERED);
            assertThat(reason(outcomes.get(1))).contains(": 5.6.3 the content has a bare LF");
            assertThat(hop.received()).doesNotContain("\n.\n");
        }
    }

    /** Our own side is wrong about one message; the ones around it are delivered. */
    @Test
    void aContentThatCantBeReadBreaksDownAlone() throws Exception {
        String[] script = TestAgents.script(BEGINS, "BDAT", AHEAD, "250 one", ANSWERS, "250 three");
        Lease sound = lease(2, CONTENT);
        Lease unreadable = new Lease(sound.id(), sound.envelope(), sound.sizeBytes(), 0, () -> {
            throw new IOException("checksum differs");
        });
        List<Lease> messages = new ArrayList<>(List.of(lease(1, CONTENT), unreadable));
        messages.add(lease(3, CONTENT));
        try (ScriptedHop hop = ScriptedHop.start(script);
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
        String[] script = TestAgents.script(
                LMTP,
                "MAIL",
                "250",
                "RCPT",
                "250",
                "RCPT",
                "250",
                "BDAT",
                "RSET",
                "MAIL",
                "RCPT",
                "RCPT",
                "BDAT",
                "250 one a",
                "452 one b",
                "250 reset",
                "250 mail",
                "550 two a",
                "250 two b",
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

    /**
     * A reply too many anywhere before: the refusal of the second message comes when its answer has been
     * read, as it seems. Nothing that was refused counts as delivered.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void aReplyTooManyHidesNoRefusal(int where) throws Exception {
        List<String> answers = new ArrayList<>(
                List.of(TestAgents.script("250 one", ANSWERS, "554 5.7.1 refused")));
        answers.add(where, "250 once more");
        String[] miscounts = TestAgents.script(BEGINS, "BDAT", AHEAD, answers.toArray());
        String[] again =
                TestAgents.script(BEGINS, "BDAT", "554 5.7.1 refused", "RSET", "250 reset");
        try (ScriptedHop hop = ScriptedHop.start(miscounts, again);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            List<Lease> messages = messages(2);
            Map<QueueId, Outcome> outcomes = deliver(agent, messages);
            assertThat(outcomes.get(messages.get(0).id()))
                    .isNotInstanceOf(Outcome.Undeliverable.class);
            assertThat(reason(outcomes.get(messages.get(1).id()))).endsWith("554 5.7.1 refused");
            assertThat(hop.connections()).isEqualTo(2);
        }
    }

    /** The one that was refused is seen by the answer to the third. */
    @Test
    void aRefusalThatMovesBehindItsMessageIsNotBelieved() throws Exception {
        String[] first = TestAgents.script(
                BEGINS,
                "BDAT",
                AHEAD,
                AHEAD,
                "250 one",
                "250 once more",
                ANSWERS,
                "554 5.7.1 refused",
                ANSWERS,
                "250 three");
        String[] again = TestAgents.script(
                BEGINS,
                "BDAT",
                "554 5.7.1 refused",
                "RSET",
                "250 reset",
                FIRST,
                "BDAT",
                "250 taken");
        try (ScriptedHop hop = ScriptedHop.start(first, again);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            List<Lease> messages = messages(3);
            Map<QueueId, Outcome> outcomes = deliver(agent, messages);
            assertThat(reason(outcomes.get(messages.get(1).id()))).endsWith("554 5.7.1 refused");
            assertThat(outcomes.get(messages.get(2).id())).isEqualTo(DELIVERED);
        }
    }

    /** Where nothing is refused, all were taken, and nothing is sent twice. */
    @Test
    void aReplyTooManyAmongSuccessesSendsNothingTwice() throws Exception {
        String[] script = TestAgents.script(
                BEGINS, "BDAT", AHEAD, "250 one", "250 once more", ANSWERS, "250 two");
        try (ScriptedHop hop = ScriptedHop.start(script);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(deliver(agent, messages(2)).values()).containsExactly(DELIVERED, DELIVERED);
            assertThat(hop.connections()).isEqualTo(1);
        }
    }

    /** A connection on which something was said is not used again; by LMTP too. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsSaidUnaskedAnswersNoMessage(boolean lmtp) throws Exception {
        String[] begins = TestAgents.script(lmtp ? LMTP : CHUNKS, FIRST);
        String[] chatty = TestAgents.script(begins, "BDAT", "250 taken", "250 once more");
        String[] refuses =
                TestAgents.script(begins, "BDAT", "554 5.7.1 refused", "RSET", "250 reset");
        try (ScriptedHop hop = ScriptedHop.start(chatty, refuses);
                NextHopAgent agent = TestAgents.agent(lmtp ? hop.lmtp() : hop.smtp())) {
            assertThat(deliver(agent, messages(1)).values()).containsExactly(DELIVERED);
            assertThat(reason(agent.deliver(lease(2, CONTENT)))).endsWith("554 5.7.1 refused");
            assertThat(hop.connections()).isEqualTo(2);
        }
    }

    /**
     * RCPT is answered twice, late: what follows is no answer to the content. A refusal that could be the
     * answer to EHLO isn't taken for it.
     */
    @ParameterizedTest
    @CsvSource({
        "554 5.7.1 refused, 250-x\\r\\n250 CHUNKING",
        "503 5.5.1 refused, 250-x\\r\\n250 CHUNKING",
        "554 5.7.1 refused, 503 5.5.1 said already",
        "503 5.5.1 refused, 503 5.5.1 said already"
    })
    void aCommandThatIsAnsweredTwiceDoesNotStandForTheContent(String refusal, String hello)
            throws Exception {
        String[] script = TestAgents.script(
                CHUNKS,
                "MAIL",
                "250 mail",
                "RCPT",
                "250 rcpt",
                "BDAT",
                "250 rcpt again",
                refusal,
                "EHLO",
                hello.translateEscapes());
        try (ScriptedHop hop = ScriptedHop.start(script);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(deliver(agent, messages(1)).values())
                    .singleElement()
                    .isInstanceOf(Outcome.Deferred.class);
        }
    }

    /** A refusal is an answer, and by DATA a 354 shows what answers what. */
    @ParameterizedTest
    @ValueSource(strings = {"500 what", "501 why", "502 no", "503 5.5.1 said already", "silence"})
    void aNextHopThatAnswersToEhloOnceGetsItsMailByData(String answer) throws Exception {
        String[] once = TestAgents.script(BEGINS, "BDAT", "250 taken", "EHLO");
        String[] byData = TestAgents.script(FIRST, "DATA", "354 go", ".", "250 taken");
        boolean silent = answer.equals("silence");
        try (ScriptedHop hop = ScriptedHop.start(
                        silent ? once : TestAgents.script(once, answer),
                        TestAgents.script(CHUNKS, byData, byData));
                NextHopAgent agent = silent
                        ? TestAgents.impatientInDoubt(DeliverySpec.Tls.NONE, hop.smtp())
                        : TestAgents.agent(hop.smtp())) {
            for (int i = 0; i < 3; i++) {
                assertThat(deliver(agent, messages(1)).values()).containsExactly(DELIVERED);
            }
            assertThat(hop.connections()).isEqualTo(2);
        }
    }

    /** Room that is left. */
    @Test
    void anAnswerToEhloWithOtherValuesIsOne() throws Exception {
        String[] taken = TestAgents.script(FIRST, "BDAT", "250 taken");
        String[] script = TestAgents.script(
                TestAgents.greeting("CHUNKING", "SIZE 1000", "AUTH PLAIN"),
                taken,
                "EHLO",
                "250-x",
                "250-SIZE 900",
                "250 CHUNKING",
                taken);
        try (ScriptedHop hop = ScriptedHop.start(script);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(deliver(agent, messages(1)).values()).containsExactly(DELIVERED);
            assertThat(deliver(agent, messages(1)).values()).containsExactly(DELIVERED);
            assertThat(hop.connections()).isEqualTo(1);
        }
    }

    @Test
    void aReplyBeforeItsCommandEndsTheConnection() throws Exception {
        String[] script = TestAgents.script(
                CHUNKS, "MAIL", "250 mail", "RCPT", "250 rcpt\r\n250 rcpt again", "BDAT");
        try (ScriptedHop hop = ScriptedHop.start(script);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(reason(deliver(agent, messages(1)).values().iterator().next()))
                    .endsWith("said 250 rcpt again without being asked");
            assertThat(hop.received()).doesNotContain("BDAT");
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
