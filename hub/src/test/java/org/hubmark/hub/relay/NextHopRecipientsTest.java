package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.RecipientResult;
import org.hubmark.hub.TestAgents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.stream.IntStream;

/** A message with more recipients than a next hop takes at once is delivered in several transactions, at once. */
final class NextHopRecipientsTest {
    /**
     * The hop answers so where it has more recipients than a transaction may have. RFC 5321 4.5.3.1.10: 552 is as
     * temporary as 452 there; a reply that says so is learned from, and so is a close.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // where | limit | answer | recipients | transactions | asked for | and the next
                // time
                "RCPT | 100 | 421 too many                  | 250 | 3 | 250 | 250",
                "RCPT | 30  | 452 4.5.3 too many recipients | 90  | 3 | 150 | 90",
                "RCPT | 30  | 552 5.5.3 too many recipients | 90  | 3 | 150 | 90",
                "RCPT | 30  | 452 later                     | 90  | 3 | 180 | 180",
                "RCPT | 30  | 552 too much                  | 90  | 3 | 180 | 180",
                "RCPT | 7   | 421 too many                  | 20  | 3 | 28  | 20",
                "DATA | 7   | 452 too many                  | 20  | 4 | 50  | 20",
                ".    | 7   | 452 too many                  | 20  | 4 | 50  | 20",
            })
    void whoAreTooManyGoInTheNextTransaction(
            String where,
            int limit,
            String answer,
            int count,
            int transactions,
            int asked,
            int askedNext)
            throws Exception {
        for (String extension : List.of(where.equals("DATA") ? "SIZE" : "CHUNKING", "8BITMIME")) {
            try (OpenHop hop = new OpenHop(
                            List.of("PIPELINING", extension),
                            (command, accepted) -> command.startsWith(where)
                                            && accepted + (where.equals("RCPT") ? 1 : 0) > limit
                                    ? answer
                                    : null);
                    NextHopAgent agent = TestAgents.agent(hop.smtp())) {
                isDeliveredOnce(hop, agent, count);
                assertThat(hop.taken()).hasSize(transactions);
                assertThat(asked(hop)).isEqualTo(asked);
                isDeliveredOnce(hop, agent, count);
                assertThat(asked(hop)).isEqualTo(asked + askedNext);
            }
        }
    }

    private static void isDeliveredOnce(OpenHop hop, NextHopAgent agent, int count) {
        int before = hop.taken().size();
        assertThat(agent.deliver(message(count))).isEqualTo(new Outcome.Delivered());
        assertThat(hop.taken().stream().skip(before).flatMap(List::stream))
                .containsExactlyInAnyOrderElementsOf(message(count).envelope().forwardPaths());
    }

    private static long asked(OpenHop hop) {
        return hop.commands().stream()
                .filter(command -> command.startsWith("RCPT"))
                .count();
    }

    /** Nobody is taken: there is nothing to be gained by asking again. */
    @ParameterizedTest
    @ValueSource(strings = {"452 4.2.2 mailbox full", "552 5.2.2 mailbox full"})
    void whoIsRefusedAloneIsPutOff(String reply) throws Exception {
        try (OpenHop hop = new OpenHop(
                        List.of("PIPELINING"),
                        (command, accepted) -> command.startsWith("RCPT TO:<r1@") ? reply : null);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(TestAgents.words(agent.deliver(message(2))))
                    .isEqualTo("DELIVERED & PENDING HOP: " + reply);
            assertThat(hop.taken()).hasSize(1);
        }
    }

    /** Neither side may wait for the other to read. */
    @Test
    void longAnswersToManyRecipientsFindRoom() throws Exception {
        String reply = ("250-" + "x".repeat(1_500) + "\r\n").repeat(40) + "250 end";
        try (OpenHop hop = new OpenHop(
                        List.of("PIPELINING"),
                        (command, accepted) -> command.startsWith("RCPT") ? reply : null);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            for (int i = 0; i < 2; i++) {
                isDeliveredOnce(hop, agent, 100);
            }
        }
    }

    /** Each of many recipients may be answered at length, so what is kept is short, and there once. */
    @Test
    void ofLongRepliesTheBeginningIsKeptOnce() throws Exception {
        String reply = ("550-5.1.1 " + "x".repeat(1_990) + "\r\n").repeat(99) + "550 end";
        try (OpenHop hop = new OpenHop(
                        List.of("PIPELINING"),
                        (command, accepted) ->
                                command.matches("RCPT TO:<r[1-9].*") ? reply : null);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            Outcome.Partial outcome = (Outcome.Partial) agent.deliver(message(300));
            List<RecipientResult> results = outcome.results();
            assertThat(results.getFirst()).isEqualTo(RecipientResult.DELIVERED);
            assertThat(results.get(1).reply())
                    .startsWith(hop.smtp() + ": 550 5.1.1 xxx")
                    .hasSize(RecipientResult.REPLY_CHARACTERS_MAX);
            assertThat(results.subList(1, 300))
                    .allSatisfy(one -> assertThat(one).isSameAs(results.get(1)));
        }
    }

    private static Lease message(int recipients) {
        return TestAgents.lease(
                TestAgents.CONTENT,
                IntStream.range(0, recipients)
                        .mapToObj(i -> "r" + i + "@y.example")
                        .toArray(String[]::new));
    }
}
