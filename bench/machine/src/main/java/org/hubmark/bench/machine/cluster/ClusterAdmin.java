package org.hubmark.bench.machine.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * Asks a broker to change its cluster, by Pulsar's admin REST API (version 2). Blocks.
 *
 * @param broker where it answers, without a path
 */
record ClusterAdmin(URI broker) {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int CONFLICT = 409;

    /** Makes a namespace of a single bundle, which one broker keeps as a whole. */
    void makeNamespace(String namespace) throws IOException {
        send("PUT", "/admin/v2/namespaces/" + namespace, "{\"bundles\":{\"numBundles\":1}}");
    }

    /**
     * Has a namespace kept by one broker while that runs, by an isolation policy of that name.
     *
     * @param preferred its host
     */
    void prefer(String cluster, String namespace, String preferred) throws IOException {
        String policy = """
                {"namespaces":["%s"],"primary":["%s"],"secondary":[".*"],"auto_failover_policy":
                {"policy_type":"min_available","parameters":{"min_limit":"1","usage_threshold":"100"}}}
                """.formatted(namespace, preferred.replace(".", "\\\\."));
        send(
                "POST",
                "/admin/v2/clusters/" + cluster + "/namespaceIsolationPolicies/"
                        + namespace.replace('/', '-'),
                policy);
    }

    private void send(String method, String path, String json) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(broker.resolve(path))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(json))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer =
                    client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() / 100 != 2 && answer.statusCode() != CONFLICT) {
                throw new IOException("the broker refuses " + path + ": " + answer.statusCode()
                        + " " + answer.body().strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
