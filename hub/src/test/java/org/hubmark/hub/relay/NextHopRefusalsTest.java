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
import org.hubmark.hub.TestAgents;
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
            isDeferred(agent.deliver(message(i, i)), reply);
        }
        refuses = false;
        assertThat(agent.deliver(message(2, 2))).isEqualTo(DELIVERED);
    }

    /** The hop takes three on each connection. */
    @ParameterizedTest
    @CsvSource({
        "MAIL, 452 4.5.3 Too many messages sent, X-NONE",
        "MAIL, 503 5.5.1 one more is too many, X-NONE",
        "RCPT, 452 Too many recipients, PIPELINING",
        "RCPT, 421 4.7.0 enough, X-NONE",
        "DATA, 452 4.4.5 Maximum number of messages per session exceeded., PIPELINING",
        "., 452 4.4.5 Maximum number of messages per session exceeded., PIPELINING",
    })
    void aConnectionThatTakesNoMoreDefersNothing(String command, String said, String extension)
            throws Exception {
        AtomicInteger carried = new AtomicInteger();
        OpenHop hop = opened(new OpenHop(List.of(extension), (verb, accepted) -> {
            if (verb.isEmpty()) {
                carried.set(0);
            } else if (verb.startsWith(command) && carried.get() >= 3) {
                return said;
            } else if (verb.equals(".")) {
                carried.incrementAndGet();
            }
            return null;
        }));
        NextHopAgent agent = opened(TestAgents.agent(hop.smtp()));
        List<Lease> messages = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            messages.add(message(i, i));
        }
        assertThat(ListedDeliveries.deliver(agent, messages).outcomes())
                .hasSize(20)
                .allSatisfy((id, outcome) -> assertThat(outcome).isEqualTo(DELIVERED));
        assertThat(hop.taken()).hasSize(20);
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
