package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Outcome;
import org.hubmark.core.RecipientResult;
import org.hubmark.hub.TestAgents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** A message with more recipients than a next hop takes at once is delivered in several transactions, at once. */
final class NextHopRecipientsTest {
    private static final String CONTENT = "Subject: x\r\n\r\n";
    private static final Outcome DELIVERED = new Outcome.Delivered();

    @ParameterizedTest
    @ValueSource(strings = {"CHUNKING", "8BITMIME"})
    void aTransactionHasAHundredRecipientsAtMost(String extension) throws Exception {
        try (OpenHop hop = new OpenHop(
                        List.of("PIPELINING", extension),
                        (command, accepted) -> accepted == 100 && command.startsWith("RCPT")
                                ? "421 too many"
                                : null);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(agent.deliver(TestAgents.lease(CONTENT, recipients(250))))
                    .isEqualTo(DELIVERED);
            hasEachOnce(hop, recipients(250));
            assertThat(hop.taken()).hasSize(3);
        }
    }

    /** RFC 5321 4.5.3.1.10: 552 is as temporary as 452 here. */
    @ParameterizedTest
    @CsvSource({
        "452 4.5.3 too many recipients, true",
        "552 5.5.3 too many recipients, true",
        "452 later, false",
        "552 too much, false"
    })
    void whoAreTooManyGoInTheNextTransaction(String reply, boolean isLearned) throws Exception {
        try (OpenHop hop = new OpenHop(
                        List.of("PIPELINING"),
                        (command, accepted) ->
                                accepted == 30 && command.startsWith("RCPT") ? reply : null);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            for (int i = 0; i < 2; i++) {
                assertThat(agent.deliver(TestAgents.lease(CONTENT, recipients(90))))
                        .isEqualTo(DELIVERED);
            }
            assertThat(hop.taken()).hasSize(6);
            long asked = hop.commands().stream()
                    .filter(command -> command.startsWith("RCPT"))
                    .count();
            assertThat(asked).isEqualTo(isLearned ? 90 + 30 + 30 + 90 : 2 * (90 + 60 + 30));
        }
    }

    /** Nobody is taken: there is nothing to be gained by asking again. */
    @ParameterizedTest
    @ValueSource(strings = {"452 4.2.2 mailbox full", "552 5.2.2 mailbox full"})
    void whoIsRefusedAloneIsPutOff(String reply) throws Exception {
        try (OpenHop hop = new OpenHop(
                        List.of("PIPELINING"),
                        (command, accepted) -> command.startsWith("RCPT TO:<r1@") ? reply : null);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(agent.deliver(TestAgents.lease(CONTENT, recipients(2))))
                    .isEqualTo(new Outcome.Partial(List.of(
                            RecipientResult.DELIVERED,
                            RecipientResult.pending(hop.smtp() + ": " + reply))));
            assertThat(hop.taken()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RCPT", "DATA", "."})
    void aHopThatTakesFewAndClosesOrSaysSoLateGetsFewer(String where) throws Exception {
        try (OpenHop hop = new OpenHop(List.of("PIPELINING"), (command, accepted) -> {
                    boolean tooMany = accepted + (where.equals("RCPT") ? 1 : 0) > 7
                            && command.startsWith(where);
                    return tooMany ? (where.equals("RCPT") ? "421" : "452") + " too many" : null;
                });
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            Outcome outcome = ListedDeliveries.deliver(
                            agent, List.of(TestAgents.lease(CONTENT, recipients(20))))
                    .outcomes()
                    .values()
                    .iterator()
                    .next();
            assertThat(outcome).isEqualTo(DELIVERED);
            hasEachOnce(hop, recipients(20));
        }
    }

    /** RFC 1870 6.1: what the next hop has said is too large needs no sending. */
    @ParameterizedTest
    @CsvSource({"SIZE 13, false", "SIZE 14, true", "SIZE 0, true", "SIZE, true"})
    void aMessageThatIsTooLargeIsNotSent(String extension, boolean isTaken) throws Exception {
        try (OpenHop hop =
                        new OpenHop(List.of("PIPELINING", extension), (command, accepted) -> null);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            Outcome outcome = agent.deliver(TestAgents.lease(CONTENT, "b@y.example"));
            if (isTaken) {
                assertThat(outcome).isEqualTo(DELIVERED);
            } else {
                assertThat(outcome)
                        .isEqualTo(new Outcome.Undeliverable(
                                hop.smtp() + ": 5.3.4 the content has 14 octets, and the next hop"
                                        + " takes 13"));
                assertThat(hop.commands()).noneMatch(command -> command.startsWith("MAIL"));
            }
        }
    }

    /** Neither side may wait for the other to read. */
    @Test
    void longAnswersToManyRecipientsFindRoom() throws Exception {
        String words = "x".repeat(1_500) + "\r\n250-";
        String reply = "250-" + words.repeat(40).concat("end\r\n250 end");
        try (OpenHop hop = new OpenHop(
                        List.of("PIPELINING"),
                        (command, accepted) -> command.startsWith("RCPT") ? reply : null);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            for (int i = 0; i < 2; i++) {
                assertThat(agent.deliver(TestAgents.lease(CONTENT, recipients(100))))
                        .isEqualTo(DELIVERED);
            }
        }
    }

    /** Each of many recipients may be answered at length, so what is kept is short, and there once. */
    @Test
    void ofLongRepliesTheBeginningIsKeptOnce() throws Exception {
        String reply =
                "550-" + ("5.1.1 " + "x".repeat(1_990) + "\r\n550-").repeat(99) + "\r\n550 end";
        try (OpenHop hop = new OpenHop(
                        List.of("PIPELINING"),
                        (command, accepted) ->
                                command.startsWith("RCPT") && !command.contains("<r0@")
                                        ? reply
                                        : null);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            Outcome outcome = agent.deliver(TestAgents.lease(CONTENT, recipients(300)));
            assertThat(outcome).isInstanceOf(Outcome.Partial.class);
            List<RecipientResult> results = ((Outcome.Partial) outcome).results();
            assertThat(results.getFirst()).isEqualTo(RecipientResult.DELIVERED);
            assertThat(results.get(1).reply())
                    .startsWith(hop.smtp() + ": 550 5.1.1 xxx")
                    .hasSize(RecipientResult.REPLY_CHARACTERS_MAX);
            Set<RecipientResult> same = Collections.newSetFromMap(new IdentityHashMap<>());
            same.addAll(results.subList(1, 300));
            assertThat(same).hasSize(1);
        }
    }

    private static void hasEachOnce(OpenHop hop, String... recipients) {
        assertThat(hop.taken().stream().flatMap(one -> one.recipients().stream()))
                .containsExactlyInAnyOrder(recipients);
    }

    private static String[] recipients(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "r" + i + "@y.example")
                .toArray(String[]::new);
    }
}
