package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hubmark.hub.Await.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import jakarta.mail.Message;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;

import org.HdrHistogram.Histogram;
import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Settings;
import org.hubmark.hub.admin.AdminPages;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.pressure.PressureSettings;
import org.hubmark.queue.QueueReader;
import org.hubmark.smtp.SmtpPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Mail that goes in by SMTP comes out at the agent, what is held survives a restart, and the hub
 * says how it is doing. Through real sockets, by a mail library and by hand.
 */
final class HubTest {
    private static final String TEXT = "Line one\r\n.starts with a dot\r\n\u00fcmlaut\r\n";

    @TempDir
    private Path folder;

    @Test
    void deliversWhatAMailLibrarySends() throws Exception {
        Path out = folder.resolve("out");
        try (Hub hub = Hub.start(
                configuration(IntakeKind.STORE, new DeliverySpec.Directory(out), Map.of()))) {
            sendByLibrary(hub.address());
            await().until(() -> count(out, ".json") == 1);
            Path eml = find(out, ".eml");
            String received = Files.readString(eml, StandardCharsets.UTF_8);
            assertThat(received).startsWith("Received: from ");
            MimeMessage message = new MimeMessage(
                    Session.getInstance(new Properties()), Files.newInputStream(eml));
            assertThat(message.getSubject()).isEqualTo("Gr\u00fc\u00dfe");
            assertThat(message.getContent()).isEqualTo(TEXT);
            assertThat(Files.readString(find(out, ".json")))
                    .contains("\"forward_paths\":[\"b@y.example\",\"c@z.example\"]");
            await().until(() -> metric(hub, "hubmark_messages_delivered_total") == 1);
            await().until(() -> metric(hub, "hubmark_queue_messages") == 0);
        }
        await().until(() -> count(folder.resolve("tracking"), ".tsv") == 1);
        assertThat(Files.readString(find(folder.resolve("tracking"), ".tsv")))
                .contains("\tRECEIVE\t")
                .contains("\tDELIVER\t");
    }

    @Test
    void holdsMailOverARestart() throws Exception {
        String id;
        try (Hub hub =
                Hub.start(configuration(IntakeKind.STORE, new DeliverySpec.Hold(), Map.of()))) {
            id = sendByHand(hub.address(), "Subject: held\r\n\r\ntext\r\n");
            assertThat(metric(hub, "hubmark_messages_accepted_total")).isEqualTo(1);
            assertThat(metric(hub, "hubmark_queue_messages")).isEqualTo(1);
        }
        List<QueuedMessage> held = new ArrayList<>();
        try (QueueReader reader =
                QueueReader.open(folder.resolve("log"), folder.resolve("queue"))) {
            reader.forEach(held::add);
            assertThat(reader.check().problems()).isEmpty();
        }
        assertThat(held).hasSize(1);
        assertThat(held.getFirst().id()).hasToString(id);
        assertThat(held.getFirst().envelope().forwardPaths()).containsExactly("b@y.example");
        try (Hub hub =
                Hub.start(configuration(IntakeKind.STORE, new DeliverySpec.Discard(), Map.of()))) {
            await().until(() -> metric(hub, "hubmark_messages_delivered_total") == 1);
            await().until(() -> metric(hub, "hubmark_queue_messages") == 0);
        }
    }

    /** An event loop that waits for ever stands for each part that does, a hung tracking volume above all. */
    @Test
    void endsWithoutAPartThatDoesNotEnd() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        HubParts parts = HubParts.own().withPolicy(new SmtpPolicy() {
            @Override
            public Verdict onCommand(String peer, String verb, String argument) {
                asked.countDown();
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return new Verdict.Proceed();
            }
        });
        Hub hub = Hub.start(
                configuration(IntakeKind.STORE, new DeliverySpec.Hold(), Map.of()), parts);
        try (Socket client = new Socket()) {
            client.connect(hub.address());
            assertThat(client.getInputStream().read()).isEqualTo('2');
            client.getOutputStream().write("NOOP\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            hub.drain(Duration.ZERO);
            assertThat(released.getCount()).isEqualTo(1);
        } finally {
            released.countDown();
        }
        // Closed in good order all the same.
        Hub.start(configuration(IntakeKind.STORE, new DeliverySpec.Hold(), Map.of()))
                .close();
    }

