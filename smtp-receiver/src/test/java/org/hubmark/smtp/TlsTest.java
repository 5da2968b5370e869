package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hubmark.smtp.Await.await;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

import org.hubmark.core.Settings;
import org.hubmark.smtp.client.SmtpClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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

import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * STARTTLS as RFC 3207 has it, with the JDK's TLS over real sockets: the session begins anew after
 * the handshake, nothing said in plain text counts then, and bad TLS ends the connection; by each
 * engine alike.
 */
@Timeout(60)
@ParameterizedClass
@EnumSource
final class TlsTest {
    private static final Duration WAIT = Duration.ofMinutes(1);
    private static final String MAIL = "MAIL FROM:<a@b.example>";
    private static final List<String> TO = List.of("c@d.example");

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
        renew(CertificateBuilder.Algorithm.ecp256);
        receiver = start(withCertificate(Map.of()));
    }

    private void renew(CertificateBuilder.Algorithm algorithm) throws Exception {
        bundle = certificate(algorithm);
        Files.writeString(folder.resolve("certificate.pem"), bundle.getCertificatePathPEM());
        Files.writeString(folder.resolve("key.pem"), bundle.getPrivateKeyPEM());
    }

    private static X509Bundle certificate(CertificateBuilder.Algorithm algorithm) throws Exception {
        return new CertificateBuilder()
                .subject("cn=mx.example")
                .addSanDnsName("mx.example")
                .algorithm(algorithm)
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
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

    private SmtpClient open() throws IOException {
        return SmtpClient.open(receiver.address(), WAIT, "c.example");
    }

    /** Connects to the port for TLS and does a handshake, before a word is said. */
    private SmtpClient openByTls(String... protocols) throws Exception {
        SmtpClient client = SmtpClient.connect(receiver.tlsAddress().orElseThrow(), WAIT);
        encrypt(client, protocols);
        assertThat(client.reply()).asString().startsWith("220 ");
        return client;
    }

    private static void ask(SmtpClient client, String line, String reply) throws IOException {
        assertThat(client.command(line)).asString().startsWith(reply);
    }

    /** Trusts this one certificate and checks the name in it. */
    private void encrypt(SmtpClient client, String... protocols) throws Exception {
        SSLParameters parameters = new SSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setServerNames(List.of(new SNIHostName("mx.example")));
        if (protocols.length > 0) {
            parameters.setProtocols(protocols);
        }
        client.encrypt(sockets(), parameters);
    }

    private SSLSocketFactory sockets() throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("mx", bundle.getCertificate());
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context.getSocketFactory();
    }

    @Test
    void takesMailByTls() throws Exception {
        try (SmtpClient client = open()) {
            assertThat(client.has("STARTTLS")).isTrue();
            ask(client, "STARTTLS", "220 ");
            encrypt(client);
            // Forgotten, so that nobody in between decides what the server believes of the client.
            ask(client, MAIL, "503 5.5.1 HELO or EHLO first");
            assertThat(client.hello("c.example").isSuccess()).isTrue();
            assertThat(client.has("STARTTLS")).isFalse();
            assertThat(client.has("PIPELINING")).isTrue();
            ask(client, "STARTTLS", "503 5.5.1 TLS is in use already");
            String content =
                    "Subject: s\r\n\r\n" + "x".repeat(500).concat("\r\n").repeat(1_000);
            byte[] octets = content.getBytes(StandardCharsets.US_ASCII);
            assertThat(client.send("a@b.example", TO, octets))
                    .asString()
                    .startsWith("250 2.0.0 queued as");
            ask(client, "QUIT", "221 ");
            assertThatThrownBy(client::reply).isInstanceOf(EOFException.class);
        }
        assertThat(intake.messages()).hasSize(1);
        assertThat(intake.messages().getFirst().traceField()).contains("with ESMTPS id ");
        assertThat(receiver.counters().tlsHandshakes.sum()).isEqualTo(1);
        assertThat(receiver.counters().bytesAccepted.sum()).isGreaterThan(502_000);
    }

    /** The flaw that many servers had (CVE-2011-0411 and its kin). */
    @Test
    void executesNothingThatCameInPlainTextBehindStarttls() throws Exception {
        try (SmtpClient client = open()) {
            ask(client, "STARTTLS\r\nMAIL FROM:<evil@b.example>", "421 4.7.0 plain text");
            assertThatThrownBy(client::reply).isInstanceOf(EOFException.class);
        }
        assertThat(receiver.counters().tlsFailures.sum()).isEqualTo(1);
    }

    @Test
    void endsAHandshakeThatIsNone() throws Exception {
        try (SmtpClient client = open()) {
            ask(client, "STARTTLS", "220 ");
            client.write("MAIL FROM:<evil@b.example>\r\nRCPT TO:<c@d.example>\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            await().until(() -> receiver.counters().tlsFailures.sum() == 1);
            await().until(() -> receiver.counters().connectionsClosed.sum() == 1);
        }
        assertThat(receiver.counters().commandErrors.sum()).isZero();
    }

    @Test
    void refusesStarttlsOutOfPlace() throws Exception {
        try (SmtpClient client = SmtpClient.connect(receiver.address(), WAIT)) {
            assertThat(client.reply()).asString().startsWith("220 ");
            ask(client, "STARTTLS", "503 5.5.1 HELO or EHLO first");
            ask(client, "EHLO c.example", "250 ");
            ask(client, "STARTTLS now", "501 5.5.4");
            ask(client, "STARTTLSX", "500 5.5.2");
        }
    }

    @Test
    void speaksTlsFromTheFirstOctet() throws Exception {
        restart(Map.of("smtp.tls-listen", "127.0.0.1:0"));
        try (SmtpClient client = openByTls()) {
            assertThat(client.hello("c.example").isSuccess()).isTrue();
            assertThat(client.has("STARTTLS")).isFalse();
            ask(client, "STARTTLS", "503 5.5.1 TLS is in use already");
            assertThat(client.send("a@b.example", TO, new byte[0]))
                    .asString()
                    .startsWith("250 2.0.0 queued as");
        }
        assertThat(intake.messages().getFirst().traceField()).contains("with ESMTPS id ");
    }

    @Test
    void takesNoMailInPlainTextWhereTlsIsRequired() throws Exception {
        restart(Map.of("smtp.tls-required", "true"));
        try (SmtpClient client = open()) {
            assertThat(client.has("STARTTLS")).isTrue();
            ask(client, "NOOP", "250 ");
            for (String command : new String[] {MAIL, "RCPT TO:<c@d.example>", "DATA"}) {
                ask(client, command, "530 5.7.0 ");
            }
            ask(client, "STARTTLS", "220 ");
            encrypt(client);
            ask(client, "EHLO c.example", "250 ");
            ask(client, MAIL, "250 ");
        }
    }

    @Test
    void takesARenewedCertificateIntoUse() throws Exception {
        restart(Map.of("smtp.tls-listen", "127.0.0.1:0"));
        // Half a pair, as a renewal leaves it for a moment: the one in use stays.
        Files.writeString(
                folder.resolve("certificate.pem"),
                certificate(CertificateBuilder.Algorithm.ecp256).getCertificatePathPEM());
        openByTls().close();
        renew(CertificateBuilder.Algorithm.ecp256);
        // The one before is not trusted any more.
        await().ignoreExceptionsInstanceOf(SSLException.class)
                .untilAsserted(() -> openByTls().close());
    }

    @ParameterizedTest
    @EnumSource(names = {"rsa2048", "ecp256", "ecp384", "ed25519"})
    void signsWithKeysOfEachKindAndTakesNoneOfAnotherCertificate(
            CertificateBuilder.Algorithm algorithm) throws Exception {
        renew(algorithm);
        restart(Map.of("smtp.tls-listen", "127.0.0.1:0"));
        for (String version : new String[] {"TLSv1.2", "TLSv1.3"}) {
            openByTls(version).close();
        }
        // Each handshake would fail, and most senders would go on in plain text.
        for (CertificateBuilder.Algorithm of : List.of(
                algorithm,
                CertificateBuilder.Algorithm.rsa2048,
                CertificateBuilder.Algorithm.ecp384)) {
            Files.writeString(folder.resolve("key.pem"), certificate(of).getPrivateKeyPEM());
            refuses(
                    withCertificate(Map.of()),
                    IOException.class,
                    "the private key is not that of the first certificate");
        }
    }

    @Test
    void refusesOldVersionsAndRenegotiation() throws Exception {
        restart(Map.of("smtp.tls-listen", "127.0.0.1:0"));
        InetSocketAddress address = receiver.tlsAddress().orElseThrow();
        assertThatThrownBy(() -> openByTls("TLSv1.1", "TLSv1")).isNotNull();
        try (SSLSocket socket =
                (SSLSocket) sockets().createSocket(address.getAddress(), address.getPort())) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            BufferedReader in = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(in.readLine()).startsWith("220 ");
            // A second handshake is a renegotiation in TLS 1.2.
            assertThatThrownBy(() -> {
                        socket.startHandshake();
                        String reply = "";
                        for (int i = 0; i < 2; i++) {
                            socket.getOutputStream().write(new byte[] {'N', 'O', 'O', 'P', 13, 10});
                            reply = in.readLine();
                        }
                        assertThat(reply).startsWith("250 ");
                    })
                    .isNotNull();
        }
    }

    @Test
    void limitsHandshakes() throws Exception {
        List<SmtpClient> waiting = new ArrayList<>();
        try (SmtpClient refused = open()) {
            for (int i = 0; i < Tls.HANDSHAKES_MAX; i++) {
                waiting.add(open());
                ask(waiting.getLast(), "STARTTLS", "220 ");
            }
            ask(refused, "STARTTLS", "454 4.7.0 ");
            waiting.removeLast().close();
            await().until(() -> refused.command("STARTTLS").isSuccess());
            encrypt(refused);
        } finally {
            waiting.forEach(SmtpClient::close);
        }
    }

    private void refuses(
            Map<String, String> settings, Class<? extends Exception> type, String... words) {
        assertThatThrownBy(() -> start(settings)).isInstanceOf(type).hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "smtp.tls-required, true, false, smtp.tls-required: needs smtp.tls-certificate",
                "smtp.tls-listen, 127.0.0.1:0, false, smtp.tls-listen: needs smtp.tls-certificate",
                "smtp.tls-certificate, c.pem, false, give both or neither",
                "smtp.tls-listen, 465, true, '465' is not HOST:PORT",
                "smtp.tls-listen, 127.0.0.1:, true, '127.0.0.1:' is not HOST:PORT",
                "smtp.tls-listen, 127.0.0.1:99999, true, '127.0.0.1:99999' is not HOST:PORT",
                "smtp.tls-listen, :465, true, ':465' is not HOST:PORT"
            })
    void saysWhichSettingsDontFitTogether(
            String key, String value, boolean withCertificate, String words) {
        Map<String, String> settings = Map.of(key, value);
        refuses(
                withCertificate ? withCertificate(settings) : settings,
                IllegalArgumentException.class,
                words);
    }

    @Test
    void saysWhatIsWrongWithACertificate() throws IOException {
        Map<String, String> settings = withCertificate(Map.of());
        settings.put("smtp.tls-key", "/no/key");
        refuses(settings, IOException.class, "/no/key is not a file");
        Path file = Files.writeString(folder.resolve("letter"), "dear");
        settings.put("smtp.tls-key", file.toString());
        refuses(
                settings,
                IOException.class,
                "are not a certificate chain and its private key in PEM");
        for (String form : new String[] {
            "RSA PRIVATE KEY (PKCS #1)", "EC PRIVATE KEY (SEC1)", "ENCRYPTED PRIVATE KEY"
        }) {
            String label = form.replaceFirst(" \\(.*", "") + "-----\n";
            Files.writeString(
                    file,
                    "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
                            + "-----BEGIN " + label + "MA==\n-----END " + label);
            refuses(
                    settings,
                    IOException.class,
                    form.startsWith("ENC") ? file + " is encrypted" : form,
                    "openssl pkcs8 -topk8 -nocrypt -in " + file);
        }
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
}
