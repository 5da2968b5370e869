package org.hubmark.pulsar;

import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionMode;
import org.apache.pulsar.client.api.SubscriptionType;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The number by which the queue ids of a hub differ from those of the others that share its queue. A broker
 * lends it: an exclusive subscription without messages, of which there is one for each number, and which
 * ends with the connection. Any thread.
 */
final class HubNumber {
    private static final String PREFIX = "hub-";

    /** Hubs are far fewer than numbers, so that almost every first try succeeds. */
    private static final int TRIES_MAX = 100;

    private final int value;
    private final Consumer<byte[]> lent;

    private HubNumber(int value, Consumer<byte[]> lent) {
        this.value = value;
        this.lent = lent;
    }

    /**
     * Takes a free number, for as long as the client is open.
     *
     * @param topic whose broker lends it
     */
    static HubNumber take(PulsarClient client, String topic) throws IOException {
        PulsarClientException busy = null;
        for (int i = 0; i < TRIES_MAX; i++) {
            int number = ThreadLocalRandom.current().nextInt(QueueIds.HUBS_MAX);
            try {
                return new HubNumber(number, borrow(client, topic, number));
            } catch (PulsarClientException.ConsumerBusyException e) {
                busy = e;
            }
        }
        throw new IOException("there is no number left for one more hub", busy);
    }

    int value() {
        return value;
    }

    /** {@return whether no other hub can have the number now} */
    boolean isHeld() {
        return lent.isConnected();
    }

    static Consumer<byte[]> borrow(PulsarClient client, String topic, int number)
            throws PulsarClientException {
        return client.newConsumer(Schema.BYTES)
                .topic(topic)
                .subscriptionName(PREFIX + number)
                .subscriptionType(SubscriptionType.Exclusive)
                // A durable one would keep all messages of the topic.
                .subscriptionMode(SubscriptionMode.NonDurable)
                .startPaused(true)
                .receiverQueueSize(1)
                .subscribe();
    }
}
