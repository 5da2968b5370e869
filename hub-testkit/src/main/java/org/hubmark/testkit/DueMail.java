package org.hubmark.testkit;

import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.queue.QueueStore;

import java.time.Instant;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Knows which messages of a hub under test are due and have not been tried, so that its clock is moved
 * between attempts and not within one. Any thread.
 */
final class DueMail {
    private final Set<QueueId> queued = ConcurrentHashMap.newKeySet();
    private final Set<Thread> delivering = ConcurrentHashMap.newKeySet();

    /** Notes a message that is in the queue. */
    void add(QueueId id) {
        queued.add(id);
    }

    /** Forgets a message that leaves the queue. */
    void remove(QueueId id) {
        queued.remove(id);
    }

    /** Notes that the calling thread is within an attempt of the test's own agent. */
    void begin() {
        delivering.add(Thread.currentThread());
    }

    /** Notes the end of that attempt. */
    void end() {
        delivering.remove(Thread.currentThread());
    }

    /** {@return whether the calling thread would wait for its own attempt} */
    boolean isWithinAttempt() {
        return delivering.contains(Thread.currentThread());
    }

    /** {@return whether nothing is due at that moment} Forgets what has left or is given up. */
    boolean isEmpty(QueueStore store, Instant now) {
        for (Iterator<QueueId> ids = queued.iterator(); ids.hasNext(); ) {
            Optional<QueuedMessage> message = store.find(ids.next());
            boolean due = message.isPresent()
                    && switch (message.get().state()) {
                        case QUEUED -> true;
                        case DEFERRED -> !message.get().dueAt().isAfter(now);
                        case DEAD, RETURNED, HEADER, DAMAGED -> false;
                    };
            if (due) {
                return false;
            }
            if (message.isEmpty()) {
                ids.remove();
            }
        }
        return true;
    }
}
