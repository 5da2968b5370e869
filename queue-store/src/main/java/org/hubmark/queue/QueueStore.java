package org.hubmark.queue;

import org.hubmark.core.Content;
import org.hubmark.core.ContentSource;
import org.hubmark.core.Envelope;
import org.hubmark.core.Intake;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The durable queue. */
public final class QueueStore implements Intake, AutoCloseable {
    private QueueStore() {}

    /**
     * Opens a store, making an empty one where there is none, and brings back everything that was
     * acknowledged.
     *
     * @throws StoreException if it can't be opened; the message says why and what to do
     */
    public static QueueStore open(StoreConfiguration configuration) throws StoreException {
        throw new StoreException("skeleton " + configuration);
    }

    @Override
    public Receipt.@Nullable Refused refusal() {
        return null;
    }

    @Override
    public QueueId nextId() {
        return new QueueId(0);
    }

    @Override
    public void spool(Content content, Consumer<Optional<Receipt.Refused>> listener) {}

    @Override
    public void enqueue(Envelope envelope, Content content, Consumer<Receipt> listener) {}

    @Override
    public void abandon(Content content) {}

    /**
     * Leases messages that are due and not leased, the longest due first. One thread: the
     * dispatcher's. Does not wait.
     */
    public List<Lease> lease(int messagesMax) {
        return List.of();
    }

    /** Waits until something may be due, at most that long; false when the time is over. Dispatcher's thread. */
    public boolean awaitDue(java.time.Duration timeout) throws InterruptedException {
        return false;
    }

    /** Ends a lease: the message was delivered and leaves. Any thread; waits when the hand-off is full. */
    public void acknowledge(QueueId id) {}

    /** Ends a lease: to be tried again, not before {@code dueAt}. */
    public void defer(QueueId id, Instant dueAt, String reason) {}

    /** Ends a lease, without counting an attempt or writing anything: due again at once. */
    public void release(QueueId id) {}

    /** Ends a lease: no further attempt. */
    public void deadLetter(QueueId id, String reason) {}

    /** {@return counts so far} Any thread, cheap. */
    public StoreStatistics statistics() {
        throw new IllegalStateException("skeleton");
    }

    /** {@return completed with the cause when a write or sync failed; the store then refuses everything} */
    public CompletableFuture<Throwable> failure() {
        return new CompletableFuture<>();
    }

    /** Refuses new mail from now on with {@link Receipt.Reason#CLOSING}; leases and settling go on. */
    public void stopAccepting() {}

    /** Waits for what was handed over, makes everything durable and closes. */
    @Override
    public void close() throws IOException {}

    static ContentSource none() {
        throw new IllegalStateException("skeleton");
    }
}
