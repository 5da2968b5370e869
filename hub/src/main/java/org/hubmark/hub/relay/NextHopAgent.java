package org.hubmark.hub.relay;

import org.hubmark.core.BodyType;
import org.hubmark.core.Deliveries;
import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.hub.delivery.NextHopSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Delivers to next hops by SMTP or LMTP: to the first in their order that can be reached, over
 * connections that are kept and used again, with pipelining (RFC 2920) and chunking (RFC 3030) where
 * the next hop has them. Delivery threads call, each with a connection of its own, on which it has
 * several messages under way ({@link NextHopPipeline}).
 *
 * <p>A next hop that has answered has decided: a message that it refuses isn't tried at another, unless the
 * refusal is about this hub ({@link NextHopRefusals}).
 */
public final class NextHopAgent implements DeliveryAgent {
    private static final Logger LOG = LoggerFactory.getLogger(NextHopAgent.class);
    private static final long SWEEP_MILLIS = 500;

    private final NextHopSettings settings;
    private final ScheduledThreadPoolExecutor timer;
    private final List<NextHopPool> pools = new ArrayList<>();
    private final ContentMemory memory;

    /**
     * Makes an agent without a connection.
     *
     * @param hostName what it calls itself in EHLO; empty for its address
     * @throws IOException if TLS isn't possible as it is asked for; the message says why
     */
    public NextHopAgent(DeliverySpec.NextHops hops, String hostName, NextHopSettings settings)
            throws IOException {
        this(hops, hostName, settings, new ContentMemory());
    }

    /** Makes one with a memory of one's choice. */
    NextHopAgent(
            DeliverySpec.NextHops hops,
            String hostName,
            NextHopSettings settings,
            ContentMemory memory)
            throws IOException {
        this.settings = settings;
        this.memory = memory;
        NextHopTls tls = NextHopTls.open(hops.tls(), settings.tlsTrust());
        NextHopTls plain = NextHopTls.open(DeliverySpec.Tls.NONE, "");
        this.timer = new ScheduledThreadPoolExecutor(
                1, task -> Thread.ofPlatform().daemon().name("next-hop-timer").unstarted(task));
        for (NextHop hop : hops.hops()) {
            HopAddresses addresses = new HopAddresses(
                    () -> InetAddress.getAllByName(hop.host()),
                    settings.timeouts().connect());
            pools.add(new NextHopPool(hop, hostName, settings, tls, plain, addresses));
        }
        var unused = timer.scheduleWithFixedDelay(
                this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The timer would never call again what has thrown. */
    private void sweep() {
        for (NextHopPool pool : pools) {
            try {
                pool.sweep();
            } catch (RuntimeException e) {
                LOG.error("{}: maintaining its connections failed; it continues", pool.hop(), e);
            }
        }
    }

    @Override
    public Outcome deliver(Lease lease) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        deliver(lease, new Deliveries() {
            @Override
            public @Nullable Lease next() {
                return null;
            }

            @Override
            public void settle(Lease settled, Outcome came) {
                outcome.complete(came);
            }

            @Override
            public void breakDown(Lease broken, Throwable cause) {
                outcome.completeExceptionally(cause);
            }
        });
        if (outcome.isCompletedExceptionally()
                && outcome.exceptionNow() instanceof RuntimeException cause) {
            throw cause;
        }
        return outcome.join();
    }

    @Override
    public void deliver(Lease first, Deliveries more) {
        ArrayDeque<NextHopPipeline.Again> back = new ArrayDeque<>();
        NextHopPipeline.Again message = NextHopPipeline.Again.of(first);
        while (message != null) {
            deliverToFirstReached(message, more, back);
            message = back.poll();
        }
    }

    @Override
    public void retryNow() {
        pools.forEach(NextHopPool::retryNow);
    }

    @Override
    public void abort() {
        memory.close();
        pools.forEach(NextHopPool::close);
    }

    /** Ends the idle connections. */
    @Override
    public void close() {
        pools.forEach(NextHopPool::close);
        timer.shutdownNow();
    }

    /** Tries one next hop after the other. */
    private void deliverToFirstReached(
            NextHopPipeline.Again message,
            Deliveries more,
            ArrayDeque<NextHopPipeline.Again> back) {
        Lease lease = message.lease();
        if (lease.envelope().bodyType() == BodyType.BINARY_MIME) {
            more.settle(
                    lease,
                    new Outcome.Undeliverable(
                            "5.6.3 the content was declared BINARYMIME, which is not passed on"));
            return;
        }
        StringBuilder why = new StringBuilder();
        boolean tried = false;
        for (NextHopPool pool : pools) {
            try {
                deliver(pool, message, more, back);
                return;
            } catch (IOException e) {
                tried |= !(e instanceof NextHopPool.NotTriedException);
                why.append(why.isEmpty() ? "" : "; ")
                        .append(pool.hop())
                        .append(": ")
                        .append(NextHopPool.words(e));
            } catch (LineCheck.NotTextException e) {
                String what = pool.hop() + ": 5.6.3 the content has " + e.getMessage();
                more.settle(lease, new Outcome.Undeliverable(what));
                return;
            } catch (RuntimeException e) {
                more.breakDown(lease, e);
                return;
            }
        }
        String reason = why.toString();
        more.settle(lease, tried ? new Outcome.Deferred(reason) : new Outcome.NotTried(reason));
    }

    /**
     * Delivers to one next hop, and what else there is then.
     *
     * @throws IOException if it could not be asked; then it knows nothing of the message
     */
    private void deliver(
            NextHopPool pool,
            NextHopPipeline.Again message,
            Deliveries more,
            ArrayDeque<NextHopPipeline.Again> back)
            throws IOException, LineCheck.NotTextException {
        while (true) {
            NextHopConnection connection = pool.take(pool.equals(pools.getLast()), message.onNew());
            try {
                deliver(pool, connection, message, more, back);
                return;
            } catch (NextHopTransaction.TurnedAwayException e) {
                if (connection.isFresh()) {
                    pool.turnedAway(message.lease().envelope(), e.reply());
                    throw e;
                }
            } catch (IOException e) {
                // One that was kept may have ended while it was idle, which is no reason to defer
                // anything.
                if (connection.isFresh()) {
                    pool.notReached(NextHopPool.words(e));
                    throw e;
                }
            }
        }
    }

    /** Fails if the next hop answered nothing to the message. */
    private void deliver(
            NextHopPool pool,
            NextHopConnection connection,
            NextHopPipeline.Again message,
            Deliveries more,
            ArrayDeque<NextHopPipeline.Again> back)
            throws IOException, LineCheck.NotTextException {
        Lease lease = message.lease();
        if (lease.sizeBytes() > connection.extensions().sizeMax()) {
            pool.reached();
            pool.giveBack(connection, true);
            String why = pool.hop() + ": 5.3.4 the content has " + lease.sizeBytes()
                    + " octets, and the next hop takes "
                    + connection.extensions().sizeMax();
            more.settle(lease, new Outcome.Undeliverable(why));
            return;
        }
        ContentMemory.Part part = memory.part(lease.destination());
        new NextHopPipeline(pool, connection, settings, message, more, back, part).run();
    }
}
