package org.hubmark.pulsar;

import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.hubmark.core.Content;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.MailQueue;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.core.RecipientResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A queue that is a topic of Pulsar. A message is ours when the cluster has acknowledged it; a lease is
 * a message received and not acknowledged. What is deferred or given up is sent anew first, and its
 * old message acknowledged after that: a crash between them may duplicate a message but never loses one.
 *
 * <p>Any thread may call; one, the dispatcher's, leases.
 */
final class PulsarQueue implements MailQueue {
    private static final Logger LOG = LoggerFactory.getLogger(PulsarQueue.class);

    /** Properties of a message on a topic: on that of dead letters what it is, and why. */
    private static final String KIND = "hubmark.kind";

    private static final String REASON = "hubmark.reason";

    /** When a deferred message is due. */
    private static final String DUE = "hubmark.due";

    private static final String DEAD = "dead";
    private static final String SET_ASIDE = "set-aside";
    private static final String UNREADABLE = "unreadable";

    /** Messages that are postponed in memory; the cluster gets a new message for each one more. */
    private static final int POSTPONED_MAX = 16_384;

    /** So often it is looked for what was postponed, and whether deferred messages have gone out. */
    private static final Duration WAIT_MAX = Duration.ofMillis(50);

    private static final Duration CLOSE_POLL = Duration.ofMillis(10);

    private final PulsarSettings settings;
    private final InstantSource clock;
    private final PulsarTopics topics;
    private final Producer<byte[]> producer;
    private final Producer<byte[]> deadProducer;
    private final Consumer<byte[]> consumer;
    private final QueueIds ids;
    private final PulsarIntake intake;
    private final AtomicInteger endings = new AtomicInteger();
    private final ConcurrentHashMap<QueueId, Held> held = new ConcurrentHashMap<>();
    private final PriorityBlockingQueue<Postponed> postponed = new PriorityBlockingQueue<>();
    private final AtomicLong leasedBytes = new AtomicLong();
    private final EndedLeases ended = new EndedLeases();
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final HubNumber number;
    private final AtomicBoolean reached = new AtomicBoolean(true);

    // The dispatcher's.
    private final ArrayDeque<Message<byte[]>> ahead = new ArrayDeque<>();
    private boolean receiving;

    /** A message that was leased, and is not to be handed out before its time. */
    private record Postponed(Instant dueAt, MessageId message) implements Comparable<Postponed> {
        @Override
        public int compareTo(Postponed other) {
            return dueAt.compareTo(other.dueAt);
        }
    }

    /** A leased message. */
    private static final class Held {
        private final Message<byte[]> message;
        private final byte[] octets;
        private final StoredMessage stored;
        private final int contentOffset;
        private boolean ending;

        private Held(Message<byte[]> message, byte[] octets, StoredMessage.Parsed parsed) {
            this.message = message;
            this.octets = octets;
            this.stored = parsed.message();
            this.contentOffset = parsed.contentOffset();
        }

        /** {@return whether the caller is the one to end the lease} */
        private synchronized boolean beginEnd() {
            boolean first = !ending;
            ending = true;
            return first;
        }
    }

    private PulsarQueue(
            PulsarTopics topics, PulsarSettings settings, HubNumber number, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        this.topics = topics;
        this.producer = topics.producer();
        this.deadProducer = topics.deadProducer();
        this.consumer = topics.consumer();
        this.number = number;
        this.ids = new QueueIds(clock, number.value());
        this.intake = new PulsarIntake(topics.producer(), settings);
    }

    /** Connects, makes the topics and their subscriptions where there are none. */
    static PulsarQueue open(PulsarAddress address, PulsarSettings settings, InstantSource clock)
            throws IOException {
        PulsarTopics topics = PulsarTopics.open(address, settings);
        try {
            PulsarPolicies.requireHarmless(settings.administrator().orElse(null), address);
            // Not of the topic of mail, in which there is much to look through.
            HubNumber number = HubNumber.take(topics.client(), address.topic(PulsarTopics.DEAD));
            return new PulsarQueue(topics, settings, number, clock);
        } catch (IOException | RuntimeException e) {
            topics.cut();
            throw e;
        }
    }

    @Override
    public Receipt.@Nullable Refused refusal() {
        boolean isUnreached = !intake.isClosing() && !isReached();
        return isUnreached
                ? new Receipt.Refused(Receipt.Reason.BUSY, "the queue's cluster does not answer")
                : intake.refusal();
    }

    @Override
    public QueueId nextId() {
        return ids.next();
    }

    @Override
    public void storeExtent(
            Content content, java.util.function.Consumer<Optional<Receipt.Refused>> listener) {
        listener.accept(intake.storeExtent(content));
    }

    @Override
    public void enqueue(
            Envelope envelope, Content content, java.util.function.Consumer<Receipt> listener) {
        intake.enqueue(envelope, content, listener);
    }

    @Override
    public void abandon(Content content) {
        intake.abandon(content);
    }