    @Test
    void anAgentThatNeverBlocksIsCalledByTheThreadThatLeases() throws Exception {
        for (boolean mayBlock : new boolean[] {false, true}) {
            BlockingQueue<String> threads = new LinkedBlockingQueue<>();
            DeliveryAgent agent = new DeliveryAgent() {
                @Override
                public Outcome deliver(Lease lease) {
                    threads.add(Thread.currentThread().getName());
                    return new Outcome.Delivered();
                }

                @Override
                public boolean mayBlock() {
                    return mayBlock;
                }
            };
            try (Hub hub = Hub.start(
                    configuration(IntakeKind.STORE, new DeliverySpec.Own(agent), Map.of()))) {
                sendByHand(hub.address(), "Subject: n\r\n\r\n");
                assertThat(threads.poll(30, TimeUnit.SECONDS))
                        .startsWith(mayBlock ? "delivery-" : "dispatcher");
            }
        }
    }

    @Test
    void theDiscardIntakeKeepsNothing() throws Exception {
        try (Hub hub =
                Hub.start(configuration(IntakeKind.DISCARD, new DeliverySpec.Hold(), Map.of()))) {
            assertThat(sendByHand(hub.address(), "Subject: gone\r\n\r\n")).isNotEmpty();
            assertThat(metric(hub, "hubmark_messages_accepted_total")).isEqualTo(1);
            assertThat(hub.metrics()).doesNotContain("hubmark_queue_messages");
        }
        assertThat(folder.resolve("queue")).doesNotExist();
    }

