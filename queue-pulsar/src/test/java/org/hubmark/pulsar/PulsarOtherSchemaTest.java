package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.core.Settings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.Objects;

/**
 * A namespace in which another program has a topic of our name, on the cluster of
 * {@code -Dhubmark.pulsar=ADDRESS} whose broker answers administrators at {@code -Dhubmark.pulsar.admin=URL}.
 */
@Tag("long")
@EnabledIfSystemProperty(
        named = "hubmark.pulsar.admin",
        matches = "http.*",
        disabledReason =
                "no broker is named with -Dhubmark.pulsar.admin=http://HOST:PORT for administrators")
class PulsarOtherSchemaTest {
    private static final String AVRO = """
            {"type": "AVRO", "properties": {}, "schema":
             "{\\"type\\": \\"record\\", \\"name\\": \\"A\\", \\"fields\\": [{\\"name\\": \\"a\\", \\"type\\": \\"string\\"}]}"}
            """;

    private final HttpClient client = HttpClient.newHttpClient();
    private final URI admin =
            URI.create(Objects.requireNonNull(System.getProperty("hubmark.pulsar.admin")));
    private final PulsarAddress address = PulsarAddress.of(
            URI.create(Objects.requireNonNull(System.getProperty("hubmark.pulsar"))));
    private final String namespace = address.tenant() + "/other-" + System.nanoTime();

    @BeforeEach
    void make() throws Exception {
        ask("PUT", "namespaces/" + namespace, "{}");
    }

    @AfterEach
    void remove() throws Exception {
        for (JsonNode topic :
                new ObjectMapper().readTree(ask("GET", "persistent/" + namespace, ""))) {
            ask("DELETE", topic.asText().replace("://", "/") + "?force=true", "");
        }
        ask("DELETE", "namespaces/" + namespace, "");
        client.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void itsTopicIsLeftAlone(String enforced) throws Exception {
        ask("PUT", "persistent/" + namespace + "/mail", "");
        ask("POST", "schemas/" + namespace + "/mail/schema", AVRO);
        ask("POST", "namespaces/" + namespace + "/schemaValidationEnforced", enforced);
        assertThatIOException()
                .isThrownBy(this::open)
                .withMessage("the queue " + queue() + " can't be opened: the topic persistent://"
                        + namespace
                        + "/mail has the schema AVRO, so it is another program's; give the hub"
                        + " a namespace of its own");
        assertThat(ask("GET", "persistent/" + namespace + "/mail/subscriptions", ""))
                .isEqualTo("[]");
    }

    @Test
    void itsDeadLettersAreToo() throws Exception {
        ask("PUT", "persistent/" + namespace + "/mail-dead", "");
        ask("POST", "schemas/" + namespace + "/mail-dead/schema", AVRO);
        assertThatIOException()
                .isThrownBy(this::open)
                .withMessageContaining("/mail-dead has the schema AVRO");
    }

    @Test
    void aNamespaceThatWantsSchemasTakesAQueueWithoutOne() throws Exception {
        ask("POST", "namespaces/" + namespace + "/schemaValidationEnforced", "true");
        open();
    }

    private void open() throws IOException {
        new PulsarEngine()
                .open(queue(), Settings.defaults(), InstantSource.system())
                .close();
    }

    private URI queue() {
        return URI.create("pulsar://" + String.join(",", address.brokers()) + "/" + namespace);
    }

    private String ask(String method, String path, String body)
            throws IOException, InterruptedException {
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
}
