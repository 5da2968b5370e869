package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.hub.LogLines;
import org.hubmark.hub.TestAgents;
import org.hubmark.hub.delivery.DeliverySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Refusals that are about the hub or about a connection return no message, and those about a message
 * do. Method: next hops that refuse by what they are sent, and what comes of messages of many senders.
 */
final class NextHopRefusalsTest {
    private static final Outcome DELIVERED = new Outcome.Delivered();

    private final List<AutoCloseable> opened = new ArrayList<>();

    /** What the hop answers to which command while it refuses: its beginning, {@code .} for content. */
    private volatile String refused = "";

    private volatile String reply = "";

    /** Whether it refuses the message that is under way. */
    private volatile boolean refuses = true;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened.reversed()) {
            one.close();
        }
    }

    /** It is left alone after two, until an operator asks; it is told once, and once that it is over. */
    private static final String ABOUT_THE_HUB =
            " 1=deferred 2=deferred 3=not now 3=deferred 4=not" + " takes now 1-4=delivered";

    /** 421 may be about a sender's reputation; where all are refused nobody is tried any more. */
    private static final String GOODBYE = " 1:1-12=deferred takes 2=delivered refuses 1-9=deferred"
            + " takes 2=delivered refuses 1-10=deferred 11=not";

    /** Who sends to many addresses that don't exist keeps no other mail waiting. */
    private static final String ABOUT_MESSAGES = " 1-9=undeliverable 10=deferred 11=deferred"
            + " takes 12=delivered refuses 11=undeliverable";

    /** A hop that refuses everything is left alone, and what it refuses is kept; but once it has taken mail. */
    private static final String EVERYTHING = " 1-9=undeliverable 10=deferred 11=not now 11=deferred"
            + " 12=not takes now 11-12=delivered refuses 1-20=undeliverable";

    /** The messages, as sender:recipient or one number for both, with what comes of each while the hop refuses or takes. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MAIL | 530 5.7.57 Client not authenticated to send mail. |" + ABOUT_THE_HUB,
                "MAIL | 530 5.7.0 Must issue a STARTTLS command first     |" + ABOUT_THE_HUB,
                "MAIL | 503 5.5.1 HELO first                              |" + ABOUT_THE_HUB,
                "MAIL | 538 5.7.11 encryption required                    |" + ABOUT_THE_HUB,
                "RCPT | 504 5.5.2 <hub>: Helo command rejected            |" + ABOUT_THE_HUB,
                "RCPT | 521 5.7.1 no mail from you                        |" + ABOUT_THE_HUB,
                "RCPT | 550 5.7.57 not authenticated                      |" + ABOUT_THE_HUB,
                "DATA | 502 5.5.1 not implemented                         |" + ABOUT_THE_HUB,
                ".    | 535 5.7.8 no                                      |" + ABOUT_THE_HUB,
                "MAIL | 421 4.7.0 try again later                         |" + GOODBYE,
                "RCPT | 421 4.7.0 try again later                         |" + GOODBYE,
                "DATA | 421 4.7.0 try again later                         |" + GOODBYE,
                ".    | 421 4.7.0 try again later                         |" + GOODBYE,
                "RCPT | 550 5.1.1 nobody                                  |" + ABOUT_MESSAGES,
                "RCPT | 550 relay not permitted                           |" + ABOUT_MESSAGES,
                ".    | 554 5.7.1 spam                                    |" + ABOUT_MESSAGES,
                "RCPT | 554 5.7.1 Relay access denied                     |" + EVERYTHING,
                "RCPT | 554 5.7.1 no                                      | 1:1-20=undeliverable",
                "RCPT | 554 5.7.1 no                                      | 1-20:1=undeliverable",
            })
    void aRefusalIsOfTheHubOrOfTheMessage(String command, String said, String steps)
            throws Exception {
        LogLines log = opened(new LogLines(NextHopTrouble.class));
        NextHopAgent agent = agent();
        refuse(command, said);
        for (String step : steps.split(" ", -1)) {
            switch (step) {
                case "takes" -> refuses = false;
                case "refuses" -> refuses = true;
                case "now" -> agent.retryNow();
                default -> deliver(agent, step.split("[:=]", -1));
            }
        }
        if (steps.equals(ABOUT_THE_HUB.strip())) {
            assertThat(log.lines()).hasSize(2).first().asString().endsWith(said);
        }
    }

    private void deliver(NextHopAgent agent, String... step) {
        String[] senders = step[0].split("-", -1);
        String[] recipients = step[step.length - 2].split("-", -1);
        int sender = Integer.parseInt(senders[0]);
        int recipient = Integer.parseInt(recipients[0]);
        int lastSender = Integer.parseInt(senders[senders.length - 1]);
        int lastRecipient = Integer.parseInt(recipients[recipients.length - 1]);
        while (sender <= lastSender || recipient <= lastRecipient) {
            Lease message =
                    message(Math.min(sender++, lastSender), Math.min(recipient++, lastRecipient));
            String expected = step[step.length - 1];
            assertThat(TestAgents.words(agent.deliver(message)))
                    .startsWith(expected)
                    .endsWith(expected.matches("deferred|undeliverable") ? reply : "");
        }
    }

    @Test
    void whatOneHopTurnsAwayGoesToTheNext() throws Exception {
        OpenHop second = opened(new OpenHop(List.of(), (command, accepted) -> null));
        NextHopAgent agent = opened(TestAgents.agent(hop("PIPELINING").smtp(), second.smtp()));
        refuse("MAIL", "530 5.7.0 authenticate first");
        for (int i = 1; i <= 3; i++) {
            assertThat(agent.deliver(message(i, i))).isEqualTo(DELIVERED);
        }
        assertThat(second.taken()).hasSize(3);
    }

    /** The answers to what is written ahead would be too long then, so nothing is. */
    @Test
    void aMessageBehindALongReplyIsAskedForAfterItsRecipient() throws Exception {
        OpenHop hop = hop("PIPELINING");
        NextHopAgent agent = opened(TestAgents.agent(hop.smtp()));
        refuse("RCPT", ("550-5.1.1 " + "x".repeat(2000) + "\r\n").repeat(99) + "550 5.1.1 nobody");
        assertThat(agent.deliver(message(1, 1))).isInstanceOf(Outcome.Undeliverable.class);
        refuses = false;
        assertThat(agent.deliver(message(2, 2))).isEqualTo(DELIVERED);
        // Over the same connection.
        assertThat(hop.commands())
                .endsWith(
                        "DATA",
                        "RSET",
                        "MAIL FROM:<s2@x.example>",
                        "RCPT TO:<r2@y.example>",
                        "DATA");
    }

    @Test
    void refusalsOfDifferentKindsAreAboutTheMessages() throws Exception {
        NextHopAgent agent = agent();
        for (int i = 1; i <= 2 * NextHopRefusals.EVERYTHING; i++) {
            refuse("MAIL", i % 9 == 0 ? "550 5.1.8 no such domain" : "554 5.7.1 no");
            assertThat(agent.deliver(message(i, i))).isInstanceOf(Outcome.Undeliverable.class);
        }
    }

    /** The hop takes three on each connection; two such connections show it. */
    @ParameterizedTest
    @CsvSource({
        "MAIL, 452 4.5.3 Too many messages sent, 1, X-NONE",
        "MAIL, 503 5.5.1 one more is too many, 1, X-NONE",
        "RCPT, 452 Too many recipients, 1, PIPELINING",
        "RCPT, 421 4.7.0 enough, 1, X-NONE",
        "DATA, 452 4.4.5 Maximum number of messages per session exceeded., 1, PIPELINING",
        "., 452 4.4.5 Maximum number of messages per session exceeded., 1, PIPELINING",
        "MAIL, 451 mails per session, 16, PIPELINING",
        "DATA, 452 4.4.5 mails per session, 16, PIPELINING",
        "., 452 4.4.5 mails per session, 16, CHUNKING",
    })
    void aConnectionThatTakesNoMoreDefersNothing(
            String command, String said, String atOnce, String extension) throws Exception {
        AtomicInteger carried = new AtomicInteger();
        AtomicInteger refusals = new AtomicInteger();
        OpenHop hop = opened(new OpenHop(List.of("PIPELINING", extension), (verb, accepted) -> {
            if (verb.isEmpty()) {
                carried.set(0);
            } else if (verb.startsWith(command) && carried.get() >= 3) {
                refusals.incrementAndGet();
                return said;
            } else if (verb.equals(".")) {
                carried.incrementAndGet();
            }
            return null;
        }));
        NextHopAgent agent = opened(TestAgents.agent(
                TestAgents.settings("delivery.pipeline-max", atOnce),
                DeliverySpec.Tls.NONE,
                hop.smtp()));
        List<Lease> messages = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            messages.add(message(i, i));
        }
        assertThat(ListedDeliveries.deliver(agent, messages).outcomes())
                .hasSize(20)
                .allSatisfy((id, outcome) -> assertThat(outcome).isEqualTo(DELIVERED));
        assertThat(hop.taken()).hasSize(20);
        if (atOnce.equals("1")) {
            // A third connection is open by the time that the second one has shown it.
            assertThat(refusals).hasValue(3);
        }
    }

    /** Asked for over one more connection, and no more. */
    @ParameterizedTest
    @CsvSource({"MAIL, 451 4.7.1 greylisted", "., 452 4.3.1 no room"})
    void aMessageThatIsPutOffOverANewConnectionTooIsDeferred(String command, String said)
            throws Exception {
        OpenHop hop = hop("PIPELINING");
        NextHopAgent agent = opened(TestAgents.agent(hop.smtp()));
        refuse(command, said);
        for (int i = 1; i <= 3; i++) {
            refuses = false;
            assertThat(agent.deliver(message(1, i))).isEqualTo(DELIVERED);
            refuses = true;
            isDeferred(agent.deliver(message(2, i)), said);
        }
        assertThat(hop.commands().stream().filter(one -> one.contains("<s2@"))).hasSize(6);
    }

    private void refuse(String command, String said) {
        refused = command;
        reply = said;
    }

    private NextHopAgent agent() throws IOException {
        return opened(TestAgents.agent(hop("PIPELINING").smtp()));
    }

    private OpenHop hop(String extension) throws IOException {
        return opened(new OpenHop(
                List.of(extension),
                (command, accepted) -> refuses && !refused.isEmpty() && command.startsWith(refused)
                        ? reply
                        : null));
    }

    private <T extends AutoCloseable> T opened(T one) {
        opened.add(one);
        return one;
    }

    private static Lease message(int sender, int recipient) {
        return TestAgents.lease(
                1000L * sender + recipient,
                BodyType.SEVEN_BIT,
                "s" + sender + "@x.example",
                TestAgents.CONTENT,
                "r" + recipient + "@y.example");
    }

    private static void isDeferred(Outcome outcome, String said) {
        assertThat(TestAgents.words(outcome)).startsWith("deferred HOP: ").endsWith(said);
    }
}
