package org.hubmark.hub;

import org.hubmark.core.BodyType;
import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Delivers to next hops by SMTP or LMTP: to the first in their order that can be reached, over
 * connections that are kept and used again, with pipelining (RFC 2920) and chunking (RFC 3030) where
 * the next hop has them. Delivery threads call, each with a connection of its own.
 *
 * <p>A next hop that has answered has decided: what it refuses isn't tried at another.
 */
final class NextHopAgent implements DeliveryAgent {
    private static final long SWEEP_MILLIS = 1_000;

    private final ScheduledThreadPoolExecutor timer;
    private final List<NextHopPool> pools = new ArrayList<>();

    /**
     * Makes an agent without a connection.
     *
     * @param hostName what it calls itself in EHLO
     * @throws IOException if TLS isn't possible as it is asked for; the message says why
     */
    NextHopAgent(DeliverySpec.NextHops hops, String hostName, NextHopSettings settings)
            throws IOException {
        NextHopTls tls = NextHopTls.open(hops.tls(), settings.tlsTrust());
        NextHopTls plain = NextHopTls.open(DeliverySpec.Tls.NONE, "");
        this.timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "next-hop-timer");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        for (NextHop hop : hops.hops()) {
            pools.add(new NextHopPool(hop, hostName, settings, tls, plain, timer));
        }
        var unused = timer.scheduleWithFixedDelay(
                () -> pools.forEach(NextHopPool::sweep),
                SWEEP_MILLIS,
                SWEEP_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    @Override
    public Outcome deliver(Lease lease) {
        StringBuilder why = new StringBuilder();
        for (NextHopPool pool : pools) {
            try {
                return deliver(pool, pool.equals(pools.getLast()), lease);
            } catch (IOException e) {
                why.append(why.isEmpty() ? "" : "; ")
                        .append(pool.hop())
                        .append(": ")
                        .append(NextHopPool.words(e));
            }
        }
        return new Outcome.Deferred(why.toString());
    }

    @Override
    public void abort() {
        pools.forEach(NextHopPool::close);
    }

    /** Ends the idle connections. */
    @Override
    public void close() {
        pools.forEach(NextHopPool::close);
        timer.shutdownNow();
    }

    /**
     * Delivers to one next hop.
     *
     * @throws IOException if it could not be asked; then it knows nothing of the message
     */
    private static Outcome deliver(NextHopPool pool, boolean isLast, Lease lease)
            throws IOException {
        boolean binary = lease.envelope().bodyType() == BodyType.BINARY_MIME;
        String what = "was declared BINARYMIME";
        if (!binary) {
            try {
                return deliver(pool, isLast, lease, null);
            } catch (LineCheck.NotTextException e) {
                // Found while it was sent, so that content is read once; such content is rare.
                what = "has " + e.getMessage();
            }
        }
        try {
            return deliver(pool, isLast, lease, what);
        } catch (LineCheck.NotTextException e) {
            throw new IllegalStateException("binary content was looked through", e);
        }
    }

    /** Delivers; {@code binary} is why the content has to be sent as binary, or null. */
    private static Outcome deliver(
            NextHopPool pool, boolean isLast, Lease lease, @Nullable String binary)
            throws IOException, LineCheck.NotTextException {
        NextHopConnection kept = pool.takeIdle();
        if (kept != null) {
            try {
                return attempt(pool, kept, lease, binary);
            } catch (IOException e) {
                // It ended while it was idle, which is no reason to defer anything.
            }
        }
        NextHopConnection fresh = pool.open(isLast);
        try {
            return attempt(pool, fresh, lease, binary);
        } catch (IOException e) {
            pool.notReached(NextHopPool.words(e));
            throw e;
        }
    }

    /** Fails if the next hop answered nothing to the message. */
    private static Outcome attempt(
            NextHopPool pool, NextHopConnection connection, Lease lease, @Nullable String binary)
            throws IOException, LineCheck.NotTextException {
        if (binary != null && !(connection.has("CHUNKING") && connection.has("BINARYMIME"))) {
            pool.reached();
            pool.giveBack(connection, true);
            return new Outcome.Undeliverable(pool.hop() + ": 5.6.3 the content " + binary
                    + ", which the next hop does not take");
        }
        NextHopTransaction transaction = new NextHopTransaction(connection, lease, binary != null);
        boolean reusable = false;
        String lost = "";
        try {
            reusable = transaction.run();
        } catch (IOException e) {
            if (!transaction.wasAnswered()) {
                throw e;
            }
            lost = pool.hop() + ": " + NextHopPool.words(e);
        } finally {
            connection.used();
            pool.giveBack(connection, reusable);
            if (transaction.wasAnswered()) {
                pool.reached();
            }
        }
        return transaction.outcome(lost);
    }
}
