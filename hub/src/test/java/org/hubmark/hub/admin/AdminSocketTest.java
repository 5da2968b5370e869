package org.hubmark.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.QueueId;
import org.hubmark.hub.Hub;
import org.hubmark.hub.ScriptedHop;
import org.hubmark.hub.TestHubs;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.queue.OperatorAction;
import org.hubmark.queue.OperatorResult;
import org.hubmark.queue.QueueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * The operator of a hub that runs changes its queue by the socket on the queue volume; nobody else can,
 * a socket that was left behind is in nobody's way, and whatever comes over it the hub goes on.
 */
final class AdminSocketTest {
    @TempDir
    private Path folder;

    @Test
    void anOperatorChangesTheQueueOfAHubThatRuns() throws Exception {
        try (Hub hub = hold()) {
            QueueId first = enqueue(hub);
            QueueId second = enqueue(hub);
            QueueId absent = new QueueId(1);
            RunningHub operator = running();
            assertThat(operator.operate(OperatorAction.DEAD_LETTER, List.of(first, absent, second)))
                    .containsExactly(
                            Map.entry(first, OperatorResult.DONE),
                            Map.entry(absent, OperatorResult.ABSENT),
                            Map.entry(second, OperatorResult.DONE));
            assertThat(operate(OperatorAction.RETRY, first)).isEqualTo(OperatorResult.DONE);
            assertThat(operate(OperatorAction.RELEASE, first)).isEqualTo(OperatorResult.UNFIT);
            assertThat(operate(OperatorAction.DELETE, second)).isEqualTo(OperatorResult.DONE);
            HubStatistics stats = operator.stats();
            assertThat(stats.queue().messages()).isEqualTo(1);
            assertThat(stats.queue().deadMessages()).isZero();
            assertThat(stats.acceptedMessages()).isEqualTo(2);
            assertThat(stats.process()).isEqualTo(ProcessHandle.current().pid());
            assertThat(stats.backPressure()).isEqualTo("normal");
            assertThat(stats.refusing()).isNull();
            assertThat(hub.store().orElseThrow().find(second)).isEmpty();
        }
        // The tracking log is written in the background.
        Path tracking = folder.resolve("tracking/tracking-00000001.tsv");
        await().until(() -> Files.exists(tracking));
        assertThat(tracking).content().contains("\tDELETE\t");
    }

    /** For longer than the test takes; an operator who asks for a try gets one. */
    @Test
    void aRetryIsATryEvenWhereTheNextHopIsLeftAlone() throws Exception {
        try (ScriptedHop hop = ScriptedHop.start("| 421 busy, close\n---\nhello\ntaken\n");
                Hub hub = TestHubs.start(
                        folder,
                        new DeliverySpec.NextHops(List.of(hop.smtp()), DeliverySpec.Tls.NONE),
                        Map.of("delivery.next-hop-retry", "10m"))) {
            QueueStore store = hub.store().orElseThrow();
            QueueId id = TestHubs.send(hub, "b@y.example");
            await().until(() -> store.find(id).orElseThrow().attempts() == 1);
            assertThat(operate(OperatorAction.RETRY, id)).isEqualTo(OperatorResult.DONE);
            await().until(() -> store.find(id).isEmpty());
            assertThat(hop.connections()).isEqualTo(2);
        }
    }

    @Test
    void aLongListGoesInParts() throws Exception {
        try (Hub hub = hold()) {
            QueueId there = enqueue(hub);
            List<QueueId> ids = new ArrayList<>();
            for (int i = 0; i < 3 * AdminCommands.IDS_MAX; i++) {
                ids.add(new QueueId(i));
            }
            ids.add(there);
            assertThat(running().operate(OperatorAction.DELETE, ids))
                    .hasSize(ids.size())
                    .containsEntry(there, OperatorResult.DONE);
        }
    }

