package org.hubmark.testkit;

import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Destination of a hub under test: keeps messages in memory, up to a limit of octets. When it is
 * full, or paused, deliveries wait and the messages stay in the queue. Delivery threads put in, any
 * thread looks; all meet under this object's lock.
 */
final class TestMailbox {
    /** Conditions of the test's are asked so often at least. */
    private static final long POLL_MILLIS = 20;

    private final long bytesMax;
    private final Journal journal;
    private final List<ReceivedMessage> messages = new ArrayList<>();
    private long bytes;
    private boolean paused;
    /** Deliveries that wait for room. */
    private int waiting;

    private int stops;

    TestMailbox(long bytesMax, Journal journal) {
        this.bytesMax = bytesMax;
        this.journal = journal;
    }

    /** Delivers for one life of the hub, until it is closed. */
    private final class Agent implements DeliveryAgent {
        private final int startedAt = stops;

        @Override
        public Outcome deliver(Lease lease) {
            if (!awaitTurn(lease.sizeBytes())) {
                // Not deferred: that would be written, and the message due minutes after the
                // restart.
                throw new CancellationException("the test's hub is stopping");
            }
            ReceivedMessage message = read(lease);
            put(message);
            return new Outcome.Delivered();
        }

        private boolean awaitTurn(long sizeBytes) {
            synchronized (TestMailbox.this) {
                try {
                    waiting++;
                    while (stops == startedAt && (paused || !hasRoom(sizeBytes))) {
                        TestMailbox.this.wait();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                } finally {
                    waiting--;
                }
                if (stops != startedAt) {
                    return false;
                }
                // Taken here, so that two deliveries don't take the same room.
                bytes += sizeBytes;
                return true;
            }
        }
    }

    /** {@return an agent for a life that begins} */
    synchronized DeliveryAgent agent() {
        return new Agent();
    }

    /** Ends the deliveries that wait, before the hub is stopped. */
    synchronized void stopWaiting() {
        stops++;
        notifyAll();
    }

    synchronized void pause(boolean isPaused) {
        paused = isPaused;
        notifyAll();
    }

    synchronized List<ReceivedMessage> messages() {
        return List.copyOf(messages);
    }

    synchronized void clear() {
        messages.clear();
        bytes = 0;
        notifyAll();
    }

    /** {@return whether deliveries wait for the test} */
    synchronized boolean isHeldUp() {
        return paused || waiting > 0;
    }

    synchronized String state() {
        return (paused ? "deliveries are paused" : "deliveries go on")
                + (bytes >= bytesMax
                        ? ", the mailbox is full (" + bytes + " of " + bytesMax
                                + " bytes; clear() makes room)"
                        : "");
    }

    /** Waits until a condition holds; false when the time is over. */
    synchronized boolean await(BooleanSupplier condition, Duration limit)
            throws InterruptedException {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            long leftMillis = (deadlineNanos - System.nanoTime() + 999_999) / 1_000_000;
            if (leftMillis <= 0) {
                return false;
            }
            wait(Math.min(leftMillis, POLL_MILLIS));
        }
        return true;
    }

    synchronized void put(ReceivedMessage message) {
        messages.add(message);
        notifyAll();
    }

    /** One message always fits, so that a large one can't wait for ever. */
    private boolean hasRoom(long sizeBytes) {
        return bytes == 0 || bytes + sizeBytes <= bytesMax;
    }

    private ReceivedMessage read(Lease lease) {
        try (InputStream content = lease.openContent()) {
            return new ReceivedMessage(
                    lease.id(), lease.envelope(), lease.attempts(), content.readAllBytes());
        } catch (IOException e) {
            journal.add(
                    "delivery of " + lease.id() + " could not read its content: " + e.getMessage());
            throw new UncheckedIOException(e);
        }
    }
}
