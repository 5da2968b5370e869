package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.Map;

/**
 * A namespace in which another program has a topic of our name, on the cluster of {@link TestNamespace}.
 */
@OnCluster
class PulsarOtherSchemaTest {
    private static final String AVRO = """
            {"type": "AVRO", "properties": {}, "schema":
             "{\\"type\\": \\"record\\", \\"name\\": \\"A\\", \\"fields\\": [{\\"name\\": \\"a\\", \\"type\\": \\"string\\"}]}"}
            """;

    private TestNamespace namespace;

    @BeforeEach
    void make() throws Exception {
        namespace = new TestNamespace();
    }

    @AfterEach
    void remove() throws Exception {
        namespace.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void itsTopicIsLeftAlone(String enforced) throws Exception {
        namespace.ask("PUT", "persistent/" + namespace + "/mail", "");
        namespace.ask("POST", "schemas/" + namespace + "/mail/schema", AVRO);
        namespace.ask("POST", "namespaces/" + namespace + "/schemaValidationEnforced", enforced);
        assertThatIOException()
                .isThrownBy(this::open)
                .withMessage("the queue " + namespace.queue()
                        + " can't be opened: the topic persistent://"
                        + namespace
                        + "/mail has the schema AVRO, so it is another program's; give the hub"
                        + " a namespace of its own");
        assertThat(namespace.ask("GET", "persistent/" + namespace + "/mail/subscriptions", ""))
                .isEqualTo("[]");
    }

    @Test
    void itsDeadLettersAreToo() throws Exception {
        namespace.ask("PUT", "persistent/" + namespace + "/mail-dead", "");
        namespace.ask("POST", "schemas/" + namespace + "/mail-dead/schema", AVRO);
        assertThatIOException()
                .isThrownBy(this::open)
                .withMessageContaining("/mail-dead has the schema AVRO");
    }

    @Test
    void aNamespaceThatWantsSchemasTakesAQueueWithoutOne() throws Exception {
        namespace.ask("POST", "namespaces/" + namespace + "/schemaValidationEnforced", "true");
        open();
    }

    private void open() throws IOException {
        namespace.open(Map.of()).close();
    }
}
