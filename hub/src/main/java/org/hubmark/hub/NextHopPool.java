package org.hubmark.hub;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The connections to one next hop, and whether it can be reached. Delivery threads take and give back;
 * the timer ends what is worn out; what they share is under this object's lock, which nobody holds
 * while a connection is opened.
 *
 * <p>A next hop that can't be reached is left alone for a while, and then tried by one delivery: the
 * others go on to another hop, or defer, without waiting for a connection that won't come. One that
 * nobody has heard of for a while is tried by one delivery first, too, for which the others wait a
 * moment: so a next hop that swallows connections holds one delivery, and not all.
 */
final class NextHopPool {
    /** A name may have more; a delivery must end. Postfix tries 5 (smtp_mx_address_limit). */
    private static final int ADDRESSES_MAX = 5;

    /** Longer than a connection takes that is worth waiting for where there is another next hop. */
    private static final long FIRST_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    private final NextHop hop;
    private final String hostName;
    private final NextHopSettings settings;
    private final NextHopTls tls;
    private final NextHopTls plain;
    private final ArrayDeque<NextHopConnection> idle = new ArrayDeque<>();
    private final Set<NextHopConnection> busy = new HashSet<>();
    private boolean closed;
    private final NextHopTrouble report;
    private @Nullable String trouble;
    private long triedNanos;

    /** Whether one delivery opens a connection for which the others wait, or won't wait. */
    private boolean trying;

    private long tryingSinceNanos;
    /** Whether messages were lost under way lately, and when. */
    private boolean hasLostAhead;

    private long lostAheadNanos;
    private boolean heard;
    private long heardNanos;

    /** No connection was asked for. */
    static final class NotTriedException extends IOException {
        private static final long serialVersionUID = 1L;

        NotTriedException(String message) {
            super(message);
        }
    }

    /** A pool without a connection. */
    NextHopPool(
            NextHop hop,
            String hostName,
            NextHopSettings settings,
            NextHopTls tls,
            NextHopTls plain) {
        this.hop = hop;
        this.report = new NextHopTrouble(hop);
        this.hostName = hostName;
        this.settings = settings;
        this.tls = tls;
        this.plain = plain;
    }

    /** {@return whose connections these are} */
    NextHop hop() {
        return hop;
    }

    /** {@return a connection that was used before and may have ended since, or null} */
    synchronized @Nullable NextHopConnection takeIdle() {
        NextHopConnection connection = idle.pollLast();
        while (connection != null && connection.isWornOut(settings)) {
            connection.quit();
            connection = idle.pollLast();
        }
        if (connection != null) {
            busy.add(connection);
        }
        return connection;
    }

    /**
     * Opens a connection. The caller says then whether it was {@link #reached} by it or {@link
     * #notReached}.
     *
     * @param isLast whether there is no other next hop to go on to, so that it is worth waiting for
     *     another delivery's connection to come about
     * @throws IOException if it can't be had now; the message says why
     */
    NextHopConnection open(boolean isLast) throws IOException {
        awaitHope(isLast);
        boolean decided = false;
        try {
            NextHopConnection opened = openAny();
            greeted();
            decided = true;
            return opened;
        } catch (IOException e) {
            notReached(words(e));
            decided = true;
            throw e;
        } finally {
            if (!decided) {
                endTrying();
            }
        }
    }

    /** Gives a connection back, to be used again or not. */
    void giveBack(NextHopConnection connection, boolean reusable) {
        boolean kept;
        synchronized (this) {
            busy.remove(connection);
            kept = reusable && !closed && !connection.isWornOut(settings);
            if (kept) {
                // As many as there are delivery threads at most.
                idle.add(connection);
            }
        }
        if (!kept && reusable) {
            connection.quit();
        } else if (!kept) {
            connection.close();
        }
    }

    /** The next hop has answered to a message. */
    synchronized void reached() {
        endTrying();
        hear();
        trouble = null;
        report.answered(heardNanos);
    }

    /** It could not be connected to, or did not answer as a mail server does. */
    synchronized void notReached(String why) {
        triedNanos = System.nanoTime();
        endTrying();
        heard = false;
        if (closed) {
            return;
        }
        trouble = why;
        report.failed(why, triedNanos);
    }

    /**
     * An operator does not want it left alone any longer: as if nobody had heard of it for a while, one
     * delivery tries it and the others wait for that one, which Postfix's qmgr does on a flush, too.
     */
    synchronized void retryNow() {
        trouble = null;
    }

