package org.hubmark.pulsar;

import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClientException;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Envelope;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Sends new mail to the topic, within the bounds of what the cluster may have left unanswered. Any thread. */
final class PulsarIntake {
    private static final Logger LOG = LoggerFactory.getLogger(PulsarQueue.class);

    /** Messages sent to the cluster and not yet acknowledged by it; with more the peer gets 451. */
    private static final int PENDING_MAX = 1_000;

    private final Producer<byte[]> producer;
    private final ContentBudget budget;
    private final Extents extents;
    private final AtomicInteger pending = new AtomicInteger();
    private volatile boolean closing;

    PulsarIntake(Producer<byte[]> producer, PulsarSettings settings) {
        this.producer = producer;
        this.budget = new ContentBudget(settings.pendingBytesMax());
        this.extents = new Extents(budget);
    }

    /** {@return why it takes no message now, of itself} */
    Receipt.@Nullable Refused refusal() {
        if (closing) {
            return new Receipt.Refused(Receipt.Reason.CLOSING, "closing");
        }
        return pending.get() >= PENDING_MAX ? tooManyPending() : null;
    }

    /** Takes no more. */
    void stop() {
        closing = true;
    }

    boolean isClosing() {
        return closing;
    }

    /** {@return messages that the cluster has not acknowledged} */
    int pending() {
        return pending.get();
    }

    /** {@return why a part of a large message is not taken; nothing where it is} */
    Optional<Receipt.Refused> storeExtent(Content content) {
        return extents.add(content) ? Optional.empty() : Optional.of(noMemory());
    }

    /** Takes a message, and answers when the cluster has. */
    void enqueue(Envelope envelope, Content content, Consumer<Receipt> listener) {
        StoredMessage message = new StoredMessage(content.id(), envelope, 0, List.of());
        byte[] header = message.header();
        long bytes = header.length + content.sizeBytes();
        Receipt.Refused refused = reserve(bytes);
        if (refused != null) {
            abandon(content);
            listener.accept(refused);
            return;
        }
        if (extents.hasPartsOf(content.id())) {
            // To copy megabytes would hold up an event loop's other connections.
            try {
                Thread.ofPlatform()
                        .daemon()
                        .name("join")
                        .start(() -> send(header, content, bytes, listener));
            } catch (OutOfMemoryError e) {
                // There is no thread to be had.
                refuse(content, bytes, listener);
            }
        } else {
            send(header, content, bytes, listener);
        }
    }

    /** Sends a message for which there is room, and answers for it. */
    private void send(byte[] header, Content content, long bytes, Consumer<Receipt> listener) {
        QueueId id = content.id();
        byte[] octets;
        try {
            octets = extents.join(header, content);
        } catch (OutOfMemoryError e) {
            refuse(content, bytes, listener);
            return;
        }
        content.close();
        var unused = producer.newMessage().value(octets).sendAsync().handle((sent, problem) -> {
            budget.release(bytes);
            pending.decrementAndGet();
            listener.accept(problem == null ? new Receipt.Queued(id) : refusal(problem));
            return null;
        });
    }

    private void refuse(Content content, long bytes, Consumer<Receipt> listener) {
        abandon(content);
        budget.release(bytes);
        pending.decrementAndGet();
        listener.accept(noMemory());
    }

    /** Forgets a content whose message does not come. */
    void abandon(Content content) {
        extents.forget(content.id());
        content.close();
    }

    /** Takes room for a message to be sent, or none and says why. */
    private Receipt.@Nullable Refused reserve(long bytes) {
        // Counted first: close waits for what is counted, after it has set the flag.
        Receipt.Refused refused = null;
        if (pending.incrementAndGet() > PENDING_MAX) {
            refused = tooManyPending();
        } else if (closing) {
            refused = new Receipt.Refused(Receipt.Reason.CLOSING, "closing");
        } else if (!budget.reserve(bytes)) {
            refused = noMemory();
        }
        if (refused != null) {
            pending.decrementAndGet();
        }
        return refused;
    }

    private static Receipt.Refused tooManyPending() {
        return new Receipt.Refused(
                Receipt.Reason.BUSY, "too many messages wait for the queue's cluster");
    }

    private static Receipt.Refused noMemory() {
        return new Receipt.Refused(
                Receipt.Reason.BYTES_IN_FLIGHT, "no memory for more content in flight");
    }

    private Receipt refusal(Throwable problem) {
        Throwable cause = PulsarTopics.cause(problem);
        LOG.debug("a message was not stored", cause);
        if (closing) {
            return new Receipt.Refused(Receipt.Reason.CLOSING, "closing");
        }
        return new Receipt.Refused(
                Receipt.Reason.BUSY,
                cause instanceof PulsarClientException.TimeoutException
                        ? "the queue's cluster did not answer in time"
                        : "the queue's cluster did not take the message");
    }
}
