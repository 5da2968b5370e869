package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

    private TestCertificate certificate;
    private Path arrived;
    private Hub hub;
    private List<Path> messages;

    @BeforeEach
    void start() throws Exception {
        // The users of mail servers have to get through to their folders below.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        certificate = TestCertificate.in(folder, InetAddress.getLoopbackAddress());
        arrived = folder.resolve("arrived");
        hub = TestHubs.start(
                folder, new DeliverySpec.Directory(arrived), certificate.settings("127.0.0.1:0"));
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

    /** How a client is called in each way, and what was sent then. */
    private record Recipe(String name, String command, Map<Way, String> ways) {
        static Recipe of(String client, Map<String, ?> values) throws IOException {
            String all = PeerServer.template("clients.txt", values);
            for (String recipe : all.split("(?m)^== ", -1)) {
                List<String> lines = recipe.lines().toList();
                if (lines.getFirst().split(" ", 2)[0].equals(client)) {
                    Map<Way, String> ways = new EnumMap<>(Way.class);
                    for (String line : lines.subList(1, lines.size())) {
                        String[] columns = line.split(" *\\| *", 2);
                        if (columns.length == 2) {
                            ways.put(Way.valueOf(columns[0]), columns[1]);
                        }
                    }
                    return new Recipe(lines.getFirst(), lines.get(1), ways);
                }
            }
            throw new IllegalArgumentException(client);
        }
    }

    private Map<String, ?> values(Path own, int port) throws Exception {
        URL scripts = Objects.requireNonNull(ClientInteropTest.class.getResource("peers"));
        return Map.of(
                "scripts",
                Path.of(scripts.toURI()),
                "folder",
                own,
                "port",
                port,
                "hub",
                port,
                "certificate",
                certificate.file(),
                "from",
                SENDER,
                "to",
                RECIPIENTS.getFirst(),
                "to2",
                RECIPIENTS.getLast());
    }

    @ParameterizedTest
    @ValueSource(strings = {"swaks", "smtp-source", "msmtp", "curl", "smtplib", "nodemailer"})
    void commands(String name) throws Exception {
        Recipe recipe = Recipe.of(name, Map.of());
        String program = PeerServer.installed(recipe.command().split(" ", 2)[0]).toString();
        assumeTrue(
                !name.equals("nodemailer")
                        || new ProcessBuilder(program, "-e", "require('nodemailer')")
                                        .start()
                                        .waitFor()
                                == 0,
                "node doesn't find nodemailer: npm install nodemailer, and name its node_modules in NODE_PATH");
        Client client = (way, port, files) -> {
            Recipe filled = Recipe.of(name, values(folder, port));
            String command = filled.command() + " " + filled.ways().getOrDefault(way, "");
            if (command.contains("{files}")) {
                String all = files.stream().map(Path::toString).collect(Collectors.joining(" "));
                run(files.getFirst(), command.replace("{files}", all));
            } else {
                for (Path file : files) {
                    run(file, command.replace("{file}", file.toString()));
                }
            }
        };
        // What becomes of a file where the client ends a last line that had ended.
        String more = recipe.name().endsWith("with an empty line more") ? "\r\n" : "";
        for (Way way : recipe.ways().keySet()) {
            send(client, way, contents().stream().map(content -> content + more).toList());
        }
    }

    /** Each is given its mail by a command, and passes it on. */
    @ParameterizedTest
    @ValueSource(strings = {"postfix", "exim"})
    void servers(String name) throws Exception {
        Client client = (way, port, files) -> {
            Path own = Files.createDirectory(folder.resolve(name + "-" + way));
            Recipe recipe = Recipe.of(name, values(own, port));
            String settings = PeerServer.template(name + "-client.conf", values(own, port))
                    + recipe.ways().getOrDefault(way, "").replace("; ", "\n")
                    + "\n";
            try (PeerServer server = PeerServer.in(own)) {
                List<String> command = new ArrayList<>();
                if (name.equals("postfix")) {
                    server.startPostfix(settings);
                } else {
                    command.addAll(server.exim(settings));
                }
                command.addAll(List.of(recipe.command().split(" ", -1)));
                for (Path file : files) {
                    run(file, command);
                }
                awaitArrival();
            }
        };
        sends(client, Recipe.of(name, Map.of()).ways().keySet().toArray(Way[]::new));
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
        properties.load(new StringReader(String.format(
                Locale.ROOT, """
                mail.smtp.host = 127.0.0.1
                mail.smtp.port = %1$d
                mail.smtp.from = %2$s
                mail.smtp.allow8bitmime = true
                mail.smtp.ssl.trust = 127.0.0.1
                mail.smtp.ssl.enable = %3$s
                mail.smtp.starttls.enable = %4$s
                mail.smtp.starttls.required = %4$s
                """, port, SENDER, way == Way.TLS, way == Way.STARTTLS)));
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

    private void run(Path input, String command) throws Exception {
        run(input, List.of(command.strip().split(" ", -1)));
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
