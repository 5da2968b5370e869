package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.hub.Hub;
import org.hubmark.hub.HubConfiguration;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.ScriptedHop;
import org.hubmark.hub.TestAgents;
import org.hubmark.hub.TestCertificate;
import org.hubmark.hub.TestHubs;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;

import javax.net.ssl.SSLContext;

/** STARTTLS on the way out, to a hub of ours and to scripted next hops with a certificate for {@code localhost}. */
final class NextHopTlsTest {
    private static final Lease LEASE = TestAgents.lease(TestAgents.CONTENT, "b@y.example");

    @TempDir
    private Path folder;

    private TestCertificate certificate;

    @BeforeEach
    void certify() throws Exception {
        certificate = TestCertificate.in(folder);
    }

    /** Used where it is offered, whoever answers; required means trusted and of that name. */
    @ParameterizedTest
    @CsvSource({
        "OPPORTUNISTIC, localhost, false, 2, 1",
        "NONE,          localhost, false, 2, 0",
        "REQUIRED,      localhost, true,  2, 1",
        "REQUIRED,      localhost, false, 0, 0",
        "REQUIRED,      127.0.0.1, true,  0, 0",
    })
    void isUsedAsItIsAskedFor(
            DeliverySpec.Tls tls, String host, boolean trusted, int taken, int handshakes)
            throws Exception {
        HubConfiguration discards = TestHubs.on(
                folder, IntakeKind.DISCARD, new DeliverySpec.Discard(), certificate.settings());
        try (Hub hub = Hub.start(discards);
                NextHopAgent agent = agent(host, hub.address().getPort(), tls, trusted)) {
            for (int i = 0; i < 2; i++) {
                assertThat(agent.deliver(LEASE) instanceof Outcome.Delivered).isEqualTo(taken == 2);
            }
            assertThat(hub.counters().messagesAccepted.sum()).isEqualTo(taken);
            if (taken > 0) {
                assertThat(hub.counters().tlsHandshakes.sum()).isEqualTo(handshakes);
            }
        }
    }

    /** By TLS 1.3 the client is through with the handshake when the server refuses it. */
    @ParameterizedTest
    @CsvSource({"OPPORTUNISTIC, delivered, 2", "REQUIRED, deferred, 1"})
    void aRefusalBehindTheHandshakeIsOneOfTls(DeliverySpec.Tls tls, String outcome, int connections)
            throws Exception {
        try (ScriptedHop hop = ScriptedHop.start(context(), """
                        hello STARTTLS
                        STARTTLS | 220 go, tls with a certificate
                        EHLO
                        ---
                        hello STARTTLS
                        taken
                        """);
                NextHopAgent agent = agent("localhost", hop.smtp().port(), tls, true)) {
            assertThat(TestAgents.words(agent.deliver(LEASE))).startsWith(outcome);
            assertThat(hop.connections()).isEqualTo(connections);
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
        try (ScriptedHop hop = ScriptedHop.start(
                context(), "hello STARTTLS\nSTARTTLS | 220 go, tls\nEHLO | 250 x\ntaken\n")) {
            try (NextHopAgent agent = TestAgents.agent(hop.smtp())) {
                assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
            }
            await().until(hop::wasLeftCleanly);
        }
    }

    private SSLContext context() throws Exception {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(
                certificate.bundle().toKeyManagerFactory().getKeyManagers(),
                certificate.bundle().toTrustManagerFactory().getTrustManagers(),
                null);
        return context;
    }

    private NextHopAgent agent(String host, int port, DeliverySpec.Tls tls, boolean trusted)
            throws IOException {
        String trust = trusted ? certificate.file().toString() : "";
        NextHop hop = new NextHop(NextHop.Protocol.SMTP, host, port);
        return TestAgents.agent(TestAgents.settings("delivery.tls-trust", trust), tls, hop);
    }
}
