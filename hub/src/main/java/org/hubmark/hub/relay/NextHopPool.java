package org.hubmark.hub.relay;

import org.hubmark.core.BlockLock;
import org.hubmark.core.Envelope;
import org.hubmark.core.FileErrors;
import org.hubmark.core.RecipientResult;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.hub.delivery.NextHopSettings;
import org.hubmark.smtp.client.SmtpReply;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * The connections to one next hop, and whether it can be reached. Delivery threads take and give back;
 * the timer ends what is worn out; what they share is under this object's lock, which nobody holds
 * while a connection is opened.
 *
 * <p>A next hop that can't be reached is left alone for a while, and then tried by one delivery: the
 * others go on to another hop, or defer, without waiting for a connection that won't come. One that
 * nobody has heard of for a while is tried by one delivery first, too, for which the others wait a
 * moment: so a next hop that swallows connections holds one delivery, and not all.
 *
 * <p>Deliveries are many, and a few connections are enough for a next hop that answers. More are opened
 * when those are all held up, so that mail that hangs there doesn't stop other mail, and no more than the
 * next hop takes.
 */
final class NextHopPool {
    /** Longer than a connection takes that is worth waiting for where there is another next hop. */
    private static final long FIRST_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    /**
     * Connections that are enough for a next hop that answers, and that are opened at once for one
     * that does not.
     */
    private static final int MOVING_MAX = 32;

    private static final long CALM_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A next hop that takes no more connections is asked again after this. */
    private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What a next hop has shown of its limits holds for so long. */
    private static final long LIMITS_NANOS = TimeUnit.HOURS.toNanos(1);

    /** When the hub stops: how long a next hop has to say goodbye. */
    private static final long GOODBYE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final NextHop hop;
    private final String hostName;
    private final NextHopSettings settings;
    private final NextHopTls tls;
    private final NextHopTls plain;
    private final HopAddresses addresses;
    private final BlockLock lock = new BlockLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<NextHopConnection> idle = new ArrayDeque<>();
    private final Set<NextHopConnection> busy = new HashSet<>();
    private final Set<NextHopConnection> leaving = new HashSet<>();

    /** Number of busy connections that are not yet established. */
    private int opening;

    private boolean closed;

    /** Whether one of the deliveries that wait has a look at times. */
    private boolean watched;

    /** Since when no connection was given back, and how many more may be opened for that. */
    private long calmSinceNanos;

    private int allowance;

    /** It took no further connection; until then none is tried. */
    private long fullUntilNanos = System.nanoTime();

    private int recipientsMax = NextHopRecipients.TRANSACTION_MAX;
    private long recipientsNanos = System.nanoTime();
    private long chunksNanos = System.nanoTime() - LIMITS_NANOS;
    private final NextHopTrouble report;
    private final NextHopRefusals refusals = new NextHopRefusals();

    /** How many messages a connection may carry, as two of them have shown; and what the last one has. */
    private int messagesMax = Integer.MAX_VALUE;

    private int messagesSeen;
    private long messagesNanos;

    private @Nullable String trouble;

    /** Whether it is left alone since it refuses the mail of this hub. */
    private boolean refuses;

    private long triedNanos;

    /** Whether one delivery opens a connection for which the others wait, or won't wait. */
    private boolean trying;

    private long tryingSinceNanos;

