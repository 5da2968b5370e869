package org.hubmark.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.ContentBudget;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.hub.Hub;
import org.hubmark.hub.HubConfigurations;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.ScriptedHop;
import org.hubmark.hub.TestAgents;
import org.hubmark.hub.TestStore;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.queue.OperatorAction;
import org.hubmark.queue.OperatorResult;
import org.hubmark.queue.QueueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
            assertThat(operator.operate(OperatorAction.RETRY, List.of(first)))
                    .containsEntry(first, OperatorResult.DONE);
            assertThat(operator.operate(OperatorAction.RELEASE, List.of(first)))
                    .containsEntry(first, OperatorResult.UNFIT);
            assertThat(operator.operate(OperatorAction.DELETE, List.of(second)))
                    .containsEntry(second, OperatorResult.DONE);
            HubStatistics stats = operator.stats();
            assertThat(stats.queue().messages()).isEqualTo(1);
            assertThat(stats.queue().deadMessages()).isZero();
            assertThat(stats.acceptedMessages()).isEqualTo(2);
            assertThat(stats.process()).isEqualTo(ProcessHandle.current().pid());
            assertThat(stats.backPressure()).isEqualTo("normal");
            assertThat(stats.refusing()).isNull();
            assertThat(hub.store().orElseThrow().find(second)).isEmpty();
        }
        assertThat(Files.readString(onlyFile(folder.resolve("tracking")))).contains("\tDELETE\t");
    }

    /** For longer than the test takes; an operator who asks for a try gets one. */
    @Test
    void aRetryIsATryEvenWhereTheNextHopIsLeftAlone() throws Exception {
        String[] takesIt = TestAgents.script(
                TestAgents.greeting(),
                "MAIL",
                "250 ok",
                "RCPT",
                "250 ok",
                "DATA",
                "354 go",
                ".",
                "250 taken");
        try (ScriptedHop hop = ScriptedHop.start(new String[] {"421 busy", "close"}, takesIt);
                Hub hub = Hub.start(HubConfigurations.on(
                        folder,
                        IntakeKind.STORE,
                        new DeliverySpec.NextHops(List.of(hop.smtp()), DeliverySpec.Tls.NONE),
                        Map.of("delivery.next-hop-retry", "10m")))) {
            QueueStore store = hub.store().orElseThrow();
            QueueId id = TestStore.enqueue(
                    store, new ContentBudget(1 << 20), Instant.now(), "a@x.example", "b@y.example");
            await().until(() -> store.find(id).orElseThrow().attempts() == 1);
            assertThat(running().operate(OperatorAction.RETRY, List.of(id)))
                    .containsEntry(id, OperatorResult.DONE);
            await().until(() -> store.find(id).isEmpty());
            assertThat(hop.connections()).isEqualTo(2);
        }
    }

    @Test
    void aMessageThatIsBeingDeliveredIsLeftAsItIs() throws Exception {
        try (Hub hub = hold()) {
            QueueId id = enqueue(hub);
            List<Lease> leases = hub.store().orElseThrow().lease(1);
            assertThat(leases).hasSize(1);
            for (OperatorAction action : OperatorAction.values()) {
                assertThat(running().operate(action, List.of(id)))
                        .containsEntry(id, OperatorResult.LEASED);
            }
            assertThat(hub.store().orElseThrow().find(id)).isPresent();
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
        try (Hub hub = hold()) {
            assertThat(hub.store()).isPresent();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket())))
                    .isEqualTo("rw-------");
            try (var files = Files.list(folder.resolve("queue"))) {
                assertThat(files.map(file -> file.getFileName().toString()))
                        .doesNotContain(AdminSocket.FILE + ".new");
            }
        }
        assertThat(socket()).doesNotExist();
        assertThat(RunningHub.on(folder.resolve("queue"))).isEmpty();
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
        try (Hub hub = Hub.start(
                HubConfigurations.on(deep, IntakeKind.STORE, new DeliverySpec.Hold(), Map.of()))) {
            assertThat(hub.store()).isPresent();
            Path queue = deep.resolve("queue");
            assertThat(RunningHub.on(queue).orElseThrow().stats().queue().messages())
                    .isZero();
        }
    }

    @Test
    void whateverComesTheHubGoesOn() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (Hub hub = hold()) {
            QueueId id = enqueue(hub);
            Map<String, String> requests = new LinkedHashMap<>();
            requests.put(get("/"), "404 ");
            requests.put(get("/health"), "404 ");
            requests.put(get("/delete"), "404 ");
            requests.put(post("/stats", "" + id), "404 ");
            requests.put(post("/DELETE", "" + id), "404 ");
            for (String ids : List.of(
                    "",
                    "ALL",
                    "\n" + id,
                    id + " *",
                    id + "\n*",
                    "{\"ids\":[\"" + id + "\"]}",
                    (id + "\n").repeat(AdminCommands.IDS_MAX + 1))) {
                requests.put(post("/delete", ids), "400 ");
            }
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

    @Test
    void thoseThatSayNothingHoldUpNobody() throws Exception {
        try (Hub hub = hold();
                SocketChannel silent = SocketChannel.open(UnixDomainSocketAddress.of(socket()));
                SocketChannel other = SocketChannel.open(UnixDomainSocketAddress.of(socket()))) {
            assertThat(silent.isConnected()).isTrue();
            assertThat(other.isConnected()).isTrue();
            assertThat(running().stats().queue().messages()).isZero();
            assertThat(hub.failure()).isNotDone();
        }
    }

    @Test
    void aHubThatEndsSaysNothingMore() throws Exception {
        RunningHub operator;
        try (Hub hub = hold()) {
            assertThat(hub.store()).isPresent();
            operator = running();
        }
        assertThatThrownBy(operator::stats)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the hub on " + folder.resolve("queue"));
    }

    private Hub hold() throws IOException {
        return Hub.start(
                HubConfigurations.on(folder, IntakeKind.STORE, new DeliverySpec.Hold(), Map.of()));
    }

    private RunningHub running() throws IOException {
        Optional<RunningHub> hub = RunningHub.on(folder.resolve("queue"));
        return hub.orElseThrow();
    }

    private Path socket() {
        return folder.resolve("queue").resolve(AdminSocket.FILE);
    }

    private static QueueId enqueue(Hub hub) {
        return TestStore.enqueue(
                hub.store().orElseThrow(),
                new ContentBudget(1 << 20),
                TestStore.START,
                "a@x.example",
                "b@y.example");
    }

    /** The tracking log is written in the background. */
    private static Path onlyFile(Path of) {
        return await().until(
                        () -> {
                            try (var files = Files.list(of)) {
                                return files.filter(Files::isRegularFile)
                                        .findFirst()
                                        .orElse(null);
                            }
                        },
                        found -> found != null);
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
            ByteBuffer answer = ByteBuffer.allocate(1 << 20);
            while (channel.read(answer) >= 0) {
                // To its end.
            }
            return new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
