package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.HttpServer;

import org.hubmark.core.Settings;
import org.hubmark.hub.delivery.DeliverySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A hub sends its metrics by OTLP to a receiver on loopback, at the interval and at its end, and to nobody by default. */
@Timeout(60)
final class OtlpExportTest {
    private record Received(String path, String type, String body) {}

    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private volatile int status = 200;
    private HttpServer receiver;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), ISO_8859_1);
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
            received.add(new Received(
                    exchange.getRequestURI().getPath(),
                    exchange.getRequestHeaders().getFirst("Content-Type"),
                    body));
        });
        receiver.start();
    }

    @AfterEach
    void stop() {
        receiver.stop(0);
    }

    private Hub hub() throws IOException {
        String url = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/v1/metrics";
        return Hub.start(HubConfigurations.on(
                folder,
                IntakeKind.STORE,
                new DeliverySpec.Discard(),
                Map.of("metrics.otlp.url", url, "metrics.otlp.interval", "1s")));
    }

    @Test
    void metricsAreSentAtTheIntervalAndAtTheEnd() throws Exception {
        try (Hub hub = hub()) {
            Received first = received.take();
            assertThat(first.path()).isEqualTo("/v1/metrics");
            assertThat(first.type()).isEqualTo("application/x-protobuf");
            assertThat(first.body())
                    .contains("service.name", "hubmark.messages.accepted", "jvm.memory.used");
            // The scrape has the same.
            assertThat(hub.metrics()).contains("hubmark_messages_accepted_total 0.0");
            assertThat(received.take().body()).contains("hubmark.messages.accepted");
            received.clear();
        }
        assertThat(received.take().body()).contains("hubmark.messages.accepted");
    }

    @Test
    void aReceiverThatRefusesCostsNothing() throws Exception {
        status = 503;
        try (Hub hub = hub()) {
            received.take();
            received.take();
            assertThat(hub.failure()).isNotDone();
            status = 200;
            received.clear();
            received.take();
        }
    }

    @Test
    void nothingIsSentByDefaultAndWhatIsNoUrlIsRefused() {
        assertThat(OtlpSettings.read(Settings.defaults()).isOn()).isFalse();
        for (String bad : new String[] {"collector:4318", "ftp://x/", "http://a b/", "http:"}) {
            assertThatThrownBy(
                            () -> OtlpSettings.read(new Settings(Map.of("metrics.otlp.url", bad))))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("metrics.otlp.url");
        }
        assertThatThrownBy(() ->
                        OtlpSettings.read(new Settings(Map.of("metrics.otlp.interval", "1ms"))))
                .hasMessageContaining("metrics.otlp.interval");
    }
}
