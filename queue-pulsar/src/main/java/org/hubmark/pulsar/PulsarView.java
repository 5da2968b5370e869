package org.hubmark.pulsar;

import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.impl.MessageIdImpl;
import org.hubmark.core.ContentSource;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.queue.CheckReport;
import org.hubmark.queue.ReadableQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A look at the topics of a queue: all that nobody has acknowledged, as the broker knows it at the
 * beginning. What is being delivered is among it, and what leaves meanwhile may be. To find a message
 * by its id, all are read. One thread.
 */
final class PulsarView implements ReadableQueue {
    private static final Logger LOG = LoggerFactory.getLogger(PulsarView.class);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(20);
    /** Large ones are in memory as a whole. */
    private static final int AHEAD_MAX = 4;

    private static final int NOT_PARTITIONED = -1;
    private static final double NANOS_PER_SECOND = 1e9;

    private final PulsarAddress address;
    private final PulsarAdmin admin;
    private final PulsarClient client;
    /** What is being shown, so that its content takes no second look. */
    private @Nullable Shown shown;

    /** A message in memory. */
    private record Shown(Message<byte[]> message, StoredMessage.Parsed parsed) {
        ContentSource content() {
            byte[] octets = message.getData();
            int offset = parsed.contentOffset();
            return () -> new ByteArrayInputStream(octets, offset, octets.length - offset);
        }
    }

    /** Gets each message of a topic; true to go on. */
    private interface Visitor {
        boolean visit(Message<byte[]> message) throws IOException;
    }

    private PulsarView(PulsarAddress address, PulsarAdmin admin, PulsarClient client) {
        this.address = address;
        this.admin = admin;
        this.client = client;
    }

    /** Connects. */
    static PulsarView open(PulsarAddress address, PulsarSettings settings) throws IOException {
        PulsarAdmin admin = settings.administrator()
                .orElseThrow(() -> new IOException(
                        "only the cluster's interface for administrators knows what waits: name it"
                                + " with --set pulsar.admin=http://HOST:PORT"));
        PulsarClient client = PulsarTopics.client(address, settings);
        boolean seen = false;
        try {
            // Says what is missing before anything is shown.
            var unused = admin.unacknowledged(address, PulsarTopics.MAIL);
            seen = true;
            return new PulsarView(address, admin, client);
        } finally {
            if (!seen) {
                client.close();
            }
        }
    }

    @Override
    public void forEach(Consumer<QueuedMessage> visitor) throws IOException {
        try {
            visitReadable((message, parsed) -> {
                shown = new Shown(message, parsed);
                visitor.accept(queued(message, parsed));
                return true;
            });
        } finally {
            shown = null;
        }
    }

    @Override
    public Optional<QueuedMessage> find(QueueId id) throws IOException {
        List<QueuedMessage> found = new ArrayList<>(1);
        visitReadable((message, parsed) -> {
            if (parsed.message().id().equals(id)) {
                found.add(queued(message, parsed));
            }
            return found.isEmpty();
        });
        return found.stream().findFirst();
    }

    @Override
    public ContentSource content(QueueId id) throws IOException {
        Shown now = shown;
        if (now != null && now.parsed().message().id().equals(id)) {
            return now.content();
        }
        List<Shown> found = new ArrayList<>(1);
        visitReadable((message, parsed) -> {
            if (parsed.message().id().equals(id)) {
                found.add(new Shown(message, parsed));
            }
            return found.isEmpty();
        });
        if (found.isEmpty()) {
            throw new IOException("there is no message " + id + " in the queue");
        }
        return found.getFirst().content();
    }

    /** Whether each can be read. The client verifies by checksum that its octets are as they were sent. */
    @Override
    public CheckReport check(long bytesPerSecond) throws IOException {
        List<String> problems = new ArrayList<>();
        long[] counts = new long[2];
        long startNanos = System.nanoTime();
        for (String topic : topics()) {
            visit(topic, message -> {
                counts[0]++;
                counts[1] += message.size();
                try {
                    var unused = StoredMessage.parse(message.getData());
                } catch (StoredMessage.UnreadableException e) {
                    problems.add(unreadable(topic, message, e));
                }
                pace(counts[1] * (NANOS_PER_SECOND / bytesPerSecond), startNanos);
                return true;
            });
        }
        return new CheckReport(counts[0], counts[1], problems);
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (PulsarClientException e) {
            // It has only read.
            LOG.debug("the client can't be closed", e);
        }
    }

