package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import javax.net.ssl.SSLContext;

/** STARTTLS on the way out, to a hub of ours with a certificate for {@code localhost}. */
final class NextHopTlsTest {
    private static final Lease LEASE = TestAgents.lease("Subject: x\r\n\r\n", "b@y.example");

    private static final String[] STARTTLS =
            TestAgents.script(TestAgents.greeting("STARTTLS"), "STARTTLS", "220 go");
    private static final String[] DELIVERY = {
        "MAIL", "250 ok", "RCPT", "250 ok", "DATA", "354 go", ".", "250 taken"
    };
    private static final String[] PLAIN =
            TestAgents.script(TestAgents.greeting("STARTTLS"), DELIVERY);

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
        String trust = trust();
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
        try (ScriptedHop hop = ScriptedHop.start(broken, PLAIN);
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

    /** By TLS 1.3 the client is through with the handshake when the server refuses it. */
    @ParameterizedTest
    @EnumSource(names = {"OPPORTUNISTIC", "REQUIRED"})
    void aRefusalBehindTheHandshakeIsOneOfTls(DeliverySpec.Tls tls) throws Exception {
        String[] refuses = TestAgents.script(STARTTLS, "tls with a certificate", "EHLO");
        try (ScriptedHop hop = ScriptedHop.start(context(), refuses, PLAIN);
                NextHopAgent agent = agent("localhost", hop.smtp().port(), tls, trust())) {
            if (tls == DeliverySpec.Tls.REQUIRED) {
                assertThat(agent.deliver(LEASE)).isInstanceOf(Outcome.Deferred.class);
                assertThat(hop.connections()).isEqualTo(1);
            } else {
                assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OPPORTUNISTIC", "REQUIRED"})
    void aHandshakeThatHangsEndsAndIsRemembered(DeliverySpec.Tls tls) throws Exception {
        String[] hangs = TestAgents.script(STARTTLS, "never said");
        String[] ends = TestAgents.script(PLAIN, "close");
        try (ScriptedHop hop = ScriptedHop.start(hangs, ends, PLAIN);
                NextHopAgent agent = TestAgents.impatientInDoubt(tls, hop.smtp())) {
            if (tls == DeliverySpec.Tls.REQUIRED) {
                assertThat(agent.deliver(LEASE)).isInstanceOf(Outcome.Deferred.class);
                assertThat(hop.connections()).isEqualTo(1);
            } else {
                assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
                assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
                assertThat(hop.connections()).isEqualTo(3);
                assertThat(hop.received().split("STARTTLS")).hasSize(2);
            }
        }
    }

    @Test
    void aHandshakeThatHangsIsRememberedForAnHour() throws Exception {
        NextHopTls tls = NextHopTls.open(DeliverySpec.Tls.OPPORTUNISTIC, "");
        NextHop hop = new NextHop(NextHop.Protocol.SMTP, "mx.y.example", 25);
        long hourNanos = NextHopTls.STALL_KEPT.toNanos();
        assertThat(tls.stalls(hop, 0)).isFalse();
        tls.stalled(hop, 5);
        assertThat(tls.stalls(hop, hourNanos + 4)).isTrue();
        assertThat(tls.stalls(hop, hourNanos + 5)).isFalse();
        tls.stalled(hop, 5);
        tls.tryAgain(hop);
        assertThat(tls.stalls(hop, 6)).isFalse();
    }

    @Test
    void aConnectionEndsWithAWordByTls() throws Exception {
        String[] script = TestAgents.script(STARTTLS, "tls", "EHLO", "250 x", DELIVERY);
        try (ScriptedHop hop = ScriptedHop.start(context(), script)) {
            try (NextHopAgent agent = TestAgents.agent(hop.smtp())) {
                assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
            }
            await().until(hop::wasLeftCleanly);
        }
    }

    private SSLContext context() throws Exception {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(
                bundle.toKeyManagerFactory().getKeyManagers(),
                bundle.toTrustManagerFactory().getTrustManagers(),
                null);
        return context;
    }

    private NextHopAgent agent(String host, DeliverySpec.Tls tls, String trust) throws IOException {
        return agent(host, hub.address().getPort(), tls, trust);
    }

    private static NextHopAgent agent(String host, int port, DeliverySpec.Tls tls, String trust)
            throws IOException {
        NextHop hop = new NextHop(NextHop.Protocol.SMTP, host, port);
        return TestAgents.agent(TestAgents.settings("delivery.tls-trust", trust), tls, hop);
    }

    private String trust() {
        return folder.resolve("certificate.pem").toString();
    }

    private Hub hub(Map<String, String> settings) throws IOException {
        return Hub.start(HubConfigurations.on(
                folder, IntakeKind.DISCARD, new DeliverySpec.Discard(), settings));
    }
}
