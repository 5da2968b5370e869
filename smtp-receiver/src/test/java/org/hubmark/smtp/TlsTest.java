package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hubmark.smtp.Await.await;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

import org.hubmark.core.Settings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * STARTTLS as RFC 3207 has it, with the JDK's client over real sockets: the session begins anew after
 * the handshake, nothing said in plain text counts then, and bad TLS ends the connection; by each
 * engine alike.
 */
@Timeout(60)
@ParameterizedClass
@EnumSource
final class TlsTest {
    private static final String MAIL =
            "MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n";

    private final TlsEngine engine;

    @TempDir
    private Path folder;

    private final MemoryIntake intake = new MemoryIntake();
    private X509Bundle bundle;
    private SmtpReceiver receiver;

    TlsTest(TlsEngine engine) {
        this.engine = engine;
    }

    @BeforeEach
    void start() throws Exception {
        bundle = new CertificateBuilder()
                .subject("cn=mx.example")
                .addSanDnsName("mx.example")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        write(bundle);
        receiver = start(withCertificate(Map.of()));
    }

    private void write(X509Bundle written) throws IOException {
        Files.writeString(folder.resolve("certificate.pem"), written.getCertificatePathPEM());
        Files.writeString(folder.resolve("key.pem"), written.getPrivateKeyPEM());
    }

    private Map<String, String> withCertificate(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("smtp.tls-certificate", folder.resolve("certificate.pem").toString());
        all.put("smtp.tls-key", folder.resolve("key.pem").toString());
        return all;
    }

    private void restart(Map<String, String> settings) throws IOException {
        receiver.close();
        receiver = start(withCertificate(settings));
    }

    @AfterEach
    void stop() {
        receiver.close();
        assertThat(receiver.budget().bytesUsed()).isZero();
    }

    @Test
    void takesMailByTls() throws Exception {
        try (Client client = new Client()) {
            assertThat(client.reply()).startsWith("220 ");
            client.send("EHLO c.example\r\n");
            assertThat(client.reply()).contains("250-STARTTLS\n");
            client.send("STARTTLS\r\n");
            assertThat(client.reply()).startsWith("220 ");
            client.handshake();
            // Forgotten, so that nobody in between decides what the server believes of the client.
            client.send("MAIL FROM:<a@b.example>\r\n");
            assertThat(client.reply()).startsWith("503 5.5.1 HELO or EHLO first");
            client.send("EHLO c.example\r\n");
            assertThat(client.reply()).doesNotContain("STARTTLS").contains("250-PIPELINING");
            client.send("STARTTLS\r\n");
            assertThat(client.reply()).startsWith("503 5.5.1 TLS is in use already");
            client.send(MAIL);
            assertThat(client.reply() + client.reply() + client.reply()).contains("\n354 ");
            client.send(
                    "Subject: s\r\n\r\n" + "x".repeat(500).concat("\r\n").repeat(1_000) + ".\r\n");
            assertThat(client.reply()).startsWith("250 2.0.0 queued as");
            client.send("QUIT\r\n");
            assertThat(client.reply()).startsWith("221 ");
            assertThat(client.end()).isTrue();
        }
        assertThat(intake.messages()).hasSize(1);
        assertThat(intake.messages().getFirst().traceField()).contains("with ESMTPS id ");
        assertThat(receiver.counters().tlsHandshakes.sum()).isEqualTo(1);
        assertThat(receiver.counters().bytesAccepted.sum()).isGreaterThan(502_000);
    }

    /** The flaw that many servers had (CVE-2011-0411 and its kin). */
    @Test
    void executesNothingThatCameInPlainTextBehindStarttls() throws Exception {
        try (Client client = new Client()) {
            assertThat(client.reply()).startsWith("220 ");
            client.send("EHLO c.example\r\n");
            client.reply();
            client.send("STARTTLS\r\nMAIL FROM:<evil@b.example>\r\n");
            assertThat(client.reply()).startsWith("421 4.7.0 plain text");
            assertThat(client.end()).isTrue();
        }
        assertThat(receiver.counters().tlsFailures.sum()).isEqualTo(1);
    }

