package org.hubmark.bench.machine.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;

/**
 * Asks a broker about its cluster, or to change it, by Pulsar's REST API (version 2). Blocks.
 *
 * @param broker where it answers, without a path
 */
record ClusterAdmin(URI broker) {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int CONFLICT = 409;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Makes a namespace of a single bundle, which one broker keeps as a whole. */
    void makeNamespace(String namespace) throws IOException {
        send("PUT", "/admin/v2/namespaces/" + namespace, "{\"bundles\":{\"numBundles\":1}}");
    }

    /**
     * Has a namespace kept by one broker, by an isolation policy of that name.
     *
     * @param preferred its host
     */
    void prefer(String cluster, String namespace, String preferred) throws IOException {
        String policy = String.format(Locale.ROOT, """
                {"namespaces":["%s"],"primary":["%s"],"secondary":[".*"],"auto_failover_policy":
                {"policy_type":"min_available","parameters":{"min_limit":"1","usage_threshold":"100"}}}
                """, namespace, preferred.replace(".", "\\\\."));
        send(
                "POST",
                "/admin/v2/clusters/" + cluster + "/namespaceIsolationPolicies/"
                        + namespace.replace('/', '-'),
                policy);
    }

    /** {@return the address of the broker that keeps a topic, pulsar://HOST:PORT} */
    String keeper(String topic) throws IOException {
        String answer = ask(request("/lookup/v2/topic/persistent/" + topic));
        JsonNode url = JSON.readTree(answer).path("brokerUrl");
        if (!url.isTextual()) {
            throw new IOException("the broker does not say who keeps " + topic + ": " + answer);
        }
        return url.textValue();
    }

    /** Has the broker send a message to itself and wait for it. */
    void requireHealth() throws IOException {
        String unused = ask(request("/admin/v2/brokers/health"));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(broker.resolve(path));
    }

    private void send(String method, String path, String json) throws IOException {
        String unused = ask(request(path)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(json)));
    }

    private static String ask(HttpRequest.Builder question) throws IOException {
        HttpRequest request = question.timeout(TIMEOUT).build();
        try (HttpClient client = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build()) {
            HttpResponse<String> answer =
                    client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() / 100 != 2 && answer.statusCode() != CONFLICT) {
                throw new IOException("the broker refuses " + request.uri().getPath() + ": "
                        + answer.statusCode() + " " + answer.body().strip());
            }
            return answer.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