    /** A connection has ended with messages under way that it had yet to answer. */
    synchronized void lostAhead() {
        lostAheadNanos = System.nanoTime();
        hasLostAhead = true;
    }

    /** {@return whether messages may be written ahead of the answers to those before them} */
    synchronized boolean mayGoAhead() {
        hasLostAhead &= System.nanoTime() - lostAheadNanos < settings.retry().toNanos();
        return !hasLostAhead;
    }

    /** Ends idle connections that have had their time, and busy ones that take too much of it. */
    void sweep() {
        List<NextHopConnection> ending = new ArrayList<>();
        long nowNanos = System.nanoTime();
        synchronized (this) {
            idle.removeIf(connection -> connection.isWornOut(settings) && ending.add(connection));
            busy.forEach(connection -> connection.closeLate(nowNanos));
            report.look(nowNanos);
        }
        ending.forEach(NextHopConnection::quit);
    }

    /** Opens no further connection, ends the idle ones and cuts the busy ones. */
    void close() {
        List<NextHopConnection> ending;
        List<NextHopConnection> cut;
        synchronized (this) {
            closed = true;
            notifyAll();
            ending = List.copyOf(idle);
            cut = List.copyOf(busy);
            idle.clear();
        }
        ending.forEach(NextHopConnection::quit);
        cut.forEach(NextHopConnection::close);
    }

    /** What an exception says; a class name where it says nothing. */
    static String words(IOException e) {
        if (e instanceof UnknownHostException) {
            return "has no address";
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private synchronized void awaitHope(boolean isLast) throws IOException {
        while (true) {
            long nowNanos = System.nanoTime();
            if (closed) {
                throw new IOException("the hub is stopping");
            }
            if (trouble != null
                    && (trying || nowNanos - triedNanos < settings.retry().toNanos())) {
                throw new NotTriedException("not tried again yet: " + trouble);
            }
            if (trouble == null && isAlive(nowNanos)) {
                return;
            }
            if (!trying) {
                trying = true;
                tryingSinceNanos = nowNanos;
                return;
            }
            long leftNanos = tryingSinceNanos + FIRST_NANOS_MAX - nowNanos;
            if (!isLast && leftNanos <= 0) {
                throw new NotTriedException("has yet to answer to a first connection");
            }
            awaitChange(isLast ? FIRST_NANOS_MAX : leftNanos);
        }
    }

    private void awaitChange(long nanosMax) throws IOException {
        try {
            TimeUnit.NANOSECONDS.timedWait(this, nanosMax);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for a first connection", e);
        }
    }

    /** Known for as long as a connection would be kept without use. */
    private boolean isAlive(long nowNanos) {
        return heard && nowNanos - heardNanos < settings.connectionIdle().toNanos();
    }

    /** It took a connection. After a trouble it takes more than that: an answer to a message. */
    private synchronized void greeted() {
        if (trouble == null) {
            endTrying();
            hear();
        }
    }

    private void hear() {
        heard = true;
        heardNanos = System.nanoTime();
    }

    private synchronized void endTrying() {
        trying = false;
        notifyAll();
    }

    private NextHopConnection openAny() throws IOException {
        IOException last = new IOException("has no address");
        InetAddress[] addresses = InetAddress.getAllByName(hop.host());
        for (int i = 0; i < addresses.length && i < ADDRESSES_MAX; i++) {
            InetSocketAddress address = new InetSocketAddress(addresses[i], hop.port());
            try {
                return openOne(address, tls);
            } catch (NextHopConnection.TlsException e) {
                if (tls.mode() == DeliverySpec.Tls.REQUIRED) {
                    last = e;
                    continue;
                }
                try {
                    return openOne(address, plain);
                } catch (IOException again) {
                    last = again;
                }
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    private NextHopConnection openOne(InetSocketAddress address, NextHopTls mode)
            throws IOException {
        NextHopConnection connection = new NextHopConnection(hop, settings.timeouts());
        synchronized (this) {
            if (closed) {
                throw new IOException("the hub is stopping");
            }
            busy.add(connection);
        }
        boolean opened = false;
        try {
            connection.open(address, hostName, mode);
            opened = true;
            return connection;
        } finally {
            if (!opened) {
                giveBack(connection, false);
            }
        }
    }
}