    @Override
    public List<Lease> lease(int messagesMax) {
        if (!receiving) {
            receiving = true;
            consumer.resume();
        }
        takePostponed();
        List<Lease> leases = new ArrayList<>();
        while (leases.size() < messagesMax && leasedBytes.get() < settings.leasedBytesMax()) {
            Message<byte[]> next = ahead.isEmpty() ? receive(Duration.ZERO) : ahead.poll();
            if (next == null) {
                break;
            }
            Lease lease = take(next);
            if (lease != null) {
                leases.add(lease);
            }
        }
        return leases;
    }

    @Override
    public boolean awaitDue(Duration timeout) throws InterruptedException {
        var unused = isReached();
        Duration wait = Collections.min(List.of(timeout, WAIT_MAX));
        if (leasedBytes.get() >= settings.leasedBytesMax()) {
            Thread.sleep(wait);
            return false;
        }
        if (ahead.isEmpty()) {
            Message<byte[]> next = receive(wait);
            if (next != null) {
                ahead.add(next);
            }
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return !ahead.isEmpty();
    }

    @Override
    public void acknowledge(QueueId id) {
        Held lease = held.get(id);
        if (lease != null && lease.beginEnd()) {
            forget(id, lease);
        }
    }

    @Override
    public void defer(QueueId id, Instant dueAt, String reason, List<RecipientResult> results) {
        Held lease = held.get(id);
        if (lease != null && lease.beginEnd()) {
            replaceLater(id, lease, again(lease, 1, results), dueAt, reason);
        }
    }

    /** The message stays where it is, as it is, and the cluster is asked for it when it is due. */
    @Override
    public void postpone(QueueId id, Instant dueAt, String reason) {
        Held lease = held.get(id);
        if (lease == null || !lease.beginEnd()) {
            return;
        }
        if (postponed.size() >= POSTPONED_MAX) {
            replaceLater(id, lease, again(lease, 0, List.of()), dueAt, reason);
            return;
        }
        held.remove(id, lease);
        leasedBytes.addAndGet(-lease.octets.length);
        postponed.add(new Postponed(dueAt, lease.message.getMessageId()));
    }

    private void takePostponed() {
        Postponed first = postponed.peek();
        while (first != null && !first.dueAt().isAfter(clock.instant())) {
            postponed.remove();
            consumer.negativeAcknowledge(first.message());
            first = postponed.peek();
        }
    }

    /** Sends what takes the place of a leased message and is due later. */
    private void replaceLater(QueueId id, Held lease, byte[] octets, Instant dueAt, String reason) {
        if (!dueAt.isAfter(clock.instant())) {
            replace(id, lease, deferred(octets, dueAt, reason));
            return;
        }
        // Rounded up: never due before its time.
        TypedMessageBuilder<byte[]> later = deferred(octets, dueAt, reason)
                .deliverAt(dueAt.plusNanos(999_999).toEpochMilli());
        endings.incrementAndGet();
        var unused = later.sendAsync().handle((sent, problem) -> {
            if (problem != null
                    && PulsarTopics.cause(problem)
                            instanceof PulsarClientException.NotAllowedException) {
                // A policy bounds delays. We look at the time ourselves too.
                replace(id, lease, deferred(octets, dueAt, reason));
            } else {
                replaced(id, lease, problem);
            }
            endings.decrementAndGet();
            return null;
        });
    }

    private TypedMessageBuilder<byte[]> deferred(byte[] octets, Instant dueAt, String reason) {
        return producer.newMessage()
                .value(octets)
                .property(REASON, reason)
                .property(DUE, dueAt.toString());
    }

    @Override
    public void release(QueueId id) {
        Held lease = held.get(id);
        if (lease != null && lease.beginEnd()) {
            end(id, lease);
            consumer.negativeAcknowledge(lease.message.getMessageId());
        }
    }

    @Override
    public void deadLetter(QueueId id, String reason, List<RecipientResult> results) {
        setApart(id, DEAD, reason, results);
    }

    @Override
    public void setAside(QueueId id, String reason) {
        setApart(id, SET_ASIDE, reason, List.of());
    }

    @Override
    public CompletableFuture<Throwable> failure() {
        return failure;
    }

    @Override
    public void stopAccepting() {
        intake.stop();
    }

    @Override
    public void closeBroken(Throwable cause) throws IOException {
        intake.stop();
        topics.cut();
    }

    /** Waits for what the cluster has not answered yet, which the send timeout bounds. */
    @Override
    public void close() throws IOException {
        intake.stop();
        try {
            while (intake.pending() > 0 || endings.get() > 0) {
                Thread.sleep(CLOSE_POLL);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        topics.close();
    }

    /** {@return whether the cluster takes mail} Whoever finds that it has changed logs it. */
    private boolean isReached() {
        boolean now = producer.isConnected() && number.isHeld();
        if (reached.get() != now && !intake.isClosing() && reached.compareAndSet(!now, now)) {
            if (now) {
                LOG.info("the queue's cluster takes mail again");
            } else {
                LOG.warn(
                        "{}; until it does, new mail gets 451",
                        producer.isConnected()
                                ? "the queue's cluster does not lend this hub its number "
                                        + number.value()
                                : "the queue's cluster does not answer");
            }
        }
        return now;
    }

    private @Nullable Message<byte[]> receive(Duration timeout) {
        try {
            return consumer.receive((int) timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (PulsarClientException e) {
            if (intake.isClosing()) {
                return null;
            }
            if (e.getCause() instanceof InterruptedException) {
                Thread.currentThread().interrupt();
                return null;
            }
            throw new UncheckedIOException("the queue can't be read: " + PulsarTopics.words(e), e);
        }
    }

    private @Nullable Lease take(Message<byte[]> message) {
        if (ended.contains(message.getMessageId())) {
            acknowledge(message);
            return null;
        }
        if (due(message).filter(clock.instant()::isBefore).isPresent()) {
            // Brokers may be early by a tick, and those that don't delay give it out at once. It
            // comes again after a second, or more if it has come often.
            consumer.negativeAcknowledge(message);
            return null;
        }
        byte[] octets = message.getData();
        StoredMessage.Parsed parsed;
        try {
            parsed = StoredMessage.parse(octets);
        } catch (StoredMessage.UnreadableException e) {
            LOG.error(
                    "the message {} can't be read, it is set aside: {}",
                    message.getMessageId(),
                    e.getMessage());
            setUnreadableApart(message, octets, String.valueOf(e.getMessage()));
            return null;
        }
        Held taken = new Held(message, octets, parsed);
        StoredMessage stored = parsed.message();
        if (held.putIfAbsent(stored.id(), taken) != null) {
            // The cluster sends it again after a lost connection, or a deferred one is there before
            // its old message has gone. It comes again if the lease does not end it.
            consumer.negativeAcknowledge(message.getMessageId());
            return null;
        }
        leasedBytes.addAndGet(octets.length);
        int offset = parsed.contentOffset();
        int contentBytes = octets.length - offset;
        return new Lease(
                stored.id(),
                stored.envelope(),
                stored.results(),
                contentBytes,
                stored.attempts(),
                // A deferral of ours says until when.
                stored.attempts() > 0 && message.getProperty(DUE) == null,
                () -> new ByteArrayInputStream(octets, offset, contentBytes));
    }

    /** {@return when a message is due that was deferred; nothing for what has no time, or none that can be read} */
    private static Optional<Instant> due(Message<byte[]> message) {
        String due = message.getProperty(DUE);
        try {
            return due == null ? Optional.empty() : Optional.of(Instant.parse(due));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private void setApart(QueueId id, String kind, String reason, List<RecipientResult> results) {
        Held lease = held.get(id);
        if (lease != null && lease.beginEnd()) {
            replace(id, lease, apart(again(lease, 1, results), kind, reason));
        }
    }

    private void setUnreadableApart(Message<byte[]> message, byte[] octets, String reason) {
        endings.incrementAndGet();
        var unused = apart(octets, UNREADABLE, reason).sendAsync().handle((sent, problem) -> {
            if (problem == null) {
                acknowledge(message);
            } else {
                consumer.negativeAcknowledge(message);
            }
            endings.decrementAndGet();
            return null;
        });
    }

    private TypedMessageBuilder<byte[]> apart(byte[] octets, String kind, String reason) {
        return deadProducer
                .newMessage()
                .value(octets)
                .property(KIND, kind)
                .property(REASON, reason);
    }

    /** {@return a leased message after so many attempts more} */
    private static byte[] again(Held lease, int attempts, List<RecipientResult> results) {
        return message(lease, attempts, results).with(lease.octets, lease.contentOffset);
    }

    private static StoredMessage message(Held lease, int attempts, List<RecipientResult> results) {
        StoredMessage before = lease.stored;
        return new StoredMessage(
                before.id(),
                before.envelope(),
                before.attempts() + attempts,
                results.isEmpty() ? before.results() : results);
    }

    /** Sends what takes the place of a leased message, and ends the lease when that is there. */
    private void replace(QueueId id, Held lease, TypedMessageBuilder<byte[]> successor) {
        endings.incrementAndGet();
        var unused = successor.sendAsync().handle((sent, problem) -> {
            replaced(id, lease, problem);
            endings.decrementAndGet();
            return null;
        });
    }

    private void replaced(QueueId id, Held lease, @Nullable Throwable problem) {
        if (problem == null) {
            forget(id, lease);
        } else {
            LOG.warn("{} stays as it was in the queue: {}", id, PulsarTopics.words(problem));
            end(id, lease);
            // With each failure later: it is tried again before the attempt can be noted.
            consumer.negativeAcknowledge(lease.message);
        }
    }

    private void forget(QueueId id, Held lease) {
        end(id, lease);
        acknowledge(lease.message);
    }

    private void end(QueueId id, Held lease) {
        held.remove(id, lease);
        leasedBytes.addAndGet(-lease.octets.length);
    }

    private void acknowledge(Message<byte[]> message) {
        ended.add(message.getMessageId());
        var unused = consumer.acknowledgeAsync(message).exceptionally(problem -> {
            // The cluster sends it again, so it is delivered twice.
            LOG.debug("{} could not be acknowledged", message.getMessageId(), problem);
            return null;
        });
    }
}
