package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.core.MailQueue;
import org.hubmark.core.Settings;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A namespace of a test's own, on the cluster that {@code HUBMARK_PULSAR} names, whose broker answers
 * administrators at {@code HUBMARK_PULSAR_ADMIN}.
 */
final class TestNamespace implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final URI admin = environment("HUBMARK_PULSAR_ADMIN");
    private final PulsarAddress address = PulsarAddress.of(cluster());
    private final String name = address.tenant() + "/other-" + System.nanoTime();

    /** {@return the address of the queue of all tests that need none of their own} */
    static URI cluster() {
        return environment("HUBMARK_PULSAR");
    }

    private static URI environment(String name) {
        return URI.create(Objects.requireNonNull(System.getenv(name), name));
    }

    TestNamespace() throws Exception {
        ask("PUT", "namespaces/" + name, "{}");
    }

    @Override
    public String toString() {
        return name;
    }

    URI queue() {
        return URI.create("pulsar://" + String.join(",", address.brokers()) + "/" + name);
    }

    /** Opens the queue in it as a hub does that may ask about policies. */
    MailQueue open(Map<String, String> settings) throws IOException {
        Map<String, String> all = new HashMap<>(settings);
        all.putIfAbsent("pulsar.admin", admin.toString());
        return new PulsarEngine().open(queue(), new Settings(all), InstantSource.system());
    }

    /** Asks the broker as an administrator does; a path is below /admin/v2/. */
    String ask(String method, String path, String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(admin.resolve("/admin/v2/" + path))
                        .header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode())
                .as(method + " " + path + ": " + answer.body())
                .isBetween(200, 299);
        return answer.body();
    }

    /** Removes it with all that is in it. */
    @Override
    public void close() throws Exception {
        for (JsonNode topic : new ObjectMapper().readTree(ask("GET", "persistent/" + name, ""))) {
            ask("DELETE", topic.asText().replace("://", "/") + "?force=true", "");
        }
        ask("DELETE", "namespaces/" + name, "");
        client.close();
    }
}
