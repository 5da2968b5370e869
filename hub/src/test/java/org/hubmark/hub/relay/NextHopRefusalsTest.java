package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import org.hubmark.core.BodyType;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.hub.ScriptedHop;
import org.hubmark.hub.TestAgents;
import org.hubmark.hub.delivery.DeliverySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
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

    @ParameterizedTest
    @CsvSource({
        "MAIL, 530 5.7.57 Client not authenticated to send mail.",
        "MAIL, 530 5.7.0 Must issue a STARTTLS command first",
        "MAIL, 503 5.5.1 HELO first",
        "MAIL, 538 5.7.11 encryption required",
        "RCPT, 504 5.5.2 <hub>: Helo command rejected: need fully-qualified hostname",
        "RCPT, 521 5.7.1 no mail from you",
        "RCPT, 550 5.7.57 not authenticated",
        "DATA, 502 5.5.1 not implemented",
        "., 535 5.7.8 no",
    })
    void aReplyAboutThisHubReturnsNoMessage(String command, String said) throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(NextHopTrouble.class);
        log.start();
        logger.setLevel(Level.INFO);
        opened.add(() -> logger.setLevel(null));
        logger.addAppender(log);
        opened.add(() -> logger.detachAppender(log));
        NextHopAgent agent = agent();
        refuse(command, said);
        isDeferred(agent.deliver(message(1, 1)), said);
        assertThat(log.list)
                .singleElement()
                .satisfies(event -> assertThat(event.getFormattedMessage()).endsWith(said));
        isDeferred(agent.deliver(message(2, 2)), said);
        // It is left alone by now.
        assertThat(agent.deliver(message(3, 3))).isInstanceOf(Outcome.NotTried.class);
        agent.retryNow();
        isDeferred(agent.deliver(message(3, 3)), said);
        assertThat(agent.deliver(message(4, 4))).isInstanceOf(Outcome.NotTried.class);
        refuses = false;
        agent.retryNow();
        for (int i = 1; i <= 4; i++) {
            assertThat(agent.deliver(message(i, i))).isEqualTo(DELIVERED);
        }
        assertThat(log.list).hasSize(2);
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

    /** 421 may be about a sender's reputation. */
    @ParameterizedTest
    @ValueSource(strings = {"MAIL", "RCPT", "DATA", "."})
    void aGoodbyeToSomeSendersConcernsNobodyElse(String command) throws Exception {
        NextHopAgent agent = agent();
        refuse(command, "421 4.7.0 try again later");
        for (int i = 1; i <= 12; i++) {
            isDeferred(agent.deliver(message(1, i)), reply);
        }
        refuses = false;
        assertThat(agent.deliver(message(2, 2))).isEqualTo(DELIVERED);
        refuses = true;
        for (int i = 1; i < NextHopRefusals.EVERYTHING; i++) {
            isDeferred(agent.deliver(message(i, i)), reply);
        }
        refuses = false;
        assertThat(agent.deliver(message(2, 2))).isEqualTo(DELIVERED);
        refuses = true;
        for (int i = 1; i <= NextHopRefusals.EVERYTHING; i++) {
            isDeferred(agent.deliver(message(i, i)), reply);
        }
        assertThat(agent.deliver(message(11, 11))).isInstanceOf(Outcome.NotTried.class);
    }

    @Test
    void aHopThatRefusesEverythingIsLeftAlone() throws Exception {
        NextHopAgent agent = agent();
        refuse("RCPT", "554 5.7.1 Relay access denied");
        for (int i = 1; i < NextHopRefusals.EVERYTHING; i++) {
            assertThat(agent.deliver(message(i, i))).isInstanceOf(Outcome.Undeliverable.class);
        }
        isDeferred(agent.deliver(message(10, 10)), reply);
        assertThat(agent.deliver(message(11, 11))).isInstanceOf(Outcome.NotTried.class);
        agent.retryNow();
        isDeferred(agent.deliver(message(11, 11)), reply);
        assertThat(agent.deliver(message(12, 12))).isInstanceOf(Outcome.NotTried.class);
        refuses = false;
        agent.retryNow();
        assertThat(agent.deliver(message(11, 11))).isEqualTo(DELIVERED);
        assertThat(agent.deliver(message(12, 12))).isEqualTo(DELIVERED);
        refuses = true;
        areReturned(agent, true, true);
    }

    /** Who sends to many addresses that don't exist keeps no other mail waiting. */
    @ParameterizedTest
    @CsvSource({"RCPT, 550 5.1.1 nobody", "RCPT, 550 relay not permitted", "., 554 5.7.1 spam"})
    void whatMayBeAboutTheMessagesIsTriedOn(String command, String said) throws Exception {
        NextHopAgent agent = agent();
        refuse(command, said);
        for (int i = 1; i < NextHopRefusals.EVERYTHING; i++) {
            assertThat(agent.deliver(message(i, i))).isInstanceOf(Outcome.Undeliverable.class);
        }
        isDeferred(agent.deliver(message(10, 10)), said);
        isDeferred(agent.deliver(message(11, 11)), said);
        refuses = false;
        assertThat(agent.deliver(message(12, 12))).isEqualTo(DELIVERED);
        refuses = true;
        assertThat(agent.deliver(message(11, 11))).isInstanceOf(Outcome.Undeliverable.class);
    }

    @ParameterizedTest
    @CsvSource({"false, true", "true, false"})
    void oneSendersMailAndOneRecipientsMailIsReturned(boolean senders, boolean recipients)
            throws Exception {
        NextHopAgent agent = agent();
        refuse("RCPT", "554 5.7.1 no");
        areReturned(agent, senders, recipients);
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

    @ParameterizedTest
    @ValueSource(strings = {"500 what", "502 5.5.1 no", "503 5.5.1 no", "504 no"})
    void contentGoesByDataWhereBdatIsUnknown(String said) throws Exception {
        String[] greeting = TestAgents.greeting("PIPELINING", "CHUNKING");
        String[] envelope = {"MAIL", "250 ok", "RCPT", "250 ok"};
        String[] byData = TestAgents.script(envelope, "DATA", "354 go", ".", "250 taken");
        ScriptedHop hop = opened(ScriptedHop.start(
                TestAgents.script(greeting, envelope, "BDAT", said),
                TestAgents.script(greeting, byData, byData)));
        NextHopAgent agent = opened(TestAgents.agent(hop.smtp()));
        assertThat(agent.deliver(message(1, 1))).isEqualTo(DELIVERED);
        assertThat(agent.deliver(message(2, 2))).isEqualTo(DELIVERED);
        assertThat(hop.connections()).isEqualTo(2);
    }

    /** However many they are. */
    private static void areReturned(NextHopAgent agent, boolean senders, boolean recipients) {
        for (int i = 1; i <= 2 * NextHopRefusals.EVERYTHING; i++) {
            assertThat(agent.deliver(message(senders ? i : 1, recipients ? i : 1)))
                    .isInstanceOf(Outcome.Undeliverable.class);
        }
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
        byte[] content = "Subject: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        Envelope envelope = new Envelope(
                "s" + sender + "@x.example",
                List.of("r" + recipient + "@y.example"),
                BodyType.SEVEN_BIT,
                Instant.EPOCH,
                "");
        return new Lease(
                new QueueId(1000L * sender + recipient),
                envelope,
                content.length,
                0,
                () -> new ByteArrayInputStream(content));
    }

    private static void isDeferred(Outcome outcome, String said) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Deferred.class,
                        later -> assertThat(later.reason()).endsWith(said));
    }
}
