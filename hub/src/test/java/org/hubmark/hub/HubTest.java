package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;
import static org.hubmark.hub.TestHubs.metric;

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
import org.hubmark.core.QueueId;
import org.hubmark.core.Settings;
import org.hubmark.hub.admin.AdminPages;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.pressure.PressureSettings;
import org.hubmark.queue.QueueReader;
import org.hubmark.smtp.SmtpPolicy;
import org.hubmark.smtp.client.SmtpClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Mail that goes in by SMTP comes out at the agent, what is held survives a restart, and the hub
 * says how it is doing. Through real sockets, by a mail library and by hand.
 */
final class HubTest {
    private static final String TEXT = "Line one\r\n.starts with a dot\r\n\u00fcmlaut\r\n";
    private static final DeliverySpec HOLD = new DeliverySpec.Hold();
    private static final DeliverySpec DISCARD = new DeliverySpec.Discard();

    @TempDir
    private Path folder;

    @Test
    void deliversWhatAMailLibrarySends() throws Exception {
        Path out = folder.resolve("out");
        try (Hub hub = start(new DeliverySpec.Directory(out))) {
            sendByLibrary(hub.address());
            await().until(() -> files(out, ".json").size() == 1);
            Path eml = files(out, ".eml").getFirst();
            assertThat(eml).content().startsWith("Received: from ");
            MimeMessage message = new MimeMessage(
                    Session.getInstance(new Properties()), Files.newInputStream(eml));
            assertThat(message.getSubject()).isEqualTo("Gr\u00fc\u00dfe");
            assertThat(message.getContent()).isEqualTo(TEXT);
            assertThat(files(out, ".json").getFirst())
                    .content()
                    .contains("\"forward_paths\":[\"b@y.example\",\"c@z.example\"]");
            await().until(() -> metric(hub, "hubmark_messages_delivered_total") == 1);
            await().until(() -> metric(hub, "hubmark_queue_messages") == 0);
        }
        await().until(() -> files(folder.resolve("tracking"), ".tsv").size() == 1);
        assertThat(files(folder.resolve("tracking"), ".tsv").getFirst())
                .content()
                .contains("\tRECEIVE\t", "\tDELIVER\t");
    }

    @Test
    void holdsMailOverARestart() throws Exception {
        QueueId id;
        try (Hub hub = start(HOLD)) {
            id = send(hub);
            assertThat(metric(hub, "hubmark_messages_accepted_total")).isEqualTo(1);
            assertThat(metric(hub, "hubmark_queue_messages")).isEqualTo(1);
        }
        try (QueueReader reader =
                QueueReader.open(folder.resolve("log"), folder.resolve("queue"))) {
            assertThat(reader.find(id).orElseThrow().envelope().forwardPaths())
                    .containsExactly("b@y.example");
            assertThat(reader.check().problems()).isEmpty();
        }
        try (Hub hub = start(DISCARD)) {
            await().until(() -> metric(hub, "hubmark_messages_delivered_total") == 1);
            await().until(() -> metric(hub, "hubmark_queue_messages") == 0);
        }
    }

    /** An event loop that waits for ever stands for each part that does, a hung tracking volume above all. */
    @Test
    void endsWithoutAPartThatDoesNotEnd() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CompletableFuture<SmtpPolicy.Verdict> verdict = new CompletableFuture<>();
        HubParts parts = HubParts.own().withPolicy(new SmtpPolicy() {
            @Override
            public Verdict onCommand(String peer, String verb, String argument) {
                asked.countDown();
                return verdict.join();
            }
        });
        Hub hub = Hub.start(TestHubs.on(folder, IntakeKind.STORE, HOLD, Map.of()), parts);
        try (SmtpClient client = SmtpClient.connect(hub.address(), Duration.ofMinutes(1))) {
            assertThat(client.reply().code()).isEqualTo(220);
            client.write("NOOP\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(asked.await(1, TimeUnit.MINUTES)).isTrue();
            hub.drain(Duration.ZERO);
            assertThat(verdict).isNotDone();
        } finally {
            verdict.complete(new SmtpPolicy.Verdict.Proceed());
        }
        // Closed in good order all the same.
        start(HOLD).close();
    }

    @ParameterizedTest
    @CsvSource({"true, delivery-", "false, dispatcher"})
    void anAgentThatNeverBlocksIsCalledByTheThreadThatLeases(boolean mayBlock, String thread)
            throws Exception {
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
        try (Hub hub = start(new DeliverySpec.Own(agent))) {
            send(hub);
            assertThat(threads.poll(1, TimeUnit.MINUTES)).startsWith(thread);
        }
    }

    @Test
    void theDiscardIntakeKeepsNothing() throws Exception {
        try (Hub hub = Hub.start(TestHubs.on(folder, IntakeKind.DISCARD, HOLD, Map.of()))) {
            send(hub);
            assertThat(metric(hub, "hubmark_messages_accepted_total")).isEqualTo(1);
            assertThat(hub.metrics()).doesNotContain("hubmark_queue_messages");
        }
        assertThat(folder.resolve("queue")).doesNotExist();
    }

