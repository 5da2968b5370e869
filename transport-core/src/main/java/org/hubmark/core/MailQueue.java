package org.hubmark.core;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A durable queue as a hub works with it: an intake, and the leases by which its messages are
 * delivered. Each message that was answered with {@link Receipt.Queued} is leased until a lease of it
 * ends by {@link #acknowledge}, {@link #deadLetter} or {@link #setAside}.
 *
 * <p>A call that ends a lease changes nothing of a message that isn't leased. It may be made on any
 * thread, and may wait. That a lease has ended may be forgotten by a crash, and then the message is
 * leased once more.
 */
public interface MailQueue extends Intake, AutoCloseable {
    /**
     * Leases messages that are due and not leased. One thread: the dispatcher's. Does not wait.
     *
     * @throws java.io.UncheckedIOException if the queue can't be read
     */
    List<Lease> lease(int messagesMax);

    /**
     * Waits until something may be due, at most that long; false when the time is over. Dispatcher's
     * thread.
     */
    boolean awaitDue(Duration timeout) throws InterruptedException;

    /** Ends a lease: the message was delivered and leaves. */
    void acknowledge(QueueId id);

    /**
     * Ends a lease after an attempt: to be tried again, not before {@code dueAt}, for the recipients that are open.
     *
     * @param results how far each recipient has got by now, in the order of the envelope; empty if
     *     that has not changed
     */
    void defer(QueueId id, Instant dueAt, String reason, List<RecipientResult> results);

    /**
     * Ends a lease without an attempt: to be tried not before {@code dueAt}. Meant for many messages at
     * once, so a queue may keep it in memory only, where a crash or a restart makes them due as they
     * were; those that it has no room for there may have to wait longer.
     */
    void postpone(QueueId id, Instant dueAt, String reason);

    /** Ends a lease, without counting an attempt or writing anything: due again soon. */
    void release(QueueId id);

    /**
     * Ends a lease: no further attempt; the message is kept for an operator.
     *
     * @param results as in {@link #defer}
     */
    void deadLetter(QueueId id, String reason, List<RecipientResult> results);

    /** Ends a lease: the message can't be read, or its delivery broke down, so it is kept apart. */
    void setAside(QueueId id, String reason);

    /** {@return completed with the cause when nothing can be made durable any more} */
    CompletableFuture<Throwable> failure();

    /** {@return what the queue counts beside what a hub sees itself; nothing by default} */
    default List<QueueMetric> metrics() {
        return List.of();
    }

    /** Refuses new mail from now on with {@link Receipt.Reason#CLOSING}; leases go on. */
    void stopAccepting();

    /** Closes as after a failure or a kill: nothing is made durable any more. */
    void closeBroken(Throwable cause) throws IOException;

    /** Waits for what is under way, and closes. */
    @Override
    void close() throws IOException;
}
