package org.hubmark.hub.relay;

import org.hubmark.core.BodyType;
import org.hubmark.core.Deliveries;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.hub.delivery.NextHopSettings;
import org.hubmark.smtp.client.SmtpReply;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayDeque;

/**
 * Messages over one connection, one behind the other. The first is sent step by step, which shows that
 * the connection is alive and the next hop takes mail. From then on the envelope of the message that waits
 * follows the content of the one before without waiting for its answer, as RFC 2920 3.1 allows. Answers
 * come in the order of what was written. One delivery thread.
 *
 * <p>When the connection breaks, a message that has no answer yet is put back and goes over another one.
 * Nothing goes ahead for a while after that, since there are servers that don't bear it.
 */
final class NextHopPipeline {
    private final NextHopPool pool;
    private final NextHopConnection connection;
    private final NextHopSettings settings;
    private final Again first;
    private final Deliveries deliveries;
    /** Taken, and to be delivered otherwise. */
    private final ArrayDeque<Again> back;

    private final ContentMemory.Part memory;

    /** Requested behind the one whose answers are being read. */
    private @Nullable NextHopTransaction ahead;

    /** What to say of recipients without an answer. */
    private String unanswered = "";

    private boolean givenBack;

    /** The answer to the first message that was about this hub. */
    private @Nullable SmtpReply turnedAway;

    /**
     * A message that goes over another connection.
     *
     * @param onNew whether over a new one, which ends what can be blamed on a connection
     */
    record Again(Lease lease, boolean onNew) {}

    /**
     * Makes ready.
     *
     * @param first the message to begin with
     * @param back gets what was taken from the deliveries and is to be delivered otherwise
     * @param memory for contents, nothing of which is left behind
     */
    NextHopPipeline(
            NextHopPool pool,
            NextHopConnection connection,
            NextHopSettings settings,
            Again first,
            Deliveries deliveries,
            ArrayDeque<Again> back,
            ContentMemory.Part memory) {
        this.pool = pool;
        this.connection = connection;
        this.settings = settings;
        this.first = first;
        this.deliveries = deliveries;
        this.back = back;
        this.memory = memory;
    }

    /**
     * Delivers the first message, and then others for as long as there are any. All of them are settled or put
     * back at the end, and the connection is given back.
     *
     * @param binary whether the first message's content is sent as binary
     * @throws IOException if the next hop has answered nothing, not even to the first message, or with what is
     *     about this hub; the first message is not settled then
     * @throws LineCheck.NotTextException if the content of the first message can't be sent so, and it is
     *     not settled
     */
    void run(boolean binary) throws IOException, LineCheck.NotTextException {
        NextHopTransaction begun = transaction(first.lease(), binary);
        NextHopTransaction current = begun;
        boolean isLost = false;
        try {
            current.request(false);
            NextHopTransaction next = current;
            while (next != null) {
                current = next;
                next = deliver(current, current == begun);
            }
        } catch (ContentMemory.LackException e) {
            unanswered = NextHopPool.words(e);
            if (current.hasDelivered()) {
                settle(current, current == begun);
            } else {
                pool.reached();
                deliveries.settle(current.lease(), new Outcome.NotTried(unanswered));
            }
        } catch (IOException e) {
            if (current == begun && !current.wasAnswered()) {
                throw e;
            }
            unanswered = pool.hop() + ": " + NextHopPool.words(e);
            isLost = !current.wasAnswered();
            if (isLost) {
                back.add(new Again(current.lease(), false));
            } else {
                settle(current, current == begun);
            }
        } catch (LineCheck.NotTextException e) {
            current.tellPool();
            if (current == begun) {
                throw e;
            }
            back.add(new Again(current.lease(), false));
        } catch (RuntimeException e) {
            current.tellPool();
            if (current == begun) {
                throw e;
            }
            deliveries.breakDown(current.lease(), e);
        } finally {
            giveBack(false);
            memory.close();
            if (ahead != null) {
                isLost = true;
                back.add(new Again(ahead.lease(), false));
            }
            if (isLost && !connection.isClosing()) {
                pool.lostAhead();
            }
        }
        if (turnedAway != null) {
            throw new NextHopTransaction.TurnedAwayException(turnedAway);
        }
    }

    /** {@return what is to be answered next, or null} Settles what is answered to the end. */
    private @Nullable NextHopTransaction deliver(NextHopTransaction current, boolean isFirst)
            throws IOException, LineCheck.NotTextException {
        current.awaitReset();
        current.respond();
        writeAhead(current);
        if (connection.sendUnlessAnswered()) {
            memory.close();
        }
        boolean reusable = current.conclude(ahead != null);
        if (current.goesElsewhere() || current.turnedAway() != null) {
            // That is this connection's end, in good order.
            connection.limit(connection.messages());
        } else {
            connection.used(current.hasDelivered());
        }
        NextHopTransaction next = reusable ? ahead : null;
        ahead = reusable ? null : ahead;
        if (next == null && current.hasLeft() && reusable && connection.mayCarry(1, settings)) {
            current.goOn();
            return current;
        }
        if (next == null) {
            // Before the message is settled: what that gives rise to can go the same way.
            giveBack(reusable);
        }
        settle(current, isFirst);
        return next;
    }

    /** Writes the envelope of a further message behind a content, if that may be. */
    private void writeAhead(NextHopTransaction current) {
        boolean mayGo = current.mayBeFollowed()
                && pool.mayGoAhead()
                && connection.has("PIPELINING")
                && !connection.isEnding()
                && connection.mayCarry(2, settings)
                // What was put back comes next, and not behind what came later.
                && back.isEmpty();
        Lease lease = mayGo ? deliveries.next() : null;
        if (lease == null) {
            return;
        }
        boolean binary = lease.envelope().bodyType() == BodyType.BINARY_MIME;
        NextHopTransaction next = transaction(lease, binary);
        if ((binary && !connection.takesBinary()) || !next.mayGoAhead()) {
            back.add(new Again(lease, false));
            return;
        }
        next.request(true);
        ahead = next;
    }

    private NextHopTransaction transaction(Lease lease, boolean binary) {
        return new NextHopTransaction(pool, connection, lease, binary, memory, settings.retry());
    }

    /** What was refused for this connection goes over another one, alone first: that shows whose fault it was. */
    private void settle(NextHopTransaction transaction, boolean isFirst) {
        SmtpReply reply = transaction.turnedAway();
        if (transaction.goesElsewhere()) {
            back.add(new Again(transaction.lease(), isFirst));
        } else if (reply != null && isFirst) {
            turnedAway = reply;
        } else if (reply != null) {
            back.add(new Again(transaction.lease(), false));
        } else {
            transaction.tellPool();
            deliveries.settle(transaction.lease(), transaction.outcome(unanswered));
        }
    }

    /** Once; from then on the connection is another's, or at its end. */
    private void giveBack(boolean reusable) {
        if (!givenBack) {
            givenBack = true;
            pool.giveBack(connection, reusable);
        }
    }
}
