package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.smtp.client.SmtpClient;
import org.hubmark.smtp.client.SmtpReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * Proves what the client says and makes of the answers, against servers that follow a script, and that
 * it speaks TLS with a hub.
 */
@Timeout(60)
final class SmtpClientTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static SmtpClient open(ScriptedHop server) throws IOException {
        return SmtpClient.open(address(server), TIMEOUT, "client.example");
    }

    private static InetSocketAddress address(ScriptedHop server) {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), server.smtp().port());
    }

    private static ScriptedHop server(String ehlo, String... steps) throws IOException {
        String[] script = new String[steps.length + 3];
        script[0] = "220 here";
        script[1] = "EHLO client.example";
        script[2] = ehlo;
        System.arraycopy(steps, 0, script, 3, steps.length);
        return ScriptedHop.start(script);
    }

    @Test
    void sendsOneCommandAfterTheOther() throws Exception {
        try (ScriptedHop server = server(
                        "250-here\r\n250 size 1000",
                        "MAIL FROM:<a@x>",
                        "250 ok",
                        "RCPT TO:<b@y>",
                        "250 ok",
                        "RCPT TO:<c@z>",
                        "251 will forward",
                        "DATA",
                        "354 go",
                        ".",
                        "250-queued\r\n250 as 1");
                SmtpClient client = open(server)) {
            assertThat(client.has("SIZE")).isTrue();
            assertThat(client.has("PIPELINING")).isFalse();
            SmtpReply reply =
                    client.send("a@x", List.of("b@y", "c@z"), ".x\r\n..y".getBytes(US_ASCII));
            assertThat(reply).isEqualTo(new SmtpReply(250, "queued\nas 1"));
            assertThat(server.received()).endsWith("DATA\r\n..x\r\n...y\r\n.\r\n");
        }
    }

    @Test
    void sendsTheEnvelopeAtOnceWhereTheServerTakesIt() throws Exception {
        try (ScriptedHop server = server(
                        "250-here\r\n250 PIPELINING",
                        // All are read before the first is answered.
                        "MAIL FROM:<a@x>",
                        "RCPT TO:<b@y>",
                        "RCPT TO:<c@z>",
                        "250 ok",
                        "550 not b",
                        "250 ok",
                        "RSET",
                        "250 ok",
                        "MAIL FROM:<>",
                        "250 ok");
                SmtpClient client = open(server)) {
            // No content is asked for, since it would go to the others.
            assertThat(client.send("a@x", List.of("b@y", "c@z"), new byte[0]))
                    .isEqualTo(new SmtpReply(550, "not b"));
            assertThat(client.command("MAIL FROM:<>").isSuccess()).isTrue();
            assertThat(server.received()).doesNotContain("DATA");
        }
    }

    @Test
    void goesNoFurtherThanTheFirstRefusal() throws Exception {
        try (ScriptedHop server =
                        server("250 here", "MAIL FROM:<a@x>", "452 later", "RSET", "250 ok");
                SmtpClient client = open(server)) {
            assertThat(client.begin("a@x", List.of("b@y"))).isEqualTo(new SmtpReply(452, "later"));
            assertThat(server.received()).doesNotContain("RCPT");
        }
    }

    @Test
    void saysNothingMoreToAServerThatCloses() throws Exception {
        for (String ehlo : List.of("250 here", "250-here\r\n250 PIPELINING")) {
            try (ScriptedHop server = server(ehlo, "MAIL FROM:<a@x>", "421 going down", "close");
                    SmtpClient client = open(server)) {
                assertThat(client.begin("a@x", List.of("b@y")))
                        .isEqualTo(new SmtpReply(421, "going down"));
                assertThat(server.received()).doesNotContain("RSET");
            }
        }
    }

    @Test
    void isNotWanted() throws Exception {
        try (ScriptedHop server = ScriptedHop.start(new String[] {"554 nobody here"})) {
            assertThatThrownBy(() -> open(server)).hasMessage("answered 554 nobody here");
        }
        // Bound, so that nobody else gets the port, and not listening.
        try (Socket bound = new Socket()) {
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            InetSocketAddress nobody = (InetSocketAddress) bound.getLocalSocketAddress();
            assertThatThrownBy(() -> SmtpClient.connect(nobody, TIMEOUT))
                    .isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "25, not a reply",
        "2x0 ok, not a reply",
        "150 early, not a reply",
        "250_ok, not a reply",
        "'250-a\n251 b', in the same reply",
    })
    void leavesWhatIsNoReply(String said, String expected) throws Exception {
        try (ScriptedHop server = server("250 here", "NOOP", said.replace("\n", "\r\n"));
                SmtpClient client = open(server)) {
            assertThatThrownBy(() -> client.command("NOOP"))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining(expected);
        }
    }

    /** RFC 5321 4.5.3.1.5 has 512 octets a line; the code counts, whatever comes behind it. */
    @Test
    void ofALongReplyTheBeginningIsKept() throws Exception {
        String[] script = {
            "NOOP",
            "250 " + "x".repeat(5_000),
            "NOOP",
            "550-x\r\n".repeat(200) + "550 end",
            "NOOP",
            ("550-" + "x".repeat(2_000) + "\r\n").repeat(99) + "550 end",
            "NOOP",
            "250 short"
        };
        try (ScriptedHop server = server("250 here", script);
                SmtpClient client = open(server)) {
            SmtpReply line = client.command("NOOP");
            assertThat(line.text()).matches("x{2000,2050}");
            // What is noted and logged.
            assertThat(line.toString()).matches("250 x{512}");
            SmtpReply lines = client.command("NOOP");
            assertThat(lines.code()).isEqualTo(550);
            assertThat(lines.text()).hasLineCount(100);
            assertThat(client.command("NOOP").text()).hasSizeBetween(8_000, 11_000);
            assertThat(client.command("NOOP")).isEqualTo(new SmtpReply(250, "short"));
        }
    }

    @Test
    void aReplyThatGoesOnForEverEnds() throws Exception {
        for (String endless : List.of("250 " + "x".repeat(1 << 20), "250-x\r\n".repeat(1 << 18))) {
            try (ScriptedHop server = server("250 here", "NOOP", endless);
                    SmtpClient client = open(server)) {
                assertThatThrownBy(() -> client.command("NOOP"))
                        .isInstanceOf(ProtocolException.class)
                        .hasMessageContaining("more than");
            }
        }
    }

    @Test
    void waitsNoLongerThanItIsTold() throws Exception {
        try (ScriptedHop server =
                ScriptedHop.start(new String[] {"wait"}, new String[] {"close"})) {
            try (SmtpClient client = SmtpClient.connect(address(server), Duration.ofMillis(50))) {
                assertThatThrownBy(client::reply).isInstanceOf(SocketTimeoutException.class);
            }
        }
        try (ScriptedHop server = ScriptedHop.start(new String[] {"close"});
                SmtpClient client = SmtpClient.connect(address(server), TIMEOUT)) {
            assertThatThrownBy(client::reply)
                    .isInstanceOf(EOFException.class)
                    .hasMessage("closed the connection");
        }
    }

    @Test
    void trustsNothingThatWasSaidBeforeTls() throws Exception {
        try (ScriptedHop server = server(
                        "250-here\r\n250 STARTTLS", "STARTTLS", "220 go\r\n250 for you", "wait");
                SmtpClient client = open(server)) {
            assertThatThrownBy(() -> client.startTls(
                            SSLContext.getDefault().getSocketFactory(), new SSLParameters()))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("after STARTTLS");
        }
        try (ScriptedHop server = server("250 here", "STARTTLS", "454 no key");
                SmtpClient client = open(server)) {
            assertThat(client.startTls(
                            SSLContext.getDefault().getSocketFactory(), new SSLParameters()))
                    .isEqualTo(new SmtpReply(454, "no key"));
        }
    }

    @Test
    void speaksTlsWithAHub(@TempDir Path folder) throws Exception {
        X509Bundle bundle = new CertificateBuilder()
                .subject("CN=hub")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Path certificate =
                Files.writeString(folder.resolve("tls.pem"), bundle.getCertificatePathPEM());
        Path key = Files.writeString(folder.resolve("tls.key"), bundle.getPrivateKeyPEM());
        HubConfiguration configuration = HubConfigurations.on(
                folder,
                IntakeKind.DISCARD,
                new DeliverySpec.Discard(),
                Map.of(
                        "smtp.tls-certificate",
                        certificate.toString(),
                        "smtp.tls-key",
                        key.toString()));
        SSLContext any = SSLContext.getInstance("TLS");
        any.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        try (Hub hub = Hub.start(configuration)) {
            try (SmtpClient client = SmtpClient.open(hub.address(), TIMEOUT, "client.example")) {
                assertThat(client.has("STARTTLS")).isTrue();
                assertThat(client.startTls(any.getSocketFactory(), new SSLParameters())
                                .isSuccess())
                        .isTrue();
                assertThat(client.has("STARTTLS")).isFalse();
                assertThat(client.hello("client.example").isSuccess()).isTrue();
                assertThat(client.send("a@x.example", List.of("b@y.example"), new byte[] {'x'})
                                .text())
                        .startsWith("2.0.0 queued as ");
            }
            try (SmtpClient client = SmtpClient.open(hub.address(), TIMEOUT, "client.example")) {
                assertThatThrownBy(() -> client.startTls(
                                SSLContext.getDefault().getSocketFactory(), new SSLParameters()))
                        .isInstanceOf(SSLException.class);
            }
        }
    }
}
