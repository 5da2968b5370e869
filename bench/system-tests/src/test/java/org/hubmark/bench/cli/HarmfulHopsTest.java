package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.durability.NextHop;
import org.hubmark.smtp.client.SmtpClient;
import org.hubmark.smtp.client.SmtpReply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/**
 * A hub with a small heap lives through a next hop that reads contents slowly, is silent or answers at
 * length, goes on delivering what that hop takes, and knows at the end what became of each message. The
 * hub is a process; the next hop treats mail as the domain of the recipient says.
 */
final class HarmfulHopsTest {
    /** It has precedence over what the command line says of the heap. */
    private static final List<String> SMALL_HEAP = List.of("env", "_JAVA_OPTIONS=-Xmx64m");

    /** RFC 5321 4.5.3.1.5 has 512 octets a line, and says nothing of the number of lines. */
    private static final String WORDS =
            ("550-5.1.1 " + "x".repeat(2_000) + "\r\n").repeat(99) + "550 5.1.1 no";

    /** Subjects of what the next hop took, notifications with the subject of what they are about. */
    private final Set<String> taken = ConcurrentHashMap.newKeySet();

    private final CountDownLatch over = new CountDownLatch(1);

    /** Subjects of what was accepted, by queue id. */
    private final Map<String, String> accepted = new HashMap<>();

    @TempDir
    private Path folder;

    @Test
    void aHubOutlivesHopsThatAreSlowSilentOrWordy() throws Exception {
        try (NextHop hop = new NextHop(Answers::new)) {
            List<String> good = new ArrayList<>();
            try (CommandProcess hub = serve(hop);
                    SmtpClient client =
                            SmtpClient.open(hub.listening(), CommandProcess.WAIT, "c.example")) {
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
                RunFolder.await().until(() -> taken.containsAll(good));
                hub.kill();
            }
            try (CommandProcess hub = serve(hop);
                    SmtpClient client =
                            SmtpClient.open(hub.listening(), CommandProcess.WAIT, "c.example")) {
                String again = send(client, "good", 1, 1_000);
                RunFolder.await().until(() -> taken.contains(again));
                hub.kill();
            }
        } finally {
            over.countDown();
        }
        Ended list = CommandInJvm.run("queue list", CommandInJvm.queueVolumes(folder));
        assertThat(list.exitCode()).as("%s", list).isZero();
        assertThat(list.printed()).doesNotContain(" damaged ");
        accepted.values().removeAll(taken);
        list.out().forEach(line -> accepted.remove(line.split(" ", 2)[0]));
        assertThat(accepted).as("unaccounted for").isEmpty();
    }

    private CommandProcess serve(NextHop hop) throws IOException {
        return CommandProcess.startUnder(
                SMALL_HEAP, folder, "serve", "--listen=127.0.0.1:0", "--deliver=" + hop.delivery());
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

    /** As the domain of the last recipient says. */
    private final class Answers implements NextHop.Session {
        private String domain = "";

        @Override
        public @Nullable String answer(String command) {
            if (command.startsWith("RCPT")) {
                domain = command.substring(command.indexOf('@') + 1);
                if (domain.startsWith("wordy")) {
                    return WORDS;
                }
                // Until the hub ends.
                return domain.startsWith("silent") ? null : "250 ok";
            }
            if (command.startsWith("DATA")) {
                return "354 go";
            }
            return command.startsWith("EHLO") ? "250-hop\r\n250 PIPELINING" : "250 ok";
        }

        @Override
        public String taken(InputStream content) throws IOException, InterruptedException {
            if (domain.startsWith("slow")) {
                over.await();
            }
            new String(NextHop.content(content), StandardCharsets.US_ASCII)
                    .lines()
                    .filter(line -> line.startsWith("Subject: "))
                    .forEach(taken::add);
            return "250 taken";
        }
    }
}
