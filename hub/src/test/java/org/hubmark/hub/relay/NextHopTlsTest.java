package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.hub.Hub;
import org.hubmark.hub.HubConfigurations;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.ScriptedHop;
import org.hubmark.hub.TestAgents;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** STARTTLS on the way out, to a hub of ours with a certificate for {@code localhost}. */
final class NextHopTlsTest {
    private static final Lease LEASE = TestAgents.lease("Subject: x\r\n\r\n", "b@y.example");

    @TempDir
    private Path folder;

    private X509Bundle bundle;
    private Hub hub;

    @BeforeEach
    void start() throws Exception {
        bundle = new CertificateBuilder()
                .subject("CN=localhost")
                .addSanDnsName("localhost")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Path certificate = Files.writeString(
                folder.resolve("certificate.pem"), bundle.getCertificatePathPEM());
        Path key = Files.writeString(folder.resolve("key.pem"), bundle.getPrivateKeyPEM());
        hub = hub(Map.of(
                "smtp.tls-certificate", certificate.toString(), "smtp.tls-key", key.toString()));
    }

    @AfterEach
    void stop() throws IOException {
        hub.close();
    }

    @Test
    void isUsedWhereItIsOfferedWhoeverAnswers() throws Exception {
        try (NextHopAgent agent = agent("localhost", DeliverySpec.Tls.OPPORTUNISTIC, "")) {
            assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
            assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
        }
        assertThat(hub.counters().tlsHandshakes.sum()).isEqualTo(1);
    }

    @Test
    void isNotUsedWhereItIsNotWanted() throws Exception {
        try (NextHopAgent agent = agent("localhost", DeliverySpec.Tls.NONE, "")) {
            assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
        }
        assertThat(hub.counters().tlsHandshakes.sum()).isZero();
    }

    @Test
    void requiredMeansTrustedAndOfThatName() throws Exception {
        String trust = folder.resolve("certificate.pem").toString();
        try (NextHopAgent agent = agent("localhost", DeliverySpec.Tls.REQUIRED, trust)) {
            assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
        }
        assertThat(hub.counters().tlsHandshakes.sum()).isEqualTo(1);
        try (NextHopAgent agent = agent("localhost", DeliverySpec.Tls.REQUIRED, "")) {
            assertThat(agent.deliver(LEASE)).isInstanceOf(Outcome.Deferred.class);
        }
        try (NextHopAgent agent = agent("127.0.0.1", DeliverySpec.Tls.REQUIRED, trust)) {
            assertThat(agent.deliver(LEASE)).isInstanceOf(Outcome.Deferred.class);
        }
        assertThat(hub.counters().messagesAccepted.sum()).isEqualTo(1);
    }

    @Test
    void withoutAnOfferRequiredDefersAndTheRestGoesInPlainText() throws Exception {
        String[] plain = TestAgents.script(
                TestAgents.greeting(),
                "MAIL",
                "250 ok",
                "RCPT",
                "250 ok",
                "DATA",
                "354 go",
                ".",
                "250 taken");
        try (ScriptedHop hop = ScriptedHop.start(TestAgents.greeting());
                NextHopAgent agent = TestAgents.agent(
                        TestAgents.settings("delivery.tls-trust", ""),
                        DeliverySpec.Tls.REQUIRED,
                        hop.smtp())) {
            assertThat(agent.deliver(LEASE))
                    .isInstanceOfSatisfying(
                            Outcome.Deferred.class,
                            later ->
                                    assertThat(later.reason()).contains("does not offer STARTTLS"));
            assertThat(hop.received()).doesNotContain("MAIL");
        }
        String[] broken = TestAgents.script(TestAgents.greeting("STARTTLS"), "STARTTLS", "454 no");
        try (ScriptedHop hop = ScriptedHop.start(broken, plain);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
        }
    }

    /** The flaw that many clients had: an answer put in before the handshake, taken as one after it. */
    @Test
    void nothingSaidInPlainTextIsTakenForAnAnswerByTls() throws Exception {
        String[] injects = TestAgents.script(
                TestAgents.greeting("STARTTLS"), "STARTTLS", "220 go\r\n250-x\r\n250 AUTH");
        try (ScriptedHop hop = ScriptedHop.start(injects);
                NextHopAgent agent = TestAgents.agent(
                        TestAgents.settings("delivery.tls-trust", ""),
                        DeliverySpec.Tls.REQUIRED,
                        hop.smtp())) {
            assertThat(agent.deliver(LEASE))
                    .isInstanceOfSatisfying(
                            Outcome.Deferred.class,
                            later -> assertThat(later.reason())
                                    .contains("sent plain text after STARTTLS"));
        }
    }

    private NextHopAgent agent(String host, DeliverySpec.Tls tls, String trust) throws IOException {
        NextHop hop = new NextHop(NextHop.Protocol.SMTP, host, hub.address().getPort());
        return TestAgents.agent(TestAgents.settings("delivery.tls-trust", trust), tls, hop);
    }

    private Hub hub(Map<String, String> settings) throws IOException {
        return Hub.start(HubConfigurations.on(
                folder, IntakeKind.DISCARD, new DeliverySpec.Discard(), settings));
    }
}