    @Test
    void endsAHandshakeThatIsNone() throws Exception {
        try (Client client = new Client()) {
            assertThat(client.reply()).startsWith("220 ");
            client.send("EHLO c.example\r\n");
            client.reply();
            client.send("STARTTLS\r\n");
            client.reply();
            client.send("MAIL FROM:<evil@b.example>\r\nRCPT TO:<c@d.example>\r\n");
            await().until(() -> receiver.counters().tlsFailures.sum() == 1);
            await().until(() -> receiver.counters().connectionsClosed.sum() == 1);
        }
        assertThat(receiver.counters().commandErrors.sum()).isZero();
    }

    @Test
    void refusesStarttlsOutOfPlace() throws Exception {
        try (Client client = new Client()) {
            assertThat(client.reply()).startsWith("220 ");
            client.send("STARTTLS\r\n");
            assertThat(client.reply()).startsWith("503 5.5.1 HELO or EHLO first");
            client.send("EHLO c.example\r\n");
            client.reply();
            client.send("STARTTLS now\r\n");
            assertThat(client.reply()).startsWith("501 5.5.4");
            client.send("STARTTLSX\r\n");
            assertThat(client.reply()).startsWith("500 5.5.2");
        }
        try (Peer peer = new Peer()) {
            peer.replies();
            assertThat(peer.send("EHLO c.example\r\n")).doesNotContain("STARTTLS");
            assertThat(peer.send("STARTTLS\r\n")).startsWith("502 5.5.1");
        }
    }

    @Test
    void speaksTlsFromTheFirstOctet() throws Exception {
        restart(Map.of("smtp.tls-listen", "127.0.0.1:0"));
        try (Client client = new Client(receiver.tlsAddress().orElseThrow())) {
            client.handshake();
            assertThat(client.reply()).startsWith("220 ");
            client.send("EHLO c.example\r\n");
            assertThat(client.reply()).doesNotContain("STARTTLS");
            client.send("STARTTLS\r\n");
            assertThat(client.reply()).startsWith("503 5.5.1 TLS is in use already");
            client.send(MAIL + "Subject: s\r\n\r\n.\r\n");
            assertThat(client.reply() + client.reply() + client.reply()).contains("\n354 ");
            assertThat(client.reply()).startsWith("250 2.0.0 queued as");
        }
        assertThat(intake.messages().getFirst().traceField()).contains("with ESMTPS id ");
    }

    @Test
    void takesNoMailInPlainTextWhereTlsIsRequired() throws Exception {
        restart(Map.of("smtp.tls-required", "true"));
        try (Client client = new Client()) {
            assertThat(client.reply()).startsWith("220 ");
            client.send("EHLO c.example\r\nNOOP\r\n" + MAIL);
            assertThat(client.reply()).contains("STARTTLS");
            assertThat(client.reply()).startsWith("250 ");
            for (int i = 0; i < 3; i++) {
                assertThat(client.reply()).startsWith("530 5.7.0 ");
            }
            client.send("STARTTLS\r\n");
            client.reply();
            client.handshake();
            client.send("EHLO c.example\r\n");
            client.reply();
            client.send("MAIL FROM:<a@b.example>\r\n");
            assertThat(client.reply()).startsWith("250 ");
        }
    }

