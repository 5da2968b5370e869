package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.smtp.client.SmtpClient;
import org.hubmark.smtp.client.SmtpReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A hub with a small heap lives through a next hop that reads contents slowly, is silent or answers at
 * length, goes on delivering what that hop takes, and knows at the end what became of each message. The
 * hub is a process; the next hop treats mail as the domain of the recipient says.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class HarmfulHopsTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    /** It has precedence over what the command line says of the heap. */
    private static final List<String> SMALL_HEAP = List.of("env", "_JAVA_OPTIONS=-Xmx64m");

    /** RFC 5321 4.5.3.1.5 has 512 octets a line, and says nothing of the number of lines. */
    private static final byte[] WORDS = (("550-5.1.1 " + "x".repeat(2_000) + "\r\n").repeat(99)
                    + "550 5.1.1 no\r\n")
            .getBytes(StandardCharsets.US_ASCII);

    /** Subjects of what the next hop took, notifications with the subject of what they are about. */
    private final Set<String> taken = ConcurrentHashMap.newKeySet();

    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final CountDownLatch over = new CountDownLatch(1);

    /** Subjects of what was accepted, by queue id. */
    private final Map<String, String> accepted = new HashMap<>();

    @TempDir
    private Path folder;

    @Test
    void aHubOutlivesHopsThatAreSlowSilentOrWordy() throws Exception {
        try (ServerSocket hop = new ServerSocket()) {
            // What the hop does not read is not hidden by buffers between the two.
            hop.setReceiveBufferSize(16 << 10);
            hop.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
            Thread unused = Thread.ofVirtual().start(() -> accept(hop));
            List<String> good = new ArrayList<>();
            try (CommandProcess hub = serve(hop.getLocalPort());
                    SmtpClient client = SmtpClient.open(hub.listening(), SOON, "c.example")) {
                // Of each kind, more than the heap holds.
                for (int i = 0; i < 24; i++) {
                    send(client, "slow" + i % 3, 1, 5 << 20);
                }
                for (int i = 0; i < 120; i++) {
                    send(client, "silent" + i % 3, 1_000, 10);
                }
                for (int i = 0; i < 4; i++) {
                    send(client, "wordy" + i, 300, 10);
                }
                for (int i = 0; i < 50; i++) {
                    good.add(send(client, "good", 1, i < 10 ? 2 << 20 : 1_000));
                }
                await().atMost(SOON).until(() -> taken.containsAll(good));
                hub.kill();
            }
            try (CommandProcess hub = serve(hop.getLocalPort());
                    SmtpClient client = SmtpClient.open(hub.listening(), SOON, "c.example")) {
                String again = send(client, "good", 1, 1_000);
                await().atMost(SOON).until(() -> taken.contains(again));
                hub.kill();
            }
        } finally {
            over.countDown();
            for (Socket connection : connections) {
                connection.close();
            }
        }
        Ended list = CommandInJvm.run("queue list", CommandInJvm.queueVolumes(folder));
        assertThat(list.exitCode()).as("%s", list).isZero();
        assertThat(list.printed()).doesNotContain(" damaged ");
        accepted.values().removeAll(taken);
        list.out().forEach(line -> accepted.remove(line.split(" ", 2)[0]));
        assertThat(accepted).as("unaccounted for").isEmpty();
    }

    private CommandProcess serve(int hop) throws IOException {
        return CommandProcess.startUnder(
                SMALL_HEAP,
                folder,
                "serve",
                "--listen=127.0.0.1:0",
                "--deliver=smtp://127.0.0.1:" + hop);
    }

    private String send(SmtpClient client, String domain, int recipients, int sizeBytes)
            throws IOException {
        List<String> paths = IntStream.range(0, recipients)
                .mapToObj(i -> "recipient-of-much-mail-" + i + "@" + domain + ".example")
                .toList();
        String subject = "Subject: " + accepted.size();
        String content = subject + "\r\n\r\n" + ("x".repeat(76) + "\r\n").repeat(sizeBytes / 78);
        SmtpReply reply =
                client.send("s@sender.example", paths, content.getBytes(StandardCharsets.US_ASCII));
        assertThat(reply.isSuccess()).as("%s to %s", reply, domain).isTrue();
        accepted.put(reply.text().substring(reply.text().lastIndexOf(' ') + 1), subject);
        return subject;
    }

    private void accept(ServerSocket hop) {
        try {
            while (true) {
                Socket connection = hop.accept();
                connections.add(connection);
                Thread unused = Thread.ofVirtual().start(() -> {
                    try (connection) {
                        serve(connection);
                    } catch (IOException e) {
                        // The hub was killed.
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } finally {
                        connections.remove(connection);
                    }
                });
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private void serve(Socket connection) throws IOException, InterruptedException {
        InputStream in = new BufferedInputStream(connection.getInputStream());
        OutputStream out = connection.getOutputStream();
        say(out, "220 hop");
        String domain = "";
        for (String line = line(in); !line.startsWith("QUIT"); line = line(in)) {
            if (line.startsWith("RCPT")) {
                domain = line.substring(line.indexOf('@') + 1);
            }
            if (line.startsWith("RCPT") && domain.startsWith("wordy")) {
                out.write(WORDS);
            } else if (line.startsWith("RCPT") && domain.startsWith("silent")) {
                // Until the hub ends.
                in.transferTo(OutputStream.nullOutputStream());
                return;
            } else if (line.startsWith("DATA") && domain.startsWith("slow")) {
                say(out, "354 go");
                over.await();
                return;
            } else if (line.startsWith("DATA")) {
                say(out, "354 go");
                take(in);
                say(out, "250 taken");
            } else {
                say(out, line.startsWith("EHLO") ? "250-hop\r\n250 PIPELINING" : "250 ok");
            }
        }
        say(out, "221 bye");
    }

    private void take(InputStream in) throws IOException {
        List<String> subjects = new ArrayList<>();
        for (String line = line(in); !line.equals("."); line = line(in)) {
            if (line.startsWith("Subject: ")) {
                subjects.add(line);
            }
        }
        taken.addAll(subjects);
    }

    private static void say(OutputStream out, String reply) throws IOException {
        out.write((reply + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int octet = in.read(); octet != '\n'; octet = in.read()) {
            if (octet < 0) {
                throw new IOException("closed");
            }
            line.append((char) octet);
        }
        return line.toString().stripTrailing();
    }
}
