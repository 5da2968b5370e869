package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;

import org.hubmark.hub.delivery.DeliverySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Clients that others wrote send to a hub, each in every way it knows: what the hub delivers is octet by
 * octet what was sent, below trace fields, to the recipients it was sent to. What stands between them
 * tells whether a client really went that way. A client that isn't installed is skipped.
 */
@Tag("long")
final class ClientInteropTest {
    private static final String SENDER = "sender@x.example";
    /** The names that smtp-source makes of r@y.example. */
    private static final List<String> RECIPIENTS = List.of("r@y.example", "2r@y.example");

    private static final Duration CLIENT_MAX = Duration.ofMinutes(2);
    private static final Pattern TRACE =
            Pattern.compile("(Received: [^\r\n]*\r\n([ \t][^\r\n]*\r\n)*)+");
    private static final Pattern DATA = Pattern.compile("(?im)^DATA$");
    private static final Pattern BDAT = Pattern.compile("(?im)^BDAT [0-9]+( LAST)?$");
    private static final Pattern STARTTLS = Pattern.compile("(?im)^STARTTLS$");
    private static final ObjectMapper JSON = new ObjectMapper();

    private enum Way {
        /** A command, its answer, the next; DATA. */
        PLAIN,
        /** MAIL, RCPT and DATA before the first answer (RFC 2920). */
        PIPELINED,
        /** BDAT in place of DATA (RFC 3030). */
        CHUNKED,
        STARTTLS,
        /** TLS from the first octet. */
        TLS
    }

    /** Sends these files, each to all recipients, and returns when it is done or has queued them. */
    private interface Client {
        void send(Way way, int port, List<Path> messages) throws Exception;
    }

    @TempDir
    private Path folder;

    private Path certificate;
    private Path arrived;
    private Hub hub;
    private List<Path> messages;

