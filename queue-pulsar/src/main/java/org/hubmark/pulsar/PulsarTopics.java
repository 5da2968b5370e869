package org.hubmark.pulsar;

import org.apache.pulsar.client.api.AuthenticationFactory;
import org.apache.pulsar.client.api.ClientBuilder;
import org.apache.pulsar.client.api.CompressionType;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SizeUnit;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.impl.MultiplierRedeliveryBackoff;
import org.apache.pulsar.common.schema.SchemaType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * The client's side of a queue's two topics. Each has one durable subscription, which exists before
 * anything is sent: what no subscription holds Pulsar may delete.
 */
record PulsarTopics(
        PulsarClient client,
        Producer<byte[]> producer,
        Producer<byte[]> deadProducer,
        Consumer<byte[]> consumer) {
    static final String MAIL = "mail";
    static final String DEAD = "mail-dead";
    static final String SUBSCRIPTION = "hubmark";

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration OPERATION_TIMEOUT = Duration.ofSeconds(10);

    /** Between two tries to connect. By default up to a minute, in which no mail would be taken. */
    private static final Duration RETRY_MIN = Duration.ofMillis(100);

    private static final Duration RETRY_MAX = Duration.ofSeconds(2);

    /** What is released comes again after so long. */
    private static final Duration RELEASE_DELAY = Duration.ofSeconds(1);

    /** What came before it was due comes again after the time above, then twice as long, up to this. */
    private static final Duration EARLY_DELAY_MAX = Duration.ofMinutes(1);

    /** Messages that are fetched ahead of delivery; other hubs don't get them meanwhile. */
    private static final int FETCHED_MAX = 20;

    /** Large messages whose chunks are on their way at once: one a hub that sends. */
    private static final int CHUNKED_MAX = 100;

    static PulsarTopics open(PulsarAddress address, PulsarSettings settings) throws IOException {
        PulsarClient client = client(address, settings);
        try {
            // First these, which see whether the topics are others'; a subscription would keep
            // their
            // messages for good.
            Producer<byte[]> producer = producer(client, address.topic(MAIL), settings);
            Producer<byte[]> deadProducer = producer(client, address.topic(DEAD), settings);
            Consumer<byte[]> consumer = subscribe(client, address.topic(MAIL));
            subscribe(client, address.topic(DEAD)).close();
            return new PulsarTopics(client, producer, deadProducer, consumer);
        } catch (PulsarClientException e) {
            client.shutdown();
            throw new IOException("the queue " + address + " can't be opened: " + words(e), e);
        }
    }

    /** {@return a client that has nothing open yet} Its caller closes it. */
    static PulsarClient client(PulsarAddress address, PulsarSettings settings) throws IOException {
        requireBroker(address);
        ClientBuilder builder = PulsarClient.builder()
                .serviceUrl(address.service())
                .connectionTimeout((int) CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .operationTimeout((int) OPERATION_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .lookupTimeout((int) OPERATION_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .startingBackoffInterval(RETRY_MIN.toMillis(), TimeUnit.MILLISECONDS)
                .maxBackoffInterval(RETRY_MAX.toMillis(), TimeUnit.MILLISECONDS)
                // The queue bounds what it sends itself.
                .memoryLimit(0, SizeUnit.BYTES);
        if (!settings.token().isEmpty()) {
            builder.authentication(AuthenticationFactory.token(() -> tokenNow(settings)));
        }
        return builder.build();
    }

    /** Asked for at each connection, and when the broker finds that the last one has expired. */
    private static String tokenNow(PulsarSettings settings) {
        try {
            return settings.token();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends and acknowledges what is still to be, and ends. */
    void close() throws IOException {
        client.close();
    }

    /** Ends as the end of the process would. */
    void cut() throws IOException {
        client.shutdown();
    }

    /** {@return what a future of the client has failed with} */
    static Throwable cause(Throwable problem) {
        Throwable cause = problem.getCause();
        return problem instanceof CompletionException && cause != null ? cause : problem;
    }

    /** {@return the first line of what the client said, and what helps} */
    static String words(Throwable problem) {
        Throwable cause = cause(problem);
        String message = cause.getMessage();
        String said = message == null || message.isBlank()
                ? cause.getClass().getSimpleName()
                : message.lines()
                        .findFirst()
                        .orElse("")
                        .strip()
                        // A broker's words in JSON.
                        .replaceFirst("^\\{\"errorMsg\":\"([^\"]*)\".*", "$1");
        return switch (cause) {
            case PulsarClientException.AuthenticationException refused ->
                said + "; pulsar.token-file has to name a file with a token that the cluster takes";
            case PulsarClientException.AuthorizationException refused ->
                said
                        + "; the token in pulsar.token-file must give the right to produce and"
                        + " consume in the namespace";
            default -> said;
        };
    }

    /** The client would try for long, and say less. */
    private static void requireBroker(PulsarAddress address) throws IOException {
        String reason = "";
        for (InetSocketAddress broker : address.sockets().toList()) {
            try (Socket socket = new Socket()) {
                socket.connect(broker, (int) CONNECT_TIMEOUT.toMillis());
                return;
            } catch (UnknownHostException e) {
                reason = "there is no host '" + broker.getHostString() + "'";
            } catch (IOException e) {
                reason = String.valueOf(e.getMessage());
            }
        }
        throw new IOException(
                "no broker answers at " + String.join(", ", address.brokers()) + ": " + reason);
    }

    private static Consumer<byte[]> subscribe(PulsarClient client, String topic)
            throws PulsarClientException {
        return client.newConsumer(Schema.BYTES)
                .topic(topic)
                .subscriptionName(SUBSCRIPTION)
                .subscriptionType(SubscriptionType.Shared)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .startPaused(true)
                .receiverQueueSize(FETCHED_MAX)
                .negativeAckRedeliveryBackoff(MultiplierRedeliveryBackoff.builder()
                        .minDelayMs(RELEASE_DELAY.toMillis())
                        .maxDelayMs(EARLY_DELAY_MAX.toMillis())
                        .multiplier(2)
                        .build())
                .maxPendingChunkedMessage(CHUNKED_MAX)
                // Both of these would acknowledge what nobody has delivered.
                .autoAckOldestChunkedMessageOnQueueFull(false)
                .expireTimeOfIncompleteChunkedMessage(0, TimeUnit.MILLISECONDS)
                .subscribe();
    }

    /**
     * Opens a topic to send to.
     *
     * @throws PulsarClientException also if its messages have a schema: then it is another program's
     */
    private static Producer<byte[]> producer(
            PulsarClient client, String topic, PulsarSettings settings)
            throws PulsarClientException {
        // Takes the schema that the topic has; octets where it has none.
        Schema<byte[]> schema = Schema.AUTO_PRODUCE_BYTES();
        // No batches: the bookies' journal groups what comes at once.
        Producer<byte[]> producer = client.newProducer(schema)
                .topic(topic)
                .sendTimeout((int) settings.sendTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .maxPendingMessages(0)
                .blockIfQueueFull(false)
                .compressionType(CompressionType.NONE)
                .enableBatching(false)
                .enableChunking(true)
                .create();
        SchemaType type = schema.getSchemaInfo().getType();
        if (type != SchemaType.BYTES && type != SchemaType.NONE) {
            producer.close();
            throw new PulsarClientException.IncompatibleSchemaException("the topic " + topic
                    + " has the schema " + type
                    + ", so it is another program's; give the hub a namespace of its own");
        }
        return producer;
    }
}