    @Test
    void answersOverHttp() throws Exception {
        try (Hub hub =
                Hub.start(configuration(IntakeKind.STORE, new DeliverySpec.Discard(), Map.of()))) {
            for (int i = 0; i < 5; i++) {
                sendByHand(hub.address(), "Subject: n\r\n\r\n");
            }
            await().until(() -> metric(hub, "hubmark_messages_delivered_total") == 5);
            await().until(() -> metric(hub, "hubmark_queue_messages") == 0);
            assertThat(get(hub, "/health").statusCode()).isEqualTo(200);
            assertThat(get(hub, "/health").body()).isEqualTo("{\"status\":\"up\"}\n");
            assertThat(get(hub, "/metrics").body())
                    .contains("hubmark_messages_accepted_total 5.0")
                    .contains("jvm_memory_used_bytes")
                    .contains("process_uptime_seconds");
            assertThat(hub.metrics()).contains("refused_total{reason=\"busy\"} 0.0");
            assertThat(get(hub, "/settings").body())
                    .contains("\"smtp.message-size-max\":\"150MB\"");
            assertThat(get(hub, "/none").statusCode()).isEqualTo(404);
            assertThat(post(hub, "/metrics").statusCode()).isEqualTo(404);
            JsonNode histograms =
                    new ObjectMapper().readTree(post(hub, "/histograms/reset").body());
            int synced = 0;
            for (JsonNode groups : histograms.get("log_groups")) {
                assertThat(groups.get("bytes").asLong())
                        .isBetween(
                                groups.get("syncs").asLong(),
                                groups.get("syncs").asLong()
                                        * groups.get("bytes_max").asLong());
                synced += groups.get("msgs").asInt();
            }
            assertThat(synced).isEqualTo(5);
            String encoded = histograms.get("queue_residence_ns").asText();
            Histogram residence = Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(encoded)), 0);
            assertThat(residence.getTotalCount()).isEqualTo(5);
            assertThat(residence.getMaxValue()).isPositive();
            assertThat(metric(hub, "hubmark_queue_messages_max")).isZero();
            hub.failure().complete(new IOException("a write failed"));
            assertThat(get(hub, "/health").statusCode()).isEqualTo(503);
            assertThat(get(hub, "/health").body())
                    .contains("\"status\":\"down\"", "a write failed");
        }
    }

    /** Whoever restarts what does not live must not restart what only refuses mail, starts or ends. */
    @Test
    void livesWhileItIsNotReady() throws Exception {
        CountDownLatch delivering = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        DeliveryAgent slow = lease -> {
            delivering.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return new Outcome.Delivered();
        };
        Hub hub = Hub.start(configuration(IntakeKind.STORE, new DeliverySpec.Own(slow), Map.of()));
        try {
            assertThat(get(hub, "/live").statusCode()).isEqualTo(200);
            assertThat(get(hub, "/ready").statusCode()).isEqualTo(200);
            assertThat(get(hub, "/ready").body()).isEqualTo("{\"status\":\"up\"}\n");
            sendByHand(hub.address(), "Subject: n\r\n\r\n");
            delivering.await();
            Thread drain = Thread.ofPlatform().start(() -> {
                try {
                    hub.drain(Duration.ofMinutes(1));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            await().until(() -> get(hub, "/ready").statusCode() == 503);
            assertThat(get(hub, "/ready").body())
                    .isEqualTo("{\"status\":\"down\",\"reason\":\"draining\"}\n");
            assertThat(get(hub, "/live").statusCode()).isEqualTo(200);
            release.countDown();
            drain.join();
        } finally {
            release.countDown();
            hub.close();
        }
    }

    @Test
    void isNotReadyUnderBackPressureAndBeforeItHasStarted() throws Exception {
        HubConfiguration holding =
                configuration(IntakeKind.STORE, new DeliverySpec.Hold(), Map.of());
        try (Hub hub = HubConfigurations.start(holding, new PressureSettings(2))) {
            for (int i = 0; i < 2; i++) {
                sendByHand(hub.address(), "Subject: n\r\n\r\n");
            }
            await().until(() -> get(hub, "/ready").statusCode() == 503);
            assertThat(get(hub, "/ready").body()).contains("\"reason\":\"the queue is too long");
            assertThat(get(hub, "/live").statusCode()).isEqualTo(200);
            hub.failure().complete(new IOException("a write failed"));
            assertThat(get(hub, "/live").statusCode()).isEqualTo(503);
            assertThat(get(hub, "/live").body()).contains("a write failed");
        }
        AdminPages pages = new AdminPages(new CompletableFuture<>(), Settings.defaults());
        assertThat(pages.get("/live").status().code()).isEqualTo(200);
        for (String path : List.of("/ready", "/health", "/metrics", "/histograms", "/settings")) {
            assertThat(pages.get(path).status().code()).as(path).isEqualTo(503);
            assertThat(pages.get(path).body()).contains("starting");
        }
        assertThat(pages.post("/histograms/reset", "").status().code()).isEqualTo(503);
    }

    @Test
    void doesNotPassMailOnToItself() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        HubConfiguration any = configuration(
                IntakeKind.STORE, DeliverySpec.parse("smtp://127.0.0.1:" + port), Map.of());
        for (String listen : List.of("127.0.0.1", "0.0.0.0")) {
            HubConfiguration itself = new HubConfiguration(
                    new InetSocketAddress(listen, port),
                    null,
                    any.volumes(),
                    any.durability(),
                    any.checkpointDepthBytes(),
                    any.intake(),
                    any.delivery(),
                    any.settings(),
                    any.clock());
            assertThatThrownBy(() -> Hub.start(itself))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            "smtp://127.0.0.1:" + port + " is where this hub listens");
        }
    }

    @Test
    void announcesWhatItsDeliveryTakes() throws Exception {
        Map<String, DeliverySpec> deliveries = Map.of(
                "hold", new DeliverySpec.Hold(), "smtp", DeliverySpec.parse("smtp://127.0.0.1:1"));
        for (Map.Entry<String, DeliverySpec> each : deliveries.entrySet()) {
            try (Hub hub = Hub.start(configuration(IntakeKind.STORE, each.getValue(), Map.of()))) {
                assertThat(features(hub.address()))
                        .contains("8BITMIME")
                        .matches(text ->
                                text.contains("BINARYMIME") == each.getKey().equals("hold"));
            }
        }
    }

    @Test
    void saysWhatIsWrongAtStart() throws Exception {
        DeliverySpec hold = new DeliverySpec.Hold();
        assertThatThrownBy(() -> Hub.start(
                        configuration(IntakeKind.STORE, hold, Map.of("smtp.nonsense", "1"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("smtp.nonsense");
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> Hub.start(
                        HubConfigurations.on(file.resolve("x"), IntakeKind.STORE, hold, Map.of())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString());
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            HubConfiguration free = configuration(IntakeKind.STORE, hold, Map.of());
            HubConfiguration inUse = new HubConfiguration(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), taken.getLocalPort()),
                    null,
                    free.volumes(),
                    free.durability(),
                    free.checkpointDepthBytes(),
                    free.intake(),
                    free.delivery(),
                    free.settings(),
                    free.clock());
            assertThatThrownBy(() -> Hub.start(inUse))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(String.valueOf(taken.getLocalPort()));
        }
        // What was begun was undone: the same folders can be used.
        try (Hub hub = Hub.start(configuration(IntakeKind.STORE, hold, Map.of()))) {
            assertThat(hub.address().getPort()).isPositive();
            assertThatThrownBy(() -> Hub.start(configuration(IntakeKind.STORE, hold, Map.of())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in use");
        }
    }

    private HubConfiguration configuration(
            IntakeKind intake, DeliverySpec delivery, Map<String, String> settings) {
        return HubConfigurations.on(folder, intake, delivery, settings);
    }

    private static void sendByLibrary(InetSocketAddress address) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("mail.smtp.host", address.getHostString());
        properties.setProperty("mail.smtp.port", String.valueOf(address.getPort()));
        properties.setProperty("mail.smtp.allow8bitmime", "true");
        MimeMessage message = new MimeMessage(Session.getInstance(properties));
        message.setFrom(new InternetAddress("a@x.example"));
        message.addRecipients(Message.RecipientType.TO, "b@y.example");
        message.addRecipients(Message.RecipientType.CC, "c@z.example");
        message.setSubject("Gr\u00fc\u00dfe", "UTF-8");
        message.setText(TEXT, "UTF-8");
        Transport.send(message);
    }

    private static String features(InetSocketAddress address) throws IOException {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            BufferedReader in = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(in.readLine()).startsWith("220 ");
            StringBuilder features = new StringBuilder(exchange(socket, in, "EHLO x\r\n", "250-"));
            String line = in.readLine();
            while (line.startsWith("250-")) {
                features.append(line);
                line = in.readLine();
            }
            return features.append(line).toString();
        }
    }

    private static String sendByHand(InetSocketAddress address, String content) throws IOException {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            BufferedReader in = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(in.readLine()).startsWith("220 ");
            exchange(socket, in, "HELO x.example\r\n", "250 ");
            exchange(socket, in, "MAIL FROM:<a@x.example>\r\n", "250 ");
            exchange(socket, in, "RCPT TO:<b@y.example>\r\n", "250 ");
            exchange(socket, in, "DATA\r\n", "354 ");
            String reply = exchange(socket, in, content + ".\r\n", "250 2.0.0 ");
            exchange(socket, in, "QUIT\r\n", "221 ");
            return reply.substring(reply.lastIndexOf(' ') + 1);
        }
    }

    private static String exchange(Socket socket, BufferedReader in, String text, String expected)
            throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        String reply = in.readLine();
        assertThat(reply).as(text).startsWith(expected);
        return reply;
    }

    private static double metric(Hub hub, String name) {
        return hub.metrics()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    private static HttpResponse<String> get(Hub hub, String path) throws Exception {
        return ask(HttpRequest.newBuilder(uri(hub, path)).build());
    }

    private static HttpResponse<String> post(Hub hub, String path) throws Exception {
        return ask(HttpRequest.newBuilder(uri(hub, path))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build());
    }

    private static HttpResponse<String> ask(HttpRequest request) throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    private static URI uri(Hub hub, String path) {
        InetSocketAddress address = hub.metricsAddress().orElseThrow();
        return URI.create("http://" + address.getHostString() + ":" + address.getPort() + path);
    }

    private static long count(Path folder, String ending) throws IOException {
        return files(folder, ending).size();
    }

    private static Path find(Path folder, String ending) throws IOException {
        return files(folder, ending).getFirst();
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(file -> !String.valueOf(file.getFileName()).startsWith("."))
                    .filter(file -> file.toString().endsWith(ending))
                    .toList();
        }
    }
}
