package org.hubmark.bench.machine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a broker is asked, and what becomes of its answer. */
class ClusterAdminTest {
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer broker;
    private volatile int answer = 204;

    @BeforeEach
    void start() throws IOException {
        broker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        broker.createContext("/", exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + new String(exchange.getRequestBody().readAllBytes(), UTF_8)
                            .replace("\n", ""));
            exchange.sendResponseHeaders(answer, -1);
            exchange.close();
        });
        broker.start();
    }

    @AfterEach
    void stop() {
        broker.stop(0);
    }

    private ClusterAdmin admin() {
        return new ClusterAdmin(
                URI.create("http://127.0.0.1:" + broker.getAddress().getPort()));
    }

    /** One that is there is good. */
    @ParameterizedTest
    @ValueSource(ints = {204, 409})
    void aNamespaceIsAskedFor(int status) throws IOException {
        answer = status;
        admin().makeNamespace("public/hub-1");
        assertThat(asked)
                .containsExactly("PUT /admin/v2/namespaces/public/hub-1"
                        + " {\"bundles\":{\"numBundles\":1}}");
    }

    @Test
    void itsBrokerIsNamed() throws IOException {
        admin().prefer("hubmark", "public/hub-1", "198.18.0.2");
        assertThat(asked)
                .singleElement()
                .asString()
                .startsWith(
                        "POST /admin/v2/clusters/hubmark/namespaceIsolationPolicies/public-hub-1 ")
                .contains("\"namespaces\":[\"public/hub-1\"]")
                .contains("\"primary\":[\"198\\\\.18\\\\.0\\\\.2\"]");
    }

    @Test
    void aRefusalIsSaid() {
        answer = 403;
        assertThatIOException()
                .isThrownBy(() -> admin().makeNamespace("public/hub-1"))
                .withMessageContaining("the broker refuses /admin/v2/namespaces/public/hub-1: 403");
    }
}
