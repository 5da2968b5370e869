package org.hubmark.bench.micro;

import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Receipt;
import org.hubmark.queue.QueueStore;

import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Semaphore;

/** Enqueues one message again and again, with up to 64 waiting for their commit. One thread. */
final class Enqueuer {
    static final int IN_FLIGHT_MAX = 64;

    private final Semaphore inFlight = new Semaphore(IN_FLIGHT_MAX);
    private final ContentBudget budget = new ContentBudget(1L << 30);
    private final QueueStore store;
    private final byte[] octets;

    Enqueuer(QueueStore store, int messageBytes) {
        this.store = store;
        this.octets = new byte[messageBytes];
        new Random(1).nextBytes(octets);
    }

    /** Waits while too many are waiting. */
    void enqueue() throws InterruptedException {
        inFlight.acquire();
        Content content =
                Objects.requireNonNull(Content.open(store.nextId(), budget, octets.length));
        content.append(octets, 0, octets.length);
        store.enqueue(LogBenchmark.ENVELOPE, content, this::answered);
    }

    /** Waits until all are committed. */
    void awaitAll() throws InterruptedException {
        inFlight.acquire(IN_FLIGHT_MAX);
        inFlight.release(IN_FLIGHT_MAX);
    }

    private void answered(Receipt receipt) {
        inFlight.release();
        if (receipt instanceof Receipt.Refused refused) {
            throw new IllegalStateException(refused.detail());
        }
    }
}
