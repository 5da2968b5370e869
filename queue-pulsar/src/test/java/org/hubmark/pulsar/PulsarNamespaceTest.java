package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.hubmark.core.Lease;
import org.hubmark.core.MailQueue;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a hub makes of the policies of a namespace: it is not opened where they lose mail, and nothing is
 * delivered early where they don't delay. On the cluster of {@link TestNamespace}.
 */
@OnCluster
class PulsarNamespaceTest {
    private final TestMail mail = new TestMail();
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
    @CsvSource(
            delimiter = '|',
            value = {
                "messageTTL | 3600 | message TTL",
                "backlogQuota | {\"limitSize\": 1000000, \"policy\": \"consumer_backlog_eviction\"} | eviction",
                "subscriptionExpirationTime | 30 | subscription expiration"
            })
    void aPolicyThatLosesMailKeepsTheHubFromStarting(String policy, String value, String words)
            throws Exception {
        namespace.ask("POST", "namespaces/" + namespace + "/" + policy, value);
        assertThatIOException()
                .isThrownBy(() -> namespace.open(Map.of()))
                .withMessageContaining("would lose mail")
                .withMessageContaining(words)
                .withMessageContaining("pulsar-admin namespaces");
        // Nobody could be asked.
        namespace.open(Map.of("pulsar.admin", "")).close();
    }

    /** With the broker's delays off each would come at once, and with a bound they would be refused. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"active\": false, \"tickTime\": 100}",
                "{\"active\": true, \"tickTime\": 100, \"maxDeliveryDelayInMillis\": 100}"
            })
    void nothingIsDueBeforeItsTime(String delays) throws Exception {
        namespace.ask("POST", "namespaces/" + namespace + "/delayedDelivery", delays);
        try (MailQueue queue = namespace.open(Map.of())) {
            assertThat(mail.offer(queue, 100)).isInstanceOf(Receipt.Queued.class);
            QueueId id = TestMail.next(queue).id();
            Instant dueAt = Instant.now().plusSeconds(4);
            queue.defer(id, dueAt, "450 later", List.of());
            Lease again = TestMail.next(queue);
            assertThat(Instant.now()).isAfterOrEqualTo(dueAt);
            assertThat(again.id()).isEqualTo(id);
            assertThat(again.attempts()).isEqualTo(1);
            queue.acknowledge(id);
        }
    }

    @Test
    void aNumberIsLentToOneHubAtATime() throws Exception {
        PulsarAddress address = PulsarAddress.of(namespace.queue());
        PulsarSettings settings = PulsarSettings.read(Settings.defaults());
        String topic = address.topic(PulsarTopics.DEAD);
        PulsarClient first = PulsarTopics.client(address, settings);
        try (PulsarClient second = PulsarTopics.client(address, settings)) {
            HubNumber number = HubNumber.take(first, topic);
            assertThat(number.isHeld()).isTrue();
            assertThatExceptionOfType(PulsarClientException.ConsumerBusyException.class)
                    .isThrownBy(() -> HubNumber.borrow(second, topic, number.value()));
            assertThat(HubNumber.take(second, topic).value()).isNotEqualTo(number.value());
            first.shutdown();
        }
    }
}