    @BeforeEach
    void start() throws Exception {
        X509Bundle bundle = new CertificateBuilder()
                .subject("CN=localhost")
                .addSanDnsName("localhost")
                .addSanIpAddress(InetAddress.getLoopbackAddress())
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        // The users of mail servers have to get through to their folders below.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        certificate = Files.writeString(
                folder.resolve("certificate.pem"), bundle.getCertificatePathPEM());
        Path key = Files.writeString(folder.resolve("key.pem"), bundle.getPrivateKeyPEM());
        arrived = folder.resolve("arrived");
        hub = Hub.start(HubConfigurations.on(
                folder,
                IntakeKind.STORE,
                new DeliverySpec.Directory(arrived),
                Map.of(
                        "smtp.tls-certificate",
                        certificate.toString(),
                        "smtp.tls-key",
                        key.toString(),
                        "smtp.tls-listen",
                        "127.0.0.1:0")));
        messages = List.of(
                message("dots", ".\n..\n.x\n...\n\n.\nend\n"),
                message("8-bit", "gr\u00fc\u00df\n\u20ac\n"),
                message("long", "y".repeat(998) + "\n." + "z".repeat(997) + "\n"),
                message("large", (".line " + "0123456789".repeat(7) + "\n").repeat(65_000)));
    }

    @AfterEach
    void stop() throws IOException {
        hub.close();
    }

    @Test
    void swaks() throws Exception {
        String swaks = PeerServer.installed("swaks").toString();
        Client client = (way, port, files) -> {
            for (Path file : files) {
                List<String> command = new ArrayList<>(List.of(
                        swaks,
                        "--server",
                        "127.0.0.1:" + port,
                        "--helo",
                        "client.example",
                        "--from",
                        SENDER,
                        "--to",
                        String.join(",", RECIPIENTS),
                        "--data",
                        "@" + file,
                        "--suppress-data"));
                switch (way) {
                    case PLAIN -> {}
                    case PIPELINED -> command.add("--pipeline");
                    case STARTTLS -> command.addAll(verified("--tls"));
                    case TLS -> command.addAll(verified("--tls-on-connect"));
                    case CHUNKED -> throw new AssertionError(way);
                }
                run(file, command);
            }
        };
        for (Way way : List.of(Way.PLAIN, Way.PIPELINED, Way.STARTTLS, Way.TLS)) {
            send(client, way, withAnEmptyLineMore());
        }
    }

    private List<String> verified(String tls) {
        return List.of(tls, "--tls-verify", "--tls-ca-path", certificate.toString());
    }

    @Test
    void smtpSource() throws Exception {
        String source = PeerServer.installed("smtp-source").toString();
        Client client = (way, port, files) -> {
            for (Path file : files) {
                run(
                        file,
                        List.of(
                                source,
                                "-f",
                                SENDER,
                                "-t",
                                "r@y.example",
                                "-r",
                                "2",
                                "-F",
                                file.toString(),
                                "127.0.0.1:" + port));
            }
        };
        send(client, Way.PLAIN, withAnEmptyLineMore());
    }

    /** What becomes of a file where the client ends a last line that had ended. */
    private List<String> withAnEmptyLineMore() {
        return contents().stream().map(content -> content + "\r\n").toList();
    }

    @Test
    void postfix() throws Exception {
        String sendmail = PeerServer.installed("sendmail").toString();
        Client client = (way, port, files) -> {
            Path own = Files.createDirectory(folder.resolve("postfix-" + way));
            try (PeerServer postfix = PeerServer.in(own)) {
                String settings = String.format(Locale.ROOT, """
                        myhostname = client.example
                        relayhost = [127.0.0.1]:%d
                        """, port)
                        + switch (way) {
                            case PLAIN -> "smtp_discard_ehlo_keywords = pipelining, starttls\n";
                            case PIPELINED -> "smtp_tls_security_level = none\n";
                            case STARTTLS -> "smtp_tls_security_level = encrypt\n";
                            case TLS -> """
                            smtp_tls_security_level = encrypt
                            smtp_tls_wrappermode = yes
                            """;
                            case CHUNKED -> throw new AssertionError(way);
                        };
                postfix.startPostfix(settings, String.format(Locale.ROOT, """
                        127.0.0.1:%d inet n - n - - smtpd
                        pickup unix n - n 1 1 pickup
                        smtp   unix - - n - - smtp
                        """, postfix.port()));
                for (Path file : files) {
                    run(
                            file,
                            List.of(
                                    sendmail,
                                    "-C",
                                    own.resolve("etc").toString(),
                                    "-i",
                                    "-f",
                                    SENDER),
                            RECIPIENTS);
                }
                awaitArrival();
            }
        };
        sends(client, Way.PLAIN, Way.PIPELINED, Way.STARTTLS, Way.TLS);
    }

    @Test
    void exim() throws Exception {
        Client client = (way, port, files) -> {
            Path own = Files.createDirectory(folder.resolve("exim-" + way));
            try (PeerServer exim = PeerServer.in(own)) {
                String options = switch (way) {
                    case PLAIN -> """
                              hosts_avoid_pipelining = *
                              hosts_try_chunking =
                              hosts_avoid_tls = *
                            """;
                    case PIPELINED -> """
                              hosts_try_chunking =
                              hosts_avoid_tls = *
                            """;
                    case CHUNKED -> "  hosts_avoid_tls = *\n";
                    case STARTTLS -> "  hosts_require_tls = *\n";
                    case TLS -> "  hosts_require_tls = *\n  protocol = smtps\n";
                };
                List<String> command = exim.exim(
                        String.format(Locale.ROOT, """
                        primary_hostname = client.example
                        begin routers
                        hub:
                          driver = manualroute
                          route_list = * 127.0.0.1
                          self = send
                          transport = smtp
                        begin transports
                        smtp:
                          driver = smtp
                          port = %d
                        """, port) + options,
                        "-odf",
                        "-i",
                        "-f",
                        SENDER);
                for (Path file : files) {
                    run(file, command, RECIPIENTS);
                }
            }
        };
        sends(client, Way.values());
    }

    @Test
    void msmtp() throws Exception {
        String msmtp = PeerServer.installed("msmtp").toString();
        Client client = (way, port, files) -> {
            List<String> command = new ArrayList<>(List.of(
                    msmtp,
                    "--file=/dev/null",
                    "--host=127.0.0.1",
                    "--port=" + port,
                    "--domain=client.example",
                    "--from=" + SENDER));
            switch (way) {
                case PIPELINED -> {}
                case STARTTLS -> command.add("--tls-starttls=on");
                case TLS -> command.add("--tls-starttls=off");
                case PLAIN, CHUNKED -> throw new AssertionError(way);
            }
            if (way != Way.PIPELINED) {
                command.addAll(List.of("--tls=on", "--tls-trust-file=" + certificate));
            }
            for (Path file : files) {
                run(file, command, RECIPIENTS);
            }
        };
        // It pipelines wherever the server does.
        sends(client, Way.PIPELINED, Way.STARTTLS, Way.TLS);
    }

    @Test
    void curl() throws Exception {
        String curl = PeerServer.installed("curl").toString();
        Client client = (way, port, files) -> {
            String scheme = way == Way.TLS ? "smtps" : "smtp";
            List<String> command = new ArrayList<>(List.of(
                    curl,
                    "--silent",
                    "--show-error",
                    "--url",
                    scheme + "://127.0.0.1:" + port + "/client.example",
                    "--cacert",
                    certificate.toString(),
                    "--crlf",
                    "--upload-file",
                    "-",
                    "--mail-from",
                    SENDER));
            for (String recipient : RECIPIENTS) {
                command.addAll(List.of("--mail-rcpt", recipient));
            }
            if (way == Way.STARTTLS) {
                command.add("--ssl-reqd");
            }
            for (Path file : files) {
                run(file, command);
            }
        };
        sends(client, Way.PLAIN, Way.STARTTLS, Way.TLS);
    }

    @Test
    void pythonSmtplib() throws Exception {
        String script = """
                import smtplib, ssl, sys
                way, port, ca, sender, recipients, *files = sys.argv[1:]
                context = ssl.create_default_context(cafile=ca)
                if way == 'TLS':
                    server = smtplib.SMTP_SSL('127.0.0.1', int(port), context=context)
                else:
                    server = smtplib.SMTP('127.0.0.1', int(port))
                if way == 'STARTTLS':
                    server.starttls(context=context)
                for file in files:
                    content = open(file, 'rb').read().replace(b'\\n', b'\\r\\n')
                    server.sendmail(sender, recipients.split(','), content, ['BODY=8BITMIME'])
                server.quit()
                """;
        String python = PeerServer.installed("python3").toString();
        sends(scripted(List.of(python, "-c", script)), Way.PLAIN, Way.STARTTLS, Way.TLS);
    }

    @Test
    void nodemailer() throws Exception {
        String script = """
                const [way, port, ca, from, to, ...files] = process.argv.slice(1);
                const fs = require('fs');
                const transport = require('nodemailer').createTransport({
                    host: '127.0.0.1', port: port, pool: true, maxConnections: 1,
                    secure: way === 'TLS', requireTLS: way === 'STARTTLS', ignoreTLS: way === 'PLAIN',
                    tls: {ca: fs.readFileSync(ca)}});
                (async () => {
                    for (const file of files) {
                        await transport.sendMail({
                            envelope: {from: from, to: to.split(',')}, raw: fs.readFileSync(file)});
                    }
                    transport.close();
                })();
                """;
        String node = PeerServer.installed("node").toString();
        assumeTrue(
                new ProcessBuilder(node, "-e", "require('nodemailer')").start().waitFor() == 0,
                "node doesn't find nodemailer: npm install nodemailer, and name its node_modules in NODE_PATH");
        sends(scripted(List.of(node, "-e", script)), Way.PLAIN, Way.STARTTLS, Way.TLS);
    }

    /** A script that gets the way, the port, the certificate, sender, recipients and files. */
    private Client scripted(List<String> command) {
        return (way, port, files) -> {
            List<String> arguments = new ArrayList<>(List.of(
                    way.name(),
                    String.valueOf(port),
                    certificate.toString(),
                    SENDER,
                    String.join(",", RECIPIENTS)));
            files.forEach(file -> arguments.add(file.toString()));
            run(certificate, command, arguments);
        };
    }

    @Test
    void angusMail() throws Exception {
        sends(ClientInteropTest::sendByAngusMail, Way.PLAIN, Way.STARTTLS, Way.TLS);
    }

    /** It stuffs dots in chunks too (seen with 2.0.5), where nobody takes them out (RFC 3030 2). */
    @Test
    void angusMailByChunks() throws Exception {
        List<String> stuffed = new ArrayList<>();
        for (String content : contents()) {
            stuffed.add(content.replace("\r\n.", "\r\n.."));
        }
        send(ClientInteropTest::sendByAngusMail, Way.CHUNKED, stuffed);
    }

    private static void sendByAngusMail(Way way, int port, List<Path> files) throws Exception {
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "mail.smtp.host",
                "127.0.0.1",
                "mail.smtp.port",
                String.valueOf(port),
                "mail.smtp.from",
                SENDER,
                "mail.smtp.allow8bitmime",
                "true",
                "mail.smtp.ssl.trust",
                "127.0.0.1",
                "mail.smtp.ssl.enable",
                String.valueOf(way == Way.TLS),
                "mail.smtp.starttls.enable",
                String.valueOf(way == Way.STARTTLS),
                "mail.smtp.starttls.required",
                String.valueOf(way == Way.STARTTLS)));
        if (way == Way.CHUNKED) {
            properties.put("mail.smtp.chunksize", "100000");
        }
        Session session = Session.getInstance(properties);
        try (Transport transport = session.getTransport("smtp")) {
            transport.connect();
            for (Path file : files) {
                try (InputStream in = Files.newInputStream(file)) {
                    transport.sendMessage(
                            new MimeMessage(session, in),
                            InternetAddress.parse(String.join(",", RECIPIENTS)));
                }
            }
        }
    }

    private void sends(Client client, Way... ways) throws Exception {
        for (Way way : ways) {
            send(client, way, contents());
        }
    }

    private void send(Client client, Way way, List<String> expected) throws Exception {
        try (Wire wire = wire(way)) {
            client.send(way, wire.port(), messages);
            awaitArrival();
            assertWentThatWay(way, wire);
        }
        assertArrived(way, expected);
    }

    /** {@return the messages with line ends as they have to be on the wire} */
    private List<String> contents() {
        return messages.stream()
                .map(message -> PeerServer.read(message).replace("\n", "\r\n"))
                .toList();
    }

    private Wire wire(Way way) throws IOException {
        return switch (way) {
            case PLAIN, CHUNKED, STARTTLS -> Wire.to(hub.address());
            case PIPELINED -> Wire.forPipelining(hub.address());
            case TLS -> Wire.to(hub.tlsAddress().orElseThrow());
        };
    }

    private static void assertWentThatWay(Way way, Wire wire) {
        boolean goesByData = way == Way.PLAIN || way == Way.PIPELINED;
        assertThat(wire.carried(DATA)).as(way + ": DATA").isEqualTo(goesByData);
        assertThat(wire.carried(BDAT)).as(way + ": BDAT").isEqualTo(way == Way.CHUNKED);
        assertThat(wire.carried(STARTTLS)).as(way + ": STARTTLS").isEqualTo(way == Way.STARTTLS);
    }

    private void awaitArrival() {
        await().atMost(CLIENT_MAX).until(() -> arrivals(".json").size() >= messages.size());
    }

    private void assertArrived(Way way, List<String> expected) throws IOException {
        List<String> missing = new ArrayList<>(expected);
        for (Path envelope : arrivals(".json")) {
            JsonNode fields = JSON.readTree(envelope.toFile());
            assertThat(fields.path("reverse_path").asText()).isEqualTo(SENDER);
            assertThat(fields.path("forward_paths"))
                    .extracting(JsonNode::asText)
                    .containsExactlyInAnyOrderElementsOf(RECIPIENTS);
            Path content = arrived.resolve(fields.path("id").asText() + ".eml");
            String text = PeerServer.read(content);
            String sent = missing.stream().filter(text::endsWith).findFirst().orElse("");
            assertThat(sent).as(() -> way + ", changed: " + start(text)).isNotEmpty();
            String trace = text.substring(0, text.length() - sent.length());
            assertThat(trace).matches(TRACE);
            boolean encrypted = way == Way.STARTTLS || way == Way.TLS;
            assertThat(trace.contains("with ESMTPS id ")).as(trace).isEqualTo(encrypted);
            missing.remove(sent);
            Files.delete(content);
            Files.delete(envelope);
        }
        assertThat(missing).as(() -> way + ": what did not arrive").isEmpty();
    }

    private static String start(String text) {
        return text.substring(0, Math.min(text.length(), 2000));
    }

    private List<Path> arrivals(String ending) throws IOException {
        try (Stream<Path> files = Files.list(arrived)) {
            return files.filter(file -> file.getFileName().toString().endsWith(ending)
                            && !file.getFileName().toString().startsWith("."))
                    .toList();
        }
    }

    /** A message with all the fields that a client might otherwise add; lines end in LF. */
    private Path message(String name, String body) throws IOException {
        String header = String.format(Locale.ROOT, """
                Date: Fri, 20 Nov 2026 12:00:00 +0000
                From: <%s>
                To: <%s>
                Message-ID: <%s@x.example>
                Subject: %3$s
                MIME-Version: 1.0
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: 8bit

                """, SENDER, RECIPIENTS.getFirst(), name);
        return Files.writeString(folder.resolve(name), header + body);
    }

    private void run(Path input, List<String> command, List<String> more) throws Exception {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(more);
        run(input, whole);
    }

    private void run(Path input, List<String> command) throws Exception {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectInput(input.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(CLIENT_MAX.toSeconds(), TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended)
                .as(() -> command + " does not end: " + PeerServer.read(output))
                .isTrue();
        assertThat(process.exitValue())
                .as(() -> command + " says: " + PeerServer.read(output))
                .isZero();
    }
}
