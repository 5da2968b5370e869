package org.hubmark.core;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
 *
 * <p>A message whose sender is told of a failure is kept until that notification was delivered: {@link
 * #defer} and {@link #returnToSender} name the notification, which is in the queue already, and {@link
 * #notified} or {@link #notNotified} ends it. A queue that can't keep such messages lets them leave when
 * the notification is queued, as the calls do by default; then one that fails is a dead letter itself.
 */
public interface MailQueue extends Intake, AutoCloseable {
    /**
     * Leases messages that are due and not leased. One thread: the dispatcher's. Does not wait.
     *
     * @throws java.io.UncheckedIOException if the queue can't be read
     */
    List<Lease> lease(int messagesMax);

    /**
     * Does the same until the leases take so much memory ({@link Lease#memoryBytes}); the last one may be
     * larger than what is left. A queue may do it for less than one by one.
     */
    default List<Lease> lease(int messagesMax, long bytesMax) {
        List<Lease> leases = new ArrayList<>();
        long bytes = 0;
        while (leases.size() < messagesMax && bytes < bytesMax && leases.addAll(lease(1))) {
            bytes += leases.getLast().memoryBytes();
        }
        return leases;
    }

    /**
     * Waits until something may be due, at most that long; false when the time is over. Dispatcher's
     * thread.
     */
    boolean awaitDue(Duration timeout) throws InterruptedException;

    /**
     * Says how long a message waits for another attempt at most. One that is due later than that from now
     * on was deferred under a clock that has been set back since: a queue may make it due now.
     */
    default void limitWait(Duration waitMax) {}

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
     * Does the same after an attempt in which it has failed for some.
     *
     * @param notification that tells the sender so
     */
    default void defer(
            QueueId id,
            Instant dueAt,
            String reason,
            List<RecipientResult> results,
            QueueId notification) {
        defer(id, dueAt, reason, results);
    }

    /**
     * Ends a lease: no further attempt, it has failed for some. The message stays, as a dead letter
     * does, until all notifications of that were delivered; it leaves at once where they were.
     *
     * @param results as in {@link #defer}
     * @param notification that tells the sender what this attempt brought; null if he knows it all
     */
    default void returnToSender(
            QueueId id,
            String reason,
            List<RecipientResult> results,
            @Nullable QueueId notification) {
        acknowledge(id);
    }

    /**
     * Ends the lease of a notification: it was delivered and leaves, and so does the message that it is
     * about if that waits for nothing else.
     */
    default void notified(QueueId notification, QueueId about) {
        acknowledge(notification);
    }

    /**
     * Ends the lease of a notification: no further attempt. It leaves, and the message that it is about
     * stays as a dead letter; if there is none that waits for it, it becomes a dead letter itself.
     *
     * @param results of the notification, as in {@link #defer}
     */
    default void notNotified(
            QueueId notification, QueueId about, String reason, List<RecipientResult> results) {
        deadLetter(notification, reason, results);
    }

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

    /** Refuses new mail from now on with {@link Receipt.Reason#CLOSING}; leases go on. */
    void stopAccepting();

    /** Closes as after a failure or a kill: nothing is made durable any more. */
    void closeBroken(Throwable cause) throws IOException;

    /** Waits for what is under way, and closes. */
    @Override
    void close() throws IOException;
}
