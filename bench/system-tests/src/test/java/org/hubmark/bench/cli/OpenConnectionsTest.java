package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A hub with 256 MB of heap keeps serving while very many connections are open and while very many
 * clients are very slow, and its memory does not grow by the time they take. Prints heap, direct
 * memory, content in flight and resident memory every ten seconds, beside how long a good client's
 * message took.
 */
@Tag("long")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class OpenConnectionsTest {
    private static final int CONNECTIONS = 10_000;
    private static final int SLOW_CLIENTS = 1_000;
    private static final int OTHER_FILES = 1_000;
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final Duration HELD = Duration.ofMinutes(3);

    /** Heap, as much direct memory, and what the JVM and the page tables of the sockets take. */
    private static final long RESIDENT_BYTES_MAX = 900_000_000;

    private static final byte[] MESSAGE = ("Subject: good\r\n\r\n"
                    + ("x".repeat(76) + "\r\n").repeat(50))
            .getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path folder;

    private final List<Socket> sockets = new ArrayList<>();
    private final List<Long> resident = new ArrayList<>();
    private String metrics = "";
    private InetSocketAddress address = InetSocketAddress.createUnresolved("hub", 0);
    private long startNanos;

    @AfterEach
    void hangUp() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Test
    void tenThousandOpenConnections() throws Exception {
        String said = "EHLO c\r\nMAIL FROM:<a@x.example>\r\nRCPT TO:<b@y.example>\r\n";
        try (CommandProcess hub = serve(CONNECTIONS, said)) {
            long looks = HELD.toSeconds() / INTERVAL.toSeconds();
            await().atMost(HELD.plusMinutes(2)).pollInterval(INTERVAL).until(() -> {
                report(hub);
                return resident.size() > looks;
            });
            assertThat(value("hubmark_smtp_connections_open")).isEqualTo(CONNECTIONS);
        }
        assertThat(resident).allMatch(bytes -> bytes < RESIDENT_BYTES_MAX);
    }

    @Test
    void aThousandClientsThatSendAnOctetASecond() throws Exception {
        String said = """
            EHLO c\r
            MAIL FROM:<a@x.example> SIZE=150000000\r
            RCPT TO:<b@y.example>\r
            DATA\r
            """;
        try (CommandProcess hub = serve(SLOW_CLIENTS, said)) {
            long[] seconds = {0};
            // The credit of three minutes, a period of looking, and time for a busy machine.
            await().atMost(Duration.ofMinutes(8))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> {
                        sockets.forEach(OpenConnectionsTest::sendAnOctet);
                        if (seconds[0]++ % INTERVAL.toSeconds() == 0) {
                            report(hub);
                        }
                        return value("hubmark_smtp_connections_open") == 0;
                    });
            report(hub);
            assertThat(value("hubmark_smtp_connections_ended_total{reason=\"content_slow\"}"))
                    .isEqualTo(SLOW_CLIENTS);
            assertThat(value("hubmark_content_bytes_in_flight")).isZero();
        }
        assertThat(resident).allMatch(bytes -> bytes < RESIDENT_BYTES_MAX);
    }

    /** {@return a hub with so many clients that have said something} */
    private CommandProcess serve(int clients, String said) throws Exception {
        assumeFiles(clients + OTHER_FILES);
        CommandProcess hub = CommandProcess.serve(
                folder,
                "--metrics=127.0.0.1:0",
                "--deliver=discard",
                "--set=smtp.connections-max=12000");
        metrics = hub.metrics();
        address = hub.listening();
        startNanos = System.nanoTime();
        for (int i = 0; i < clients; i++) {
            open(said);
        }
        return hub;
    }

    /** Opens a connection, says something, and waits until some of it was answered. */
    private void open(String said) throws IOException {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout((int) CommandProcess.WAIT.toMillis());
        sockets.add(socket);
        InputStream in = socket.getInputStream();
        assertThat(in.read()).isEqualTo('2');
        socket.getOutputStream().write(said.getBytes(StandardCharsets.US_ASCII));
        assertThat(in.skip(1)).isOne();
    }

    private static void sendAnOctet(Socket socket) {
        try {
            socket.getOutputStream().write('x');
        } catch (IOException e) {
            // The hub has ended it, as it should.
        }
    }

    /** Prints a line, and sends a message on a connection of its own. */
    private void report(CommandProcess hub) throws Exception {
        long sentNanos = System.nanoTime();
        try (TestClient client = new TestClient(address)) {
            client.send(MESSAGE);
        }
        double millis = (System.nanoTime() - sentNanos) / 1e6;
        long residentBytes = Objects.requireNonNull(
                HostFiles.HERE.bytes("proc/" + hub.processId() + "/status", "VmRSS"));
        System.out.printf(
                Locale.ROOT,
                "%4d s  open %6.0f  heap %5.1f MB  direct %5.1f MB  content %5.1f MB  envelopes"
                        + " %4.1f MB  resident %5.1f MB  a good message %.1f ms%n",
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos),
                value("hubmark_smtp_connections_open"),
                value("jvm_memory_used_bytes{area=\"heap\"") / 1e6,
                value("jvm_buffer_memory_used_bytes{id=\"direct\"") / 1e6,
                value("hubmark_content_bytes_in_flight") / 1e6,
                value("hubmark_envelope_bytes_in_flight") / 1e6,
                residentBytes / 1e6,
                millis);
        resident.add(residentBytes);
    }

    /** {@return the sum of all lines that begin so} */
    private double value(String start) throws Exception {
        try (InputStream in =
                URI.create("http://" + metrics + "/metrics").toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(start))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                    .sum();
        }
    }

    private static void assumeFiles(int files) throws IOException {
        // The JVM raises the soft limit to the hard one by itself, here and in the hub.
        String line = Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(l -> l.startsWith("Max open files"))
                .findFirst()
                .orElseThrow();
        String hard = line.split(" {2,}", -1)[2];
        assumeTrue(
                hard.equals("unlimited") || Long.parseLong(hard) >= files,
                () -> "needs " + files + " open files (ulimit -Hn), there are " + hard);
    }
}