    private static void pace(double dueNanos, long startNanos) throws IOException {
        double aheadNanos = dueNanos - (System.nanoTime() - startNanos);
        try {
            if (aheadNanos > 0) {
                TimeUnit.NANOSECONDS.sleep((long) aheadNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static List<String> topics() {
        return List.of(PulsarTopics.MAIL, PulsarTopics.DEAD);
    }

    /** As {@link Visitor}, with what stands before the content. */
    private interface ReadableVisitor {
        boolean visit(Message<byte[]> message, StoredMessage.Parsed parsed) throws IOException;
    }

    private void visitReadable(ReadableVisitor visitor) throws IOException {
        for (String topic : topics()) {
            boolean goOn = visit(topic, message -> {
                StoredMessage.Parsed parsed;
                try {
                    parsed = StoredMessage.parse(message.getData());
                } catch (StoredMessage.UnreadableException e) {
                    LOG.warn("{}", unreadable(topic, message, e));
                    return true;
                }
                return visitor.visit(message, parsed);
            });
            if (!goOn) {
                return;
            }
        }
    }

    /** {@return whether the visitor would have gone on} */
    private boolean visit(String topic, Visitor visitor) throws IOException {
        Unacknowledged entries = admin.unacknowledged(address, topic);
        Unacknowledged.Position behind = entries.behind();
        try (Reader<byte[]> reader = client.newReader(Schema.BYTES)
                .topic(address.topic(topic))
                .startMessageId(new MessageIdImpl(behind.ledger(), behind.entry(), NOT_PARTITIONED))
                .receiverQueueSize(AHEAD_MAX)
                .create()) {
            while (reader.hasMessageAvailable()) {
                Message<byte[]> message =
                        reader.readNext((int) ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS);
                if (message == null) {
                    throw new IOException("the cluster does not give the messages of the topic"
                            + " " + topic
                            + ": nothing for " + ANSWER_MAX.toSeconds() + " s");
                }
                MessageIdAdv id = (MessageIdAdv) message.getMessageId();
                Unacknowledged.Position position =
                        new Unacknowledged.Position(id.getLedgerId(), id.getEntryId());
                if (entries.last().compareTo(position) < 0) {
                    return true;
                }
                if (entries.contains(position) && !visitor.visit(message)) {
                    return false;
                }
            }
            return true;
        } catch (PulsarClientException e) {
            throw new IOException(
                    "the topic " + topic + " can't be read: " + PulsarTopics.words(e), e);
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static String unreadable(
            String topic, Message<byte[]> message, StoredMessage.UnreadableException e) {
        return "the message " + message.getMessageId() + " of the topic " + topic
                + " can't be read: " + e.getMessage();
    }

    static QueuedMessage queued(Message<byte[]> message, StoredMessage.Parsed parsed) {
        StoredMessage stored = parsed.message();
        QueuedMessage.State state = state(message, stored);
        Instant since = switch (state) {
            case QUEUED, DEFERRED ->
                PulsarQueue.due(message).orElse(stored.envelope().receivedAt());
            case DEAD, RETURNED, HEADER, DAMAGED -> Instant.ofEpochMilli(message.getPublishTime());
        };
        String reason = message.getProperty(PulsarQueue.REASON);
        return new QueuedMessage(
                stored.id(),
                stored.envelope(),
                message.size() - parsed.contentOffset(),
                state,
                since,
                stored.attempts(),
                reason == null ? "" : reason,
                stored.results());
    }

    private static QueuedMessage.State state(Message<byte[]> message, StoredMessage stored) {
        String kind = message.getProperty(PulsarQueue.KIND);
        if (kind == null) {
            return stored.attempts() == 0 && message.getProperty(PulsarQueue.DUE) == null
                    ? QueuedMessage.State.QUEUED
                    : QueuedMessage.State.DEFERRED;
        }
        return switch (kind) {
            case PulsarQueue.DEAD -> QueuedMessage.State.DEAD;
            case PulsarQueue.HEADER -> QueuedMessage.State.HEADER;
            default -> QueuedMessage.State.DAMAGED;
        };
    }
}
