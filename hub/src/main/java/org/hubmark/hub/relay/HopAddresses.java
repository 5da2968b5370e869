package org.hubmark.hub.relay;

import org.hubmark.core.FileErrors;
import org.hubmark.hub.delivery.DeliverySpec;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Addresses of a next hop. A lookup waits in native code, where nothing ends it, and which would hold one
 * of the few threads that carry virtual ones. So it has a thread of its own, one at a time, and nobody
 * waits for it longer than for a connection. Any thread.
 */
final class HopAddresses {
    /** A name may have more; a delivery must end. Postfix tries 5 (smtp_mx_address_limit). */
    private static final int ADDRESSES_MAX = 5;

    private final Callable<InetAddress[]> resolver;
    private final Duration wait;
    private @Nullable FutureTask<InetAddress[]> lookup;
    private boolean closed;

    /**
     * Looks up nothing yet.
     *
     * @param resolver finds one address at least, or fails
     * @param wait how long it may take
     */
    HopAddresses(Callable<InetAddress[]> resolver, Duration wait) {
        this.resolver = resolver;
        this.wait = wait;
    }

    /**
     * {@return the addresses as of now}
     *
     * @throws NextHopPool.NotTriedException after {@link #close}, or if this process can't ask
     * @throws IOException if there are none, or the answer is late
     */
    InetAddress[] find() throws IOException {
        try {
            return lookup().get(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while its address was looked up", e);
        } catch (TimeoutException e) {
            throw new SocketTimeoutException("no answer in time to a query for its address");
        } catch (CancellationException e) {
            throw isStopping();
        } catch (ExecutionException e) {
            if (FileErrors.isOutOfDescriptors(e) && e.getCause() instanceof IOException lacking) {
                throw NextHopPool.outOfDescriptors(lacking);
            }
            throw e.getCause() instanceof IOException known ? known : new IOException(e);
        }
    }

    /** Nobody waits any longer. */
    synchronized void close() {
        closed = true;
        if (lookup != null) {
            lookup.cancel(true);
        }
    }

    /** Opens a connection to one address in one mode. */
    interface Opener {
        NextHopConnection open(InetSocketAddress address, NextHopTls mode) throws IOException;
    }

    /**
     * {@return a connection to the first address where one is to be had} In plain text where TLS isn't, unless
     * that is required.
     */
    NextHopConnection open(int port, NextHopTls tls, NextHopTls plain, Opener opener)
            throws IOException {
        IOException last = new IOException("has no address");
        InetAddress[] found = find();
        for (int i = 0; i < found.length && i < ADDRESSES_MAX; i++) {
            InetSocketAddress address = new InetSocketAddress(found[i], port);
            try {
                return opener.open(address, tls);
            } catch (NextHopConnection.TlsException e) {
                if (tls.mode() == DeliverySpec.Tls.REQUIRED) {
                    last = e;
                    continue;
                }
                try {
                    return opener.open(address, plain);
                } catch (IOException again) {
                    last = again;
                }
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    private synchronized FutureTask<InetAddress[]> lookup() throws IOException {
        if (closed) {
            throw isStopping();
        }
        if (lookup == null || lookup.isDone()) {
            lookup = new FutureTask<>(resolver);
            Thread.ofPlatform().daemon().name("next-hop-lookup").start(lookup);
        }
        return lookup;
    }

    private static NextHopPool.NotTriedException isStopping() {
        return new NextHopPool.NotTriedException("the hub is stopping");
    }
}
