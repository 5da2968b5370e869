package org.hubmark.pulsar;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;

/**
 * Asks a broker about the queue's topics by Pulsar's REST API for administrators (version 2). Blocks; any
 * thread.
 *
 * @param broker where it answers, without a path
 * @param settings that name the file with the token that says who asks
 */
record PulsarAdmin(URI broker, PulsarSettings settings) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** {@return a policy that is in force for a topic, from wherever it comes; missing where none is} */
    JsonNode policy(PulsarAddress address, String topic, String name) throws IOException {
        return ask(
                "/admin/v2/persistent/" + address.tenant() + "/" + address.namespace() + "/" + topic
                        + "/" + name + "?applied=true",
                "there is no topic " + address.topic(topic) + ": no hub has used it as a queue");
    }

    /** {@return a policy of a namespace; missing where it has none} */
    JsonNode policy(PulsarAddress address, String name) throws IOException {
        return ask(
                "/admin/v2/namespaces/" + address.tenant() + "/" + address.namespace() + "/" + name,
                "there is no namespace " + address);
    }

    private JsonNode ask(String path, String absent) throws IOException {
        URI uri = broker.resolve(path);
        HttpRequest.Builder question = HttpRequest.newBuilder(uri).timeout(TIMEOUT);
        String token = settings.token();
        if (!token.isEmpty()) {
            question.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> answer = answer(question.build());
        switch (answer.statusCode()) {
            case NO_CONTENT -> {
                return MissingNode.getInstance();
            }
            case OK -> {
                try {
                    return JSON.readTree(answer.body());
                } catch (JsonProcessingException e) {
                    throw new IOException(
                            "what answers at " + broker + " is not a broker: its answer is not"
                                    + " JSON",
                            e);
                }
            }
            case 401, 403 ->
                throw new IOException("the broker at " + broker + " does not let us look into the"
                        + " queue: " + answer.statusCode()
                        + "; name a token that may in pulsar.token-file");
            case 404 -> throw new IOException(absent);
            default ->
                throw new IOException("the broker at " + broker + " answers " + answer.statusCode()
                        + " to " + uri.getPath());
        }
    }

    private HttpResponse<String> answer(HttpRequest question) throws IOException {
        // A broker that doesn't keep the topic sends us to the one that does.
        try (HttpClient client = HttpClient.newBuilder()
                .connectTimeout(TIMEOUT)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build()) {
            return client.send(question, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (IOException e) {
            String why = switch (e) {
                case ConnectException none -> "nothing listens there";
                case HttpTimeoutException late -> "no answer within " + TIMEOUT.toSeconds() + " s";
                default -> "what listens there does not answer HTTP: " + e.getMessage();
            };
            throw new IOException("no broker answers administrators at " + broker + ": " + why, e);
        }
    }
}
