package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;

import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.smtp.client.SmtpClient;
import org.hubmark.smtp.client.SmtpReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;

/**
 * Proves what the client says and makes of the answers, against servers that follow a script, and that
 * it speaks TLS with a hub.
 */
@Timeout(60)
final class SmtpClientTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final String HELLO = "| 220 here\nEHLO client.example | 250 here\n";

    private static SmtpClient open(ScriptedHop server) throws IOException {
        return SmtpClient.open(address(server), TIMEOUT, "client.example");
    }

    private static InetSocketAddress address(ScriptedHop server) {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), server.smtp().port());
    }

    @Test
    void aServerThatIsNotThereIsAnError() throws Exception {
        InetSocketAddress gone;
        try (ScriptedHop server = ScriptedHop.start("")) {
            gone = address(server);
        }
        assertThatThrownBy(() -> SmtpClient.connect(gone, TIMEOUT))
                .isInstanceOf(ConnectException.class);
    }

    @Test
    void sendsOneCommandAfterTheOther() throws Exception {
        try (ScriptedHop server = ScriptedHop.start("""
                        | 220 here
                        EHLO client.example | 250-here, 250 size 1000
                        MAIL FROM:<a@x> | 250 ok
                        RCPT TO:<b@y> | 250 ok
                        RCPT TO:<c@z> | 251 will forward
                        DATA | 354 go
                        . | 250-queued, 250 as 1
                        """);
                SmtpClient client = open(server)) {
            assertThat(client.has("SIZE")).isTrue();
            assertThat(client.has("PIPELINING")).isFalse();
            SmtpReply reply =
                    client.send("a@x", List.of("b@y", "c@z"), ".x\r\n..y".getBytes(US_ASCII));
            assertThat(reply).isEqualTo(new SmtpReply(250, "queued\nas 1"));
            assertThat(server.received()).endsWith("DATA\r\n..x\r\n...y\r\n.\r\n");
        }
    }

    /** It is ended, unless the server closes. No content is asked for where one is refused: it would go to the others. */
    @ParameterizedTest
    @CsvFileSource(resources = "refused-envelopes.csv", delimiter = ';')
    void anEnvelopeThatIsRefusedGoesNoFurther(
            String extension, String row, String reply, String sent) throws Exception {
        try (ScriptedHop server = ScriptedHop.start("hello " + extension + "\n" + row
                        + "\nRSET | 250 ok\nNOOP | 250 in step\n");
                SmtpClient client = open(server)) {
            assertThat(client.begin("a@x", List.of("b@y", "c@z"))).hasToString(reply);
            if (!row.endsWith("close")) {
                assertThat(client.command("NOOP")).hasToString("250 in step");
            }
            assertThat(server.received().replace("\r\n", " "))
                    .startsWith("EHLO client.example " + sent)
                    .doesNotContain("DATA");
        }
    }

    @Test
    void isNotWanted() throws Exception {
        try (ScriptedHop server = ScriptedHop.start("| 554 nobody here")) {
            assertThatThrownBy(() -> open(server)).hasMessage("answered 554 nobody here");
        }
    }

    /** A reply that goes on for ever ends. */
    @ParameterizedTest
    @CsvFileSource(resources = "no-replies.csv")
    void leavesWhatIsNoReply(String said, int times, String expected) throws Exception {
        String answer = said.endsWith("x") ? said + "x".repeat(times) : said.repeat(times);
        try (ScriptedHop server = ScriptedHop.start(HELLO + "NOOP | " + answer);
                SmtpClient client = open(server)) {
            assertThatThrownBy(() -> client.command("NOOP"))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining(expected);
        }
    }

    /** RFC 5321 4.5.3.1.5 has 512 octets a line; the code counts, whatever comes behind it. */
    @Test
    void ofALongReplyTheBeginningIsKept() throws Exception {
        String script = HELLO
                + ("NOOP | 250 " + "x".repeat(5_000) + "\n")
                + ("NOOP | " + "550-x, ".repeat(200) + "550 end\n")
                + ("NOOP | " + ("550-" + "x".repeat(2_000) + ", ").repeat(99) + "550 end\n")
                + "NOOP | 250 short\n";
        try (ScriptedHop server = ScriptedHop.start(script);
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
    void waitsNoLongerThanItIsTold() throws Exception {
        try (ScriptedHop server = ScriptedHop.start("| wait");
                SmtpClient client = SmtpClient.connect(address(server), Duration.ofMillis(50))) {
            assertThatThrownBy(client::reply).isInstanceOf(SocketTimeoutException.class);
        }
        try (ScriptedHop server = ScriptedHop.start("| close");
                SmtpClient client = SmtpClient.connect(address(server), TIMEOUT)) {
            assertThatThrownBy(client::reply)
                    .isInstanceOf(EOFException.class)
                    .hasMessage("closed the connection");
        }
    }

    @Test
    void trustsNothingThatWasSaidBeforeTls() throws Exception {
        SSLSocketFactory trusting = SSLContext.getDefault().getSocketFactory();
        try (ScriptedHop server = ScriptedHop.start(
                        HELLO + "STARTTLS | 454 no key\nSTARTTLS | 220 go, 250 for you, wait\n");
                SmtpClient client = open(server)) {
            assertThat(client.startTls(trusting, new SSLParameters()))
                    .isEqualTo(new SmtpReply(454, "no key"));
            assertThatThrownBy(() -> client.startTls(trusting, new SSLParameters()))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("after STARTTLS");
        }
    }

    @Test
    void speaksTlsWithAHub(@TempDir Path folder) throws Exception {
        SSLContext any = SSLContext.getInstance("TLS");
        any.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        try (Hub hub = Hub.start(TestHubs.on(
                folder,
                IntakeKind.DISCARD,
                new DeliverySpec.Discard(),
                TestCertificate.in(folder).settings()))) {
            try (SmtpClient client = TestHubs.client(hub)) {
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
            try (SmtpClient client = TestHubs.client(hub)) {
                assertThatThrownBy(() -> client.startTls(
                                SSLContext.getDefault().getSocketFactory(), new SSLParameters()))
                        .isInstanceOf(SSLException.class);
            }
        }
    }
}