    /** The connection that shows whether a trouble is over. */
    private @Nullable NextHopConnection probe;

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
            NextHopTls plain,
            HopAddresses addresses) {
        this.hop = hop;
        this.report = new NextHopTrouble(hop);
        this.hostName = hostName;
        this.settings = settings;
        this.tls = tls;
        this.plain = plain;
        this.addresses = addresses;
    }

    /** {@return whose connections these are} */
    NextHop hop() {
        return hop;
    }

    /**
     * {@return a connection: one that was used before and may have ended since, or a new one} The caller says
     * then whether the next hop was {@link #reached} by it or {@link #notReached}, and gives it back.
     *
     * @param isLast whether there is no other next hop to go on to, so that it is worth waiting for
     *     another delivery's connection to come about
     * @param isNew whether it has to be a new one
     * @throws NotTriedException if none was asked for
     * @throws IOException if it can't be had now; the message says why
     */
    NextHopConnection take(boolean isLast, boolean isNew) throws IOException {
        while (true) {
            NextHopConnection kept = await(isLast, isNew);
            if (kept != null) {
                return kept;
            }
            boolean decided = false;
            try {
                NextHopConnection opened = addresses.open(hop.port(), tls, plain, this::openOne);
                greeted(opened);
                decided = true;
                return opened;
            } catch (NotTriedException e) {
                throw e;
            } catch (IOException e) {
                decided = true;
                if (!isFull()) {
                    notReached(words(e));
                    throw e;
                }
            } finally {
                if (!decided) {
                    try (BlockLock.Held unused = lock.hold()) {
                        endTrying();
                    }
                }
            }
        }
    }

    /** Gives a connection back, to be used again or not. */
    void giveBack(NextHopConnection connection, boolean reusable) {
        boolean sound = reusable && connection.isQuiet();
        List<NextHopConnection> ending = new ArrayList<>();
        boolean kept;
        try (BlockLock.Held unused = lock.hold()) {
            busy.remove(connection);
            kept = sound && !closed && !refuses && !connection.isWornOut(settings);
            if (connection.equals(probe)) {
                // Whatever its message has shown, the next hop is tried again.
                probe = null;
                triedNanos = System.nanoTime();
                endTrying();
            }
            calmSinceNanos = System.nanoTime();
            allowance = 0;
            if (kept) {
                // As many as there are deliveries at most.
                connection.keep();
                idle.add(connection);
                changed.signal();
            } else if (connection.isDead()) {
                // What took its peer took theirs, most likely: a message isn't to wait for each of
                // them.
                idle.removeIf(other -> other.isAsOldAs(connection) && ending.add(other));
            }
        }
        ending.forEach(this::quit);
        if (!kept && sound) {
            quit(connection);
        } else if (!kept) {
            connection.close();
        }
    }

    /** The next hop has answered to a message. */
    void reached() {
        try (BlockLock.Held unused = lock.hold()) {
            refusals.decided();
            answered();
        }
    }

    /** The next hop has taken a message. */
    void took() {
        try (BlockLock.Held unused = lock.hold()) {
            answered();
            refusals.taken(heardNanos);
            report.takes(heardNanos);
        }
    }

    /**
     * The next hop has refused a message for all of its recipients.
     *
     * @param isAnyAccepted whether it had accepted a recipient
     * @return whether the refusal is no reason to give them up, since it refuses everything
     */
    boolean refused(Envelope envelope, SmtpReply reply, boolean isAnyAccepted) {
        try (BlockLock.Held unused = lock.hold()) {
            long nowNanos = System.nanoTime();
            boolean everything = refusals.refused(envelope, reply, nowNanos);
            if (refusals.isRow(nowNanos)) {
                report.refuses(reply, NextHopRefusals.EVERYTHING, nowNanos);
            }
            // Who sends to addresses that don't exist, or what is no good mail, keeps no other mail
            // waiting.
            if (everything && !isAnyAccepted && !NextHopRefusals.concernAddress(reply)) {
                leaveAlone(reply, nowNanos);
            } else {
                answered();
            }
            return everything;
        }
    }

    /** The next hop has answered to a message with what is about this hub, or ended the connection. */
    void turnedAway(Envelope envelope, SmtpReply reply) {
        try (BlockLock.Held unused = lock.hold()) {
            long nowNanos = System.nanoTime();
            boolean again = refusals.turnedAway(envelope, reply);
            if (refuses || again) {
                leaveAlone(reply, nowNanos);
            } else {
                answered();
            }
            if (refuses || !reply.isClosing()) {
                report.refuses(reply, 1, nowNanos);
            }
        }
    }

    /** It could not be connected to, or did not answer as a mail server does. */
    void notReached(String why) {
        try (BlockLock.Held unused = lock.hold()) {
            triedNanos = System.nanoTime();
            endTrying();
            heard = false;
            if (closed) {
                return;
            }
            trouble = why;
            refuses = false;
            tls.tryAgain(hop);
            report.failed(why, triedNanos);
        }
    }

    /**
     * An operator does not want it left alone any longer: as if nobody had heard of it for a while, one
     * delivery tries it and the others wait for that one, which Postfix's qmgr does on a flush, too.
     */
    void retryNow() {
        try (BlockLock.Held unused = lock.hold()) {
            trouble = null;
            fullUntilNanos = System.nanoTime();
            changed.signalAll();
        }
    }

    /** A connection has ended with messages under way that it had yet to answer, or has miscounted them. */
    void lostAhead() {
        try (BlockLock.Held unused = lock.hold()) {
            lostAheadNanos = System.nanoTime();
            hasLostAhead = true;
        }
    }

    /** {@return whether messages may be written ahead of the answers to those before them} */
    boolean mayGoAhead() {
        try (BlockLock.Held unused = lock.hold()) {
            hasLostAhead &=
                    System.nanoTime() - lostAheadNanos < settings.retry().toNanos();
            return !hasLostAhead;
        }
    }

    /** {@return how many recipients a transaction may have} As many as it took lately, or 100. */
    int recipientsMax() {
        try (BlockLock.Held unused = lock.hold()) {
            if (isOver(recipientsNanos)) {
                recipientsMax = NextHopRecipients.TRANSACTION_MAX;
            }
            return recipientsMax;
        }
    }

    /** It has taken so many recipients and found more too many. */
    void takesRecipients(int count) {
        try (BlockLock.Held unused = lock.hold()) {
            recipientsMax = Math.clamp(count, 1, recipientsMax);
            recipientsNanos = System.nanoTime();
        }
    }

    /** A connection took so many messages and no more, and another one took the next. */
    void takesMessages(int count) {
        try (BlockLock.Held unused = lock.hold()) {
            // Twice, since a message may also be put off by chance; and then the larger number.
            messagesMax = messagesSeen > 0 && !isOver(messagesNanos)
                    ? Math.max(messagesSeen, count)
                    : Integer.MAX_VALUE;
            messagesSeen = count;
            messagesNanos = System.nanoTime();
        }
    }

    /** It does not know BDAT although it announces CHUNKING, or can't be asked whether answers to BDAT are in step. */
    void avoidChunks() {
        try (BlockLock.Held unused = lock.hold()) {
            chunksNanos = System.nanoTime();
        }
    }

    /** {@return whether content may leave by BDAT} */
    boolean mayChunk() {
        try (BlockLock.Held unused = lock.hold()) {
            return isOver(chunksNanos);
        }
    }

    /** Ends idle connections that have had their time, and busy ones that take too much of it. */
    void sweep() {
        List<NextHopConnection> ending = new ArrayList<>();
        long nowNanos = System.nanoTime();
        try (BlockLock.Held unused = lock.hold()) {
            idle.removeIf(connection -> connection.isWornOut(settings) && ending.add(connection));
            busy.forEach(connection -> connection.closeLate(nowNanos));
            leaving.forEach(connection -> connection.closeLate(nowNanos));
            report.look(nowNanos);
        }
        ending.forEach(this::quit);
    }

    /**
     * Opens no further connection and cuts the busy ones. The idle ones say goodbye, for which they have a
     * moment.
     */
    void close() {
        List<NextHopConnection> ending;
        addresses.close();
        try (BlockLock.Held unused = lock.hold()) {
            closed = true;
            changed.signalAll();
            ending = List.copyOf(idle);
            idle.clear();
            busy.forEach(NextHopConnection::close);
        }
        ending.forEach(this::quit);
        try (BlockLock.Held unused = lock.hold()) {
            long leftNanos = GOODBYE_NANOS;
            while (!leaving.isEmpty() && leftNanos > 0) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
            leaving.forEach(NextHopConnection::close);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Says goodbye over a connection without waiting for the answer here. */
    private void quit(NextHopConnection connection) {
        try (BlockLock.Held unused = lock.hold()) {
            leaving.add(connection);
        }
        Thread unusedThread = Thread.ofVirtual().name("next-hop-quit").start(() -> {
            connection.quit();
            try (BlockLock.Held unused = lock.hold()) {
                leaving.remove(connection);
                if (closed) {
                    changed.signalAll();
                }
            }
        });
    }

    /** {@return that no connection was asked for, since there is no file descriptor for it} */
    static NotTriedException outOfDescriptors(IOException cause) {
        return new NotTriedException("this process can't open a connection (" + cause.getMessage()
                + "): raise its limit of open files (ulimit -n, now "
                + FileErrors.descriptorsMax() + ")");
    }

    /** What an exception says, which may be a peer's words, so the beginning; a class name where it says nothing. */
    static String words(IOException e) {
        if (e instanceof UnknownHostException) {
            return "has no address";
        }
        String words = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return words.substring(0, Math.min(words.length(), RecipientResult.REPLY_CHARACTERS_MAX));
    }

    /**
     * {@return an idle connection; or null if a new one is to be opened} Waits for either. One of those that
     * wait does so for a time, and then has a look; the others wait until it goes.
     */
    private @Nullable NextHopConnection await(boolean isLast, boolean isNew) throws IOException {
        List<NextHopConnection> ended = new ArrayList<>();
        long beganNanos = System.nanoTime();
        boolean watches = false;
        try (BlockLock.Held unused = lock.hold()) {
            try {
                while (true) {
                    NextHopConnection kept = isNew ? null : takeIdle(ended);
                    if (kept != null) {
                        return kept;
                    }
                    long waitNanos = waitNanos(isLast, beganNanos);
                    if (waitNanos == 0) {
                        return null;
                    }
                    watches |= !watched;
                    watched = true;
                    if (watches) {
                        long unusedNanos = changed.awaitNanos(waitNanos);
                    } else {
                        changed.await();
                    }
                }
            } finally {
                watched &= !watches;
                changed.signal();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for a connection", e);
        } finally {
            ended.forEach(this::quit);
        }
    }

    /** {@return how long to wait for a connection to be given back; 0 if one is to be opened} */
    private long waitNanos(boolean isLast, long beganNanos) throws NotTriedException {
        long nowNanos = System.nanoTime();
        if (closed) {
            throw new NotTriedException("the hub is stopping");
        }
        if (trouble != null
                && (trying || nowNanos - triedNanos < settings.retry().toNanos())) {
            throw new NotTriedException("not tried again yet: " + trouble);
        }
        if (trouble == null && isAlive(nowNanos)) {
            if (mayOpen(nowNanos)) {
                return 0;
            }
            if (nowNanos - beganNanos >= settings.retry().toNanos()) {
                throw new NotTriedException(
                        "all " + busy.size() + " connections that it takes are in use");
            }
            return CALM_NANOS;
        }
        if (!trying) {
            trying = true;
            tryingSinceNanos = nowNanos;
            return 0;
        }
        long leftNanos = FIRST_NANOS_MAX - (isLast ? 0 : nowNanos - tryingSinceNanos);
        if (leftNanos <= 0) {
            throw new NotTriedException("has not answered the first connection yet");
        }
        return leftNanos;
    }

    private @Nullable NextHopConnection takeIdle(List<NextHopConnection> ended) {
        NextHopConnection connection = idle.pollLast();
        while (connection != null && (connection.isWornOut(settings) || !connection.isQuiet())) {
            ended.add(connection);
            connection = idle.pollLast();
        }
        if (connection != null) {
            busy.add(connection);
        }
        return connection;
    }

    /**
     * {@return whether a connection more is to be opened} Some are always; beyond that as many again each
     * time that none was given back for a moment, since those then wait for something.
     */
    private boolean mayOpen(long nowNanos) {
        if (nowNanos - fullUntilNanos < 0) {
            return false;
        }
        if (busy.size() < MOVING_MAX) {
            return true;
        }
        if (nowNanos - calmSinceNanos >= CALM_NANOS) {
            allowance = MOVING_MAX;
            calmSinceNanos = nowNanos;
        }
        return allowance-- > 0;
    }

    /**
     * {@return whether the next hop takes no more connections, while those it has taken go on} Then it isn't in
     * trouble, and no further one is tried for a moment. They may all be idle just now: what waits for one has not
     * come to take it yet.
     */
    private boolean isFull() {
        try (BlockLock.Held unused = lock.hold()) {
            long nowNanos = System.nanoTime();
            boolean goesOn = busy.size() > opening || idle.stream().anyMatch(one -> one.isQuiet());
            boolean full = goesOn && trouble == null && !closed && isAlive(nowNanos);
            if (full) {
                endTrying();
                fullUntilNanos = nowNanos + FULL_NANOS;
            }
            return full;
        }
    }

    /** Known for as long as a connection would be kept without use. */
    private boolean isAlive(long nowNanos) {
        return heard && nowNanos - heardNanos < settings.connectionIdle().toNanos();
    }

    /** It took a connection. After a trouble it takes more than that: an answer to a message. */
    private void greeted(NextHopConnection opened) {
        try (BlockLock.Held unused = lock.hold()) {
            if (trouble == null) {
                endTrying();
                hear();
            } else {
                probe = opened;
            }
        }
    }

    /** It is in no trouble. */
    private void answered() {
        endTrying();
        hear();
        trouble = null;
        refuses = false;
        report.answered(heardNanos);
    }

    /** It refuses our mail: one message after a while shows whether it still does. */
    private void leaveAlone(SmtpReply reply, long nowNanos) {
        endTrying();
        triedNanos = nowNanos;
        heard = false;
        trouble = "refuses mail from this hub: " + reply;
        refuses = true;
        // What it wants may be TLS.
        tls.tryAgain(hop);
        idle.forEach(this::quit);
        idle.clear();
    }

    private static boolean isOver(long sinceNanos) {
        return System.nanoTime() - sinceNanos >= LIMITS_NANOS;
    }

    private void hear() {
        heard = true;
        heardNanos = System.nanoTime();
    }

    private void endTrying() {
        trying = false;
        changed.signalAll();
    }

    private NextHopConnection openOne(InetSocketAddress address, NextHopTls mode)
            throws IOException {
        NextHopConnection connection = new NextHopConnection(hop, settings.timeouts());
        try (BlockLock.Held unused = lock.hold()) {
            if (closed) {
                throw new NotTriedException("the hub is stopping");
            }
            busy.add(connection);
            opening++;
            if (!isOver(messagesNanos)) {
                connection.limit(messagesMax);
            }
        }
        boolean opened = false;
        try {
            connection.open(address, hostName, mode);
            opened = true;
            return connection;
        } finally {
            try (BlockLock.Held unused = lock.hold()) {
                opening--;
            }
            if (!opened) {
                giveBack(connection, false);
            }
        }
    }
}