    @Test
    void takesARenewedCertificateIntoUse() throws Exception {
        restart(Map.of("smtp.tls-listen", "127.0.0.1:0"));
        // Half a pair, as a renewal leaves it for a moment: the one in use stays.
        Files.writeString(
                folder.resolve("certificate.pem"),
                new CertificateBuilder()
                        .subject("cn=mx.example")
                        .setIsCertificateAuthority(true)
                        .buildSelfSigned()
                        .getCertificatePathPEM());
        try (Client client = new Client(receiver.tlsAddress().orElseThrow())) {
            client.handshake();
            assertThat(client.reply()).startsWith("220 ");
        }
        X509Bundle renewed = new CertificateBuilder()
                .subject("cn=mx.example")
                .addSanDnsName("mx.example")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        write(renewed);
        bundle = renewed;
        // The one before is not trusted any more.
        await().ignoreExceptionsInstanceOf(SSLException.class).untilAsserted(() -> {
            try (Client client = new Client(receiver.tlsAddress().orElseThrow())) {
                client.handshake();
                assertThat(client.reply()).startsWith("220 ");
            }
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"rsa2048", "ecp256", "ecp384", "ed25519"})
    void signsWithKeysOfEachKind(CertificateBuilder.Algorithm algorithm) throws Exception {
        bundle = new CertificateBuilder()
                .subject("cn=mx.example")
                .addSanDnsName("mx.example")
                .algorithm(algorithm)
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        write(bundle);
        restart(Map.of("smtp.tls-listen", "127.0.0.1:0"));
        for (String version : new String[] {"TLSv1.2", "TLSv1.3"}) {
            try (Client client = new Client(receiver.tlsAddress().orElseThrow())) {
                client.handshake(version);
                assertThat(client.reply()).startsWith("220 ");
            }
        }
    }

    @Test
    void refusesOldVersionsAndRenegotiation() throws Exception {
        restart(Map.of("smtp.tls-listen", "127.0.0.1:0"));
        try (Client client = new Client(receiver.tlsAddress().orElseThrow())) {
            assertThatThrownBy(() -> client.handshake("TLSv1.1", "TLSv1")).isNotNull();
        }
        try (Client client = new Client(receiver.tlsAddress().orElseThrow())) {
            client.handshake("TLSv1.2");
            assertThat(client.reply()).startsWith("220 ");
            // A second handshake is a renegotiation in TLS 1.2.
            assertThatThrownBy(() -> {
                        ((SSLSocket) client.socket).startHandshake();
                        client.send("NOOP\r\n");
                        client.reply();
                        client.send("NOOP\r\n");
                        assertThat(client.reply()).startsWith("250 ");
                    })
                    .isNotNull();
        }
    }

    @Test
    void limitsHandshakes() throws Exception {
        List<Client> waiting = new ArrayList<>();
        try (Client refused = new Client()) {
            for (int i = 0; i < Tls.HANDSHAKES_MAX; i++) {
                waiting.add(new Client());
                assertThat(begin(waiting.getLast())).startsWith("220 ");
            }
            assertThat(begin(refused)).startsWith("454 4.7.0 ");
            waiting.removeLast().close();
            await().until(() -> {
                refused.send("STARTTLS\r\n");
                return refused.reply().startsWith("220 ");
            });
            refused.handshake();
        } finally {
            for (Client client : waiting) {
                client.close();
            }
        }
    }

    private static String begin(Client client) throws IOException {
        client.reply();
        client.send("EHLO c.example\r\n");
        client.reply();
        client.send("STARTTLS\r\n");
        return client.reply();
    }

    @Test
    void saysWhichSettingsDontFitTogether() {
        for (String key : new String[] {"smtp.tls-required", "smtp.tls-listen"}) {
            String value = key.endsWith("listen") ? "127.0.0.1:0" : "true";
            assertThatThrownBy(() -> start(Map.of(key, value)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(key + ": needs smtp.tls-certificate");
        }
        for (String address : new String[] {"465", "127.0.0.1:", "127.0.0.1:99999", ":465"}) {
            assertThatThrownBy(() -> start(withCertificate(Map.of("smtp.tls-listen", address))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + address + "' is not HOST:PORT");
        }
    }

    @Test
    void saysWhatIsWrongWithACertificate() throws IOException {
        Path file = Files.writeString(folder.resolve("letter"), "dear");
        String certificate = folder.resolve("certificate.pem").toString();
        assertThatThrownBy(() -> start(Map.of("smtp.tls-certificate", certificate)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("give both or neither");
        assertThatThrownBy(() -> start(
                        Map.of("smtp.tls-certificate", certificate, "smtp.tls-key", "/no/key")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/no/key is not a file");
        assertThatThrownBy(() -> start(Map.of(
                        "smtp.tls-certificate", certificate, "smtp.tls-key", file.toString())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("are not a certificate chain and its private key in PEM");
        for (String form : new String[] {
            "RSA PRIVATE KEY (PKCS #1)", "EC PRIVATE KEY (SEC1)", "ENCRYPTED PRIVATE KEY"
        }) {
            String label = form.replaceFirst(" \\(.*", "") + "-----\n";
            Files.writeString(
                    file,
                    "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
                            + "-----BEGIN " + label + "MA==\n-----END " + label);
            assertThatThrownBy(() -> start(Map.of(
                            "smtp.tls-certificate", certificate, "smtp.tls-key", file.toString())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(form.startsWith("ENC") ? file + " is encrypted" : form)
                    .hasMessageContaining("openssl pkcs8 -topk8 -nocrypt -in " + file);
        }
    }

    /** Each handshake would fail, and most senders would go on in plain text. */
    @ParameterizedTest
    @EnumSource(names = {"rsa2048", "ecp256", "ecp384", "ed25519"})
    void takesNoKeyOfAnotherCertificate(CertificateBuilder.Algorithm algorithm) throws Exception {
        Files.writeString(
                folder.resolve("key.pem"),
                new CertificateBuilder()
                        .subject("cn=mx.example")
                        .algorithm(algorithm)
                        .setIsCertificateAuthority(true)
                        .buildSelfSigned()
                        .getPrivateKeyPEM());
        assertThatThrownBy(() -> start(withCertificate(Map.of())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the private key is not that of the first certificate");
    }

    private SmtpReceiver start(Map<String, String> given) throws IOException {
        Settings settings = new Settings(given);
        return SmtpReceiver.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                intake,
                settings,
                Limits.read(settings),
                Tls.read(settings, engine, Duration.ofMillis(20)),
                new OpenPolicy(),
                null,
                InstantSource.system());
    }

    /** Speaks in plain text until {@link #handshake}. */
    private final class Client implements AutoCloseable {
        private Socket socket;
        private BufferedReader in;

        Client() throws IOException {
            this(receiver.address());
        }

        Client(InetSocketAddress address) throws IOException {
            socket = new Socket(address.getAddress(), address.getPort());
            in = reader();
        }

        /** Trusts this one certificate and checks the name in it. */
        void handshake(String... protocols) throws Exception {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            trusted.setCertificateEntry("mx", bundle.getCertificate());
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            SSLSocket secure = (SSLSocket)
                    context.getSocketFactory().createSocket(socket, "mx.example", 25, true);
            var parameters = secure.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secure.setSSLParameters(parameters);
            if (protocols.length > 0) {
                secure.setEnabledProtocols(protocols);
            }
            secure.startHandshake();
            socket = secure;
            in = reader();
        }

        void send(String octets) throws IOException {
            socket.getOutputStream().write(octets.getBytes(StandardCharsets.ISO_8859_1));
        }

        /** {@return a whole reply with LF line ends} */
        String reply() throws IOException {
            StringBuilder text = new StringBuilder();
            String line;
            do {
                line = String.valueOf(in.readLine());
                text.append(line).append('\n');
            } while (line.length() > 3 && line.charAt(3) == '-');
            return text.toString();
        }

        boolean end() throws IOException {
            try {
                return in.readLine() == null;
            } catch (SSLException e) {
                return false;
            }
        }

        private BufferedReader reader() throws IOException {
            return new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
