package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.RecipientResult;
import org.hubmark.hub.Hub;
import org.hubmark.hub.HubConfigurations;
import org.hubmark.hub.HubParts;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.ScriptedHop;
import org.hubmark.hub.TestAgents;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.hub.delivery.NextHopSettings;
import org.hubmark.smtp.SmtpPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What comes of a delivery, for each recipient: to a hub of ours that refuses by a policy, or to a
 * server that says line by line what the test tells it.
 */
final class NextHopAgentTest {
    private static final String[] MAIL_RCPT = {"MAIL", "250 ok", "RCPT", "250 ok"};

    @TempDir
    Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final ConcurrentLinkedQueue<String> refusals = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened.reversed()) {
            one.close();
        }
    }

    @Test
    void deliversContentAsItIsOverOneConnection() throws IOException {
        Hub hub = hub();
        NextHopAgent agent = agent(hub);
        String content = "Subject: dots\r\n\r\n.\r\n..two\r\n.x\r\nno end";
        for (int i = 1; i <= 3; i++) {
            assertThat(agent.deliver(TestAgents.lease(content, "a@y.example", "b@y.example")))
                    .isEqualTo(new Outcome.Delivered());
        }
        assertThat(hub.counters().connectionsOpened.sum()).isEqualTo(1);
        assertThat(hub.counters().messagesAccepted.sum()).isEqualTo(3);
        // A hub that is closed leaves in its queue what it had not begun to deliver.
        await().until(() -> hub.store().orElseThrow().statistics().length().messages() == 0);
        agent.close();
        hub.close();
        List<String> received = received();
        assertThat(received)
                .hasSize(3)
                // Sent as it is; the hub that receives it ends its last line.
                .allSatisfy(text -> assertThat(text).endsWith("\r\n" + content + "\r\n"));
    }

    @Test
    void aTransientRefusalDefersAndAPermanentOneEnds() throws IOException {
        NextHopAgent agent = agent(hub());
        Lease lease = TestAgents.lease("x\r\n", "a@y.example");
        refusals.add("MAIL=451 4.3.0 busy");
        assertThat(agent.deliver(lease))
                .isInstanceOfSatisfying(
                        Outcome.Deferred.class,
                        later -> assertThat(later.reason()).endsWith(": 451 4.3.0 busy"));
        refusals.add("RCPT=550 5.1.1 nobody");
        assertThat(agent.deliver(lease))
                .isInstanceOfSatisfying(
                        Outcome.Undeliverable.class,
                        never -> assertThat(never.reason()).endsWith(": 550 5.1.1 nobody"));
        assertThat(agent.deliver(lease)).isEqualTo(new Outcome.Delivered());
    }

    /** RFC 5321 4.2.1: 2xx is success, and after DATA 354 alone. */
    @ParameterizedTest
    @CsvSource({
        "MAIL, 354 what",
        "MAIL, 399 what",
        "MAIL, 199 what",
        "MAIL, 25",
        "MAIL, 600 what",
        "RCPT, 354 what",
        "DATA, 250 what",
        "DATA, 355 what",
        ".,    354 what",
    })
    void whatIsNoAnswerIsAFailureOfTheConnection(String to, String answer) throws IOException {
        List<String> script = new ArrayList<>(List.of(TestAgents.greeting()));
        for (String command : List.of("MAIL", "RCPT", "DATA", ".")) {
            script.add(command);
            if (command.equals(to)) {
                script.add(answer);
                break;
            }
            script.add(command.equals("DATA") ? "354 go" : "250 ok");
        }
        NextHopAgent agent = agent(server(script.toArray(String[]::new)).smtp());
        assertThat(agent.deliver(TestAgents.lease("x\r\n", "a@y.example")))
                .isInstanceOfSatisfying(
                        Outcome.Deferred.class,
                        later -> assertThat(later.reason()).contains("answered ", answer.strip()));
    }

    @Test
    void theLinesOfAReplyHaveOneCode() throws IOException {
        ScriptedHop hop =
                server(TestAgents.script(TestAgents.greeting(), "MAIL", "250-yes", "550 no"));
        NextHopAgent agent = agent(hop.smtp());
        assertThat(agent.deliver(TestAgents.lease("x\r\n", "a@y.example")))
                .isInstanceOfSatisfying(
                        Outcome.Deferred.class,
                        later -> assertThat(later.reason())
                                .endsWith("answered 250 and in the same reply 550"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"MAIL", "RCPT", "DATA", "."})
    void aRefusalAndThenACloseIsARefusal(String to) throws IOException {
        for (String extension : List.of("PIPELINING", "X-NONE")) {
            List<String> script = new ArrayList<>(List.of(TestAgents.greeting(extension)));
            for (String command : List.of("MAIL", "RCPT", "RCPT", "DATA", ".")) {
                script.add(command);
                if (command.equals(to)) {
                    script.addAll(List.of("554 5.7.1 never", "close"));
                    break;
                }
                script.add(command.equals("DATA") ? "354 go" : "250 ok");
            }
            NextHopAgent agent = agent(server(script.toArray(String[]::new)).smtp());
            assertThat(agent.deliver(TestAgents.lease("x\r\n", "a@y.example", "b@y.example")))
                    .isInstanceOf(
                            to.equals("RCPT")
                                    ? Outcome.Partial.class
                                    : Outcome.Undeliverable.class);
        }
    }

    @Test
    void recipientsFareDifferently() throws IOException {
        String[] script = TestAgents.script(
                TestAgents.greeting("PIPELINING"),
                "MAIL",
                "250 ok",
                "RCPT",
                "250 ok",
                "RCPT",
                "550 5.1.1 nobody",
                "RCPT",
                "451 4.2.1 later",
                "DATA",
                "354 go",
                ".",
                "250 taken");
        ScriptedHop hop = server(script);
        Lease lease = TestAgents.lease("x\r\n", "a@y.example", "b@y.example", "c@y.example");
        assertThat(agent(hop.smtp()).deliver(lease))
                .isEqualTo(new Outcome.Partial(List.of(
                        RecipientResult.DELIVERED,
                        RecipientResult.failed(hop.smtp() + ": 550 5.1.1 nobody"),
                        RecipientResult.pending(hop.smtp() + ": 451 4.2.1 later"))));
    }

    @Test
    void whoIsSettledIsNotTriedAgain() throws IOException {
        String[] script =
                TestAgents.script(TestAgents.greeting(), MAIL_RCPT, "DATA", "354 go", ".", "250 x");
        ScriptedHop hop = server(script);
        Lease fresh = TestAgents.lease("x\r\n", "a@y.example", "b@y.example", "c@y.example");
        Lease lease = new Lease(
                fresh.id(),
                fresh.envelope(),
                List.of(
                        RecipientResult.DELIVERED,
                        RecipientResult.failed("550 no"),
                        RecipientResult.pending("451 later")),
                fresh.sizeBytes(),
                1,
                false,
                fresh.content());
        assertThat(agent(hop.smtp()).deliver(lease)).isEqualTo(new Outcome.Delivered());
        assertThat(hop.received()).containsOnlyOnce("RCPT").contains("RCPT TO:<c@y.example>");
    }

    @Test
    void lmtpAnswersForEachRecipientAlsoOfOneAddressTwice() throws IOException {
        ScriptedHop hop = server(lmtp("250 first", "451 4.2.2 full"));
        assertThat(agent(hop.lmtp())
                        .deliver(TestAgents.lease("x\r\n", "a@y.example", "a@y.example")))
                .isEqualTo(new Outcome.Partial(List.of(
                        RecipientResult.DELIVERED,
                        RecipientResult.pending(hop.lmtp() + ": 451 4.2.2 full"))));
    }

    @Test
    void whatLmtpHasAnsweredHoldsWhenTheConnectionIsLost() throws IOException {
        ScriptedHop hop = server(lmtp("250 first", "close"));
        assertThat(agent(hop.lmtp())
                        .deliver(TestAgents.lease("x\r\n", "a@y.example", "b@y.example")))
                .isEqualTo(new Outcome.Partial(List.of(
                        RecipientResult.DELIVERED,
                        RecipientResult.pending(hop.lmtp() + ": closed the connection"))));
    }

    @Test
    void anOldServerIsGreetedWithHeloAndNotPipelined() throws IOException {
        ScriptedHop hop = server(
                "220 hi",
                "EHLO",
                "502 what",
                "HELO",
                "250 x",
                "MAIL",
                "250 ok",
                "RCPT",
                "250 ok",
                "DATA",
                "354 go",
                ".",
                "250 taken");
        assertThat(agent(hop.smtp()).deliver(TestAgents.lease("x\r\n", "a@y.example")))
                .isEqualTo(new Outcome.Delivered());
    }

    /** RFC 5321 4.1.4: who has no name says the address that it comes from. */
    @Test
    void aHubWithoutANameGreetsByItsAddress() throws Exception {
        ScriptedHop hop =
                server("220 hi", "EHLO [127.0.0.1]", "502 what", "HELO [127.0.0.1]", "421 x");
        DeliverySpec.NextHops hops =
                new DeliverySpec.NextHops(List.of(hop.smtp()), DeliverySpec.Tls.NONE);
        NextHopSettings settings = TestAgents.settings("delivery.tls-trust", "");
        try (NextHopAgent agent = new NextHopAgent(hops, "", settings)) {
            assertThat(agent.deliver(TestAgents.lease("x\r\n", "a@y.example")))
                    .isInstanceOf(Outcome.Deferred.class);
        }
        assertThat(hop.received()).contains("HELO [127.0.0.1]\r\n");
    }

    @Test
    void silenceDefers() throws IOException {
        ScriptedHop hop = server("220 hi", "EHLO", "wait");
        assertThat(impatient(hop).deliver(TestAgents.lease("x\r\n", "a@y.example")))
                .isInstanceOfSatisfying(
                        Outcome.Deferred.class,
                        later -> assertThat(later.reason()).endsWith(": did not answer in time"));
    }

    @Test
    void aPeerThatDoesNotReadContentDefers() throws IOException {
        ScriptedHop hop = server(
                TestAgents.script(TestAgents.greeting(), MAIL_RCPT, "DATA", "354 go", "wait"));
        String large = "x".repeat(30 << 20) + "\r\n";
        assertThat(impatient(hop).deliver(TestAgents.lease(large, "a@y.example")))
                .isInstanceOf(Outcome.Deferred.class);
    }

    @Test
    void garbageDefers() throws IOException {
        ScriptedHop hop = server("\u0007HTTP/1.1 400 Bad Request");
        assertThat(agent(hop.smtp()).deliver(TestAgents.lease("x\r\n", "a@y.example")))
                .isInstanceOfSatisfying(
                        Outcome.Deferred.class,
                        later -> assertThat(later.reason())
                                .endsWith(
                                        "answered with a line that is not a reply: '?HTTP/1.1 400 Bad"
                                                + " Request'"));
    }

    private static String[] lmtp(String... answers) {
        String[] dialogue = {
            "220 hi",
            "LHLO",
            "250-x",
            "250 PIPELINING",
            "MAIL",
            "250 ok",
            "RCPT",
            "250 ok",
            "RCPT",
            "250 ok",
            "DATA",
            "354 go",
            "."
        };
        return TestAgents.script(dialogue, answers);
    }

    /** Refuses the next command of a kind as the test has said, once each. */
    private SmtpPolicy.Verdict verdict(String verb) {
        String next = refusals.peek();
        if (next == null || !next.startsWith(verb + "=")) {
            return new SmtpPolicy.Verdict.Proceed();
        }
        refusals.remove();
        return new SmtpPolicy.Verdict.Refuse(next.substring(verb.length() + 1));
    }

    private Hub hub() throws IOException {
        SmtpPolicy policy = new SmtpPolicy() {
            @Override
            public Verdict onCommand(String peer, String verb, String argument) {
                return verdict(verb);
            }
        };
        Hub hub = Hub.start(
                HubConfigurations.on(
                        folder,
                        IntakeKind.STORE,
                        new DeliverySpec.Directory(folder.resolve("out")),
                        Map.of()),
                HubParts.own().withPolicy(policy));
        opened.add(hub);
        return hub;
    }

    private ScriptedHop server(String... script) throws IOException {
        ScriptedHop hop = ScriptedHop.start(script);
        opened.add(hop);
        return hop;
    }

    private NextHopAgent agent(Hub hub) throws IOException {
        return agent(
                new NextHop(NextHop.Protocol.SMTP, "127.0.0.1", hub.address().getPort()));
    }

    private NextHopAgent agent(NextHop hop) throws IOException {
        return opened(TestAgents.agent(hop));
    }

    private NextHopAgent impatient(ScriptedHop hop) throws IOException {
        return opened(TestAgents.impatient(hop.smtp()));
    }

    private NextHopAgent opened(NextHopAgent agent) {
        opened.add(agent);
        return agent;
    }

    private List<String> received() throws IOException {
        try (var files = Files.list(folder.resolve("out"))) {
            List<String> all = new ArrayList<>();
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".eml")).toList()) {
                all.add(Files.readString(file));
            }
            return all;
        }
    }
}