    @Test
    void onlyTheOwnerMayConnectAndTheSocketGoesWithTheHub() throws Exception {
        RunningHub operator;
        try (Hub hub = hold()) {
            assertThat(hub.store()).isPresent();
            operator = running();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket())))
                    .isEqualTo("rw-------");
            try (var files = Files.list(folder.resolve("queue"))) {
                assertThat(files.map(file -> file.getFileName().toString()))
                        .doesNotContain(AdminSocket.FILE + ".new");
            }
        }
        assertThat(socket()).doesNotExist();
        assertThat(RunningHub.on(folder.resolve("queue"))).isEmpty();
        assertThatThrownBy(operator::stats)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the hub on " + folder.resolve("queue"));
    }

    @Test
    void aSocketThatAKilledHubHasLeftIsNobodyAndIsReplaced() throws Exception {
        Files.createDirectories(folder.resolve("queue"));
        try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            killed.bind(UnixDomainSocketAddress.of(socket()));
        }
        assertThat(socket()).exists();
        assertThat(RunningHub.on(folder.resolve("queue"))).isEmpty();
        try (Hub hub = hold()) {
            assertThat(hub.store()).isPresent();
            assertThat(running().stats().queue().messages()).isZero();
        }
    }

    @Test
    void aVolumeMayLieDeeperThanThePathOfASocketReaches() throws Exception {
        Path deep = folder;
        for (int i = 0; i < 6; i++) {
            deep = deep.resolve("a-folder-with-a-rather-long-name-" + i);
        }
        try (Hub hub = TestHubs.start(deep, new DeliverySpec.Hold(), Map.of())) {
            assertThat(hub.store()).isPresent();
            RunningHub found = RunningHub.on(deep.resolve("queue")).orElseThrow();
            assertThat(found.stats().queue().messages()).isZero();
        }
    }

    @Test
    void whateverComesTheHubGoesOn() throws Exception {
        long seed = Long.getLong("hubmark.seed", 1);
        Random random = new Random(seed);
        try (Hub hub = hold()) {
            QueueId id = enqueue(hub);
            Map<String, String> requests = new LinkedHashMap<>();
            requests.put(get("/"), "404 ");
            requests.put(get("/health"), "404 ");
            requests.put(get("/delete"), "404 ");
            requests.put(post("/stats", "" + id), "404 ");
            requests.put(post("/DELETE", "" + id), "404 ");
            for (String ids : "|ALL|\nID|ID *|ID\n*|{\"ids\":[\"ID\"]}".split("\\|", -1)) {
                requests.put(post("/delete", ids.replace("ID", "" + id)), "400 ");
            }
            requests.put(post("/delete", (id + "\n").repeat(AdminCommands.IDS_MAX + 1)), "400 ");
            String large = post("/delete", "[".repeat(30_000));
            requests.put(large.replace("Host", "Connection: close\r\nHost"), "413 ");
            requests.put("DELETE /delete HTTP/1.1\r\nHost: hub\r\n\r\n", "405 ");
            // No line end: no page, and the next one is served.
            requests.put("x".repeat(64 << 10), "400 ");
            for (int i = 0; i < 200; i++) {
                byte[] garbage = new byte[random.nextInt(1, 200)];
                random.nextBytes(garbage);
                // What begins a request; blanks before it are no part of one.
                garbage[0] = 'x';
                requests.put(new String(garbage, StandardCharsets.ISO_8859_1) + "\r\n\r\n", "400 ");
            }
            requests.forEach((request, status) -> {
                // An error has words, but for what is too large.
                assertThat(ask(request).replace("\r\n", "\n"))
                        .as("seed %s, request %s", seed, request)
                        .matches("(?s)HTTP/1.1 " + status + "[^\n]*\n.*\n\n"
                                + (status.equals("413 ") ? "" : "\\S.+"));
            });
            assertThat(running().stats().queue().messages()).as("seed %s", seed).isEqualTo(1);
            assertThat(hub.failure()).isNotDone();
        }
    }

    private Hub hold() throws IOException {
        return TestHubs.start(folder, new DeliverySpec.Hold(), Map.of());
    }

    private RunningHub running() throws IOException {
        return RunningHub.on(folder.resolve("queue")).orElseThrow();
    }

    private OperatorResult operate(OperatorAction action, QueueId id) throws IOException {
        return Objects.requireNonNull(running().operate(action, List.of(id)).get(id));
    }

    private Path socket() {
        return folder.resolve("queue").resolve(AdminSocket.FILE);
    }

    private static QueueId enqueue(Hub hub) throws IOException {
        return TestHubs.send(hub, "b@y.example");
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: hub\r\n\r\n";
    }

    private static String post(String path, String body) {
        return "POST " + path + " HTTP/1.1\r\nHost: hub\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    private String ask(String request) {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket()))) {
            ByteBuffer octets = ByteBuffer.wrap(request.getBytes(StandardCharsets.ISO_8859_1));
            while (octets.hasRemaining()) {
                channel.write(octets);
            }
            InputStream answer = Channels.newInputStream(channel);
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