    @Test
    void answersOverHttp() throws Exception {
        try (Hub hub = start(DISCARD)) {
            for (int i = 0; i < 5; i++) {
                send(hub);
            }
            await().until(() -> metric(hub, "hubmark_messages_delivered_total") == 5);
            await().until(() -> metric(hub, "hubmark_queue_messages") == 0);
            assertThat(ask(hub, "GET", "/health")).isEqualTo("200 {\"status\":\"up\"}\n");
            assertThat(ask(hub, "GET", "/metrics"))
                    .startsWith("200 ")
                    .contains("hubmark_messages_accepted_total 5.0")
                    .contains("hubmark_messages_refused_total{reason=\"busy\"} 0.0")
                    .contains("jvm_memory_used_bytes", "process_uptime_seconds");
            assertThat(ask(hub, "GET", "/settings"))
                    .contains("\"smtp.message-size-max\":\"150MB\"");
            assertThat(ask(hub, "GET", "/none")).startsWith("404 ");
            assertThat(ask(hub, "POST", "/metrics")).startsWith("404 ");
            JsonNode histograms = new ObjectMapper()
                    .readTree(ask(hub, "POST", "/histograms/reset").substring("200 ".length()));
            int synced = 0;
            for (JsonNode groups : histograms.get("log_groups")) {
                long syncs = groups.get("syncs").asLong();
                assertThat(groups.get("bytes").asLong())
                        .isBetween(syncs, syncs * groups.get("bytes_max").asLong());
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
            assertThat(ask(hub, "GET", "/health"))
                    .startsWith("503 ")
                    .contains("\"status\":\"down\"", "a write failed");
        }
    }

    /** Whoever restarts what does not live must not restart what only refuses mail, starts or ends. */
    @Test
    void livesWhileItIsNotReady() throws Exception {
        CountDownLatch delivering = new CountDownLatch(1);
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        DeliveryAgent slow = lease -> {
            delivering.countDown();
            return outcome.join();
        };
        Hub hub = start(new DeliverySpec.Own(slow));
        try {
            assertThat(ask(hub, "GET", "/live")).startsWith("200 ");
            assertThat(ask(hub, "GET", "/ready")).isEqualTo("200 {\"status\":\"up\"}\n");
            send(hub);
            delivering.await();
            CompletableFuture<Void> drain = CompletableFuture.runAsync(() -> {
                try {
                    hub.drain(Duration.ofMinutes(1));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            await().until(() -> ask(hub, "GET", "/ready").startsWith("503 "));
            assertThat(ask(hub, "GET", "/ready"))
                    .isEqualTo("503 {\"status\":\"down\",\"reason\":\"draining\"}\n");
            assertThat(ask(hub, "GET", "/live")).startsWith("200 ");
            outcome.complete(new Outcome.Delivered());
            drain.join();
        } finally {
            outcome.complete(new Outcome.Delivered());
            hub.close();
        }
    }

    @Test
    void isNotReadyUnderBackPressureAndBeforeItHasStarted() throws Exception {
        try (Hub hub = TestHubs.hold(folder, new PressureSettings(2))) {
            send(hub);
            send(hub);
            await().until(() -> ask(hub, "GET", "/ready").startsWith("503 "));
            assertThat(ask(hub, "GET", "/ready")).contains("\"reason\":\"the queue is too long");
            assertThat(ask(hub, "GET", "/live")).startsWith("200 ");
            hub.failure().complete(new IOException("a write failed"));
            assertThat(ask(hub, "GET", "/live")).startsWith("503 ").contains("a write failed");
        }
        AdminPages pages = new AdminPages(new CompletableFuture<>(), Settings.defaults());
        assertThat(pages.get("/live").status().code()).isEqualTo(200);
        for (String path : List.of("/ready", "/health", "/metrics", "/histograms", "/settings")) {
            assertThat(pages.get(path).status().code()).as(path).isEqualTo(503);
            assertThat(pages.get(path).body()).contains("starting");
        }
        assertThat(pages.post("/histograms/reset", "").status().code()).isEqualTo(503);
    }

    @ParameterizedTest
    @CsvSource({"hold, true", "smtp://127.0.0.1:1, false"})
    void announcesWhatItsDeliveryTakes(String delivery, boolean binary) throws Exception {
        try (Hub hub = start(DeliverySpec.parse(delivery));
                SmtpClient client = TestHubs.client(hub)) {
            assertThat(client.has("8BITMIME")).isTrue();
            assertThat(client.has("BINARYMIME")).isEqualTo(binary);
        }
    }

    private Hub start(DeliverySpec delivery) throws IOException {
        return TestHubs.start(folder, delivery, Map.of());
    }

    private static QueueId send(Hub hub) throws IOException {
        return TestHubs.send(hub, "b@y.example");
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

    /** {@return the status and the body} */
    private static String ask(Hub hub, String method, String path) throws Exception {
        InetSocketAddress address = hub.metricsAddress().orElseThrow();
        URI uri = URI.create("http://127.0.0.1:" + address.getPort() + path);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            HttpResponse<String> response =
                    client.send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() + " " + response.body();
        }
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.getFileName().toString().startsWith(".")
                            && file.toString().endsWith(ending))
                    .toList();
        }
    }
}
