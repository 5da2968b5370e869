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
import java.util.ArrayList;
import java.util.List;

/**
 * Messages over one connection, one behind the other. The first is sent step by step, which shows that
 * the connection is alive and the next hop takes mail. Then those that wait are written ahead of the
 * answers to the ones before, as RFC 2920 3.1 and RFC 3030 2 allow, as many as the setting says. Answers
 * come in the order of what was written. One delivery thread.
 *
 * <p>Answers are told apart by their number alone. By DATA a 354 shows that they are in step. By BDAT a
 * reply too many would move those behind it, and a message that was refused could pass for delivered. So
 * a message is held until the next one was answered without a refusal; after a refusal behind the first,
 * at the end of a run, and once on each connection the next hop is asked for something whose answer can't
 * be mistaken ({@link NextHopConnection#confirm}). What can't be told for sure then goes again: it
 * arrives twice rather than not at all.
 *
 * <p>When the connection breaks, those that have no answer yet are put back and go over another one,
 * each at the latest when it is the first. Nothing goes ahead for a while after that, since there are
 * servers that don't bear it.
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

    /** Requested and not answered to the end, in their order, without the one that is being read. */
    private final ArrayDeque<NextHopTransaction> ahead = new ArrayDeque<>();

    /** Answered to the end, and not settled. */
    private final List<NextHopTransaction> held = new ArrayList<>();

    private int transactions;

    /** Whether content left by BDAT. */
    private boolean chunked;

    /** Whether something was refused behind the first message, so that answers may be out of step. */
    private boolean doubtful;

    /** Whether it can't be told which of the held ones the next hop has taken. */
    private boolean outOfStep;

    /** What to say of recipients without an answer. */
    private String unanswered = "";

    private boolean givenBack;

    /** The answer to the first message that was about this hub. */
    private @Nullable SmtpReply turnedAway;

    /**
     * A message that goes over another connection.
     *
     * @param onNew whether over a new one, which ends what can be blamed on a connection
     * @param carried messages that the connection had carried that took no more; 0 if it isn't for that
     */
    record Again(Lease lease, boolean onNew, int carried) {
        /** {@return a message that may go over any connection} */
        static Again of(Lease lease) {
            return new Again(lease, false, 0);
        }
    }

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
     * @throws IOException if the next hop has answered nothing, not even to the first message, or with what is
     *     about this hub; the first message is not settled then
     * @throws LineCheck.NotTextException if the content of the first message can't be sent so, and it is
     *     not settled
     */
    void run() throws IOException, LineCheck.NotTextException {
        NextHopTransaction begun = transaction(first.lease());
        NextHopTransaction current = begun;
        try {
            current.request();
            boolean reusable;
            NextHopTransaction next = current;
            do {
                current = next;
                current.awaitReset();
                current.respond();
                writeAhead(current);
                if (connection.sendUnlessAnswered()) {
                    memory.close();
                }
                reusable = current.conclude(!ahead.isEmpty());
                if (current.goesElsewhere() || current.turnedAway() != null) {
                    // That is this connection's end, in good order.
                    connection.limit(connection.messages());
                } else {
                    connection.used(current.hasDelivered());
                }
                transactions++;
                chunked |= current.isChunked();
                doubtful |= current.isBehind() && current.wasRefused() && current.isChunked();
                if (!doubtful) {
                    settleFinished(begun);
                }
                held.add(current);
                next = next(reusable);
                if (next != null && !current.isChunked()) {
                    settleFinished(begun);
                }
            } while (next != null);
            outOfStep = doubtful;
            boolean sound = reusable && confirm();
            // Before the messages are settled: what that gives rise to can go the same way.
            giveBack(sound);
        } catch (NextHopTransaction.TooManyException e) {
            pool.reached();
            back.add(Again.of(current.lease()));
        } catch (ContentMemory.LackException e) {
            outOfStep = doubtful;
            unanswered = NextHopPool.words(e);
            if (current.hasDelivered()) {
                held.add(current);
            } else {
                pool.reached();
                deliveries.settle(current.lease(), new Outcome.NotTried(unanswered));
            }
        } catch (IOException e) {
            if (current == begun && !current.wasAnswered()) {
                throw e;
            }
            outOfStep = doubtful || e instanceof NextHopConnection.SurplusException;
            unanswered = pool.hop() + ": " + NextHopPool.words(e);
            if (current.wasAnswered()) {
                held.add(current);
            } else {
                ahead.addFirst(current);
            }
        } catch (LineCheck.NotTextException e) {
            current.tellPool();
            if (current == begun) {
                throw e;
            }
            back.add(Again.of(current.lease()));
        } catch (RuntimeException e) {
            current.tellPool();
            if (current == begun) {
                throw e;
            }
            deliveries.breakDown(current.lease(), e);
        } finally {
            giveBack(false);
            memory.close();
            if ((!ahead.isEmpty() && !connection.isClosing()) || outOfStep) {
                pool.lostAhead();
            }
            for (NextHopTransaction answered : held) {
                if (outOfStep) {
                    distrust(answered, answered == begun);
                } else {
                    settle(answered, begun);
                }
            }
            ahead.forEach(lost -> back.add(Again.of(lost.lease())));
        }
        if (turnedAway != null) {
            throw new NextHopTransaction.TurnedAwayException(turnedAway);
        }
    }

    /** {@return what is to be answered next, or null} What has recipients left comes when nothing else is under way. */
    private @Nullable NextHopTransaction next(boolean reusable) {
        if (!ahead.isEmpty()) {
            return ahead.remove();
        }
        if (reusable && connection.mayCarry(1, settings)) {
            for (NextHopTransaction answered : held) {
                if (answered.hasLeft()) {
                    held.remove(answered);
                    answered.goOn();
                    return answered;
                }
            }
        }
        return null;
    }

    /**
     * All is answered: finds out whether it was in step.
     *
     * @return whether the connection can be used again
     */
    private boolean confirm() {
        if (!chunked || (transactions == 1 && connection.isConfirmed() && connection.isQuiet())) {
            return true;
        }
        try {
            List<SmtpReply> surplus = connection.confirm();
            if (!connection.isConfirmed()) {
                pool.avoidChunks();
            }
            if (surplus.isEmpty()) {
                outOfStep = false;
                return connection.isConfirmed();
            }
            pool.lostAhead();
            unanswered = pool.hop() + ": said " + surplus.getFirst() + " without being asked";
            // Where nothing was refused all were taken, whatever answers what.
            outOfStep = !surplus.stream().allMatch(SmtpReply::isSuccess)
                    || held.stream().anyMatch(NextHopTransaction::wasRefused);
            return false;
        } catch (IOException e) {
            // Then it is known no better than before.
            unanswered = pool.hop() + ": " + NextHopPool.words(e);
            outOfStep |= e instanceof NextHopConnection.SurplusException;
            pool.avoidChunks();
            return false;
        }
    }

    /** Writes further messages behind those under way, as far as that may be. */
    private void writeAhead(NextHopTransaction current) {
        NextHopTransaction last = ahead.isEmpty() ? current : ahead.getLast();
        while (last.mayBeFollowed() && mayGoAhead(current)) {
            Lease lease = deliveries.next();
            if (lease == null) {
                return;
            }
            NextHopTransaction next = transaction(lease);
            if (lease.envelope().bodyType() == BodyType.BINARY_MIME || !next.mayGoAhead()) {
                back.add(Again.of(lease));
                return;
            }
            try {
                next.requestAhead();
                ahead.add(next);
                last = next;
            } catch (LineCheck.NotTextException e) {
                back.add(Again.of(lease));
            } catch (RuntimeException e) {
                deliveries.breakDown(lease, e);
            }
        }
    }

    private NextHopTransaction transaction(Lease lease) {
        return new NextHopTransaction(pool, connection, lease, memory, settings.retry());
    }

    private boolean mayGoAhead(NextHopTransaction current) {
        int underWay = ahead.size() + 1;
        return underWay < settings.pipelineMax()
                && !doubtful
                && pool.mayGoAhead()
                && connection.has("PIPELINING")
                && !connection.isEnding()
                && connection.mayCarry(underWay + 1, settings)
                && !current.hasLeft()
                && held.stream().noneMatch(NextHopTransaction::hasLeft)
                // What was put back comes next, and not behind what came later.
                && back.isEmpty();
    }

    /** Settles what is held, but what has recipients left. */
    private void settleFinished(NextHopTransaction begun) {
        for (NextHopTransaction answered : held) {
            if (!answered.hasLeft()) {
                settle(answered, begun);
            }
        }
        held.removeIf(answered -> !answered.hasLeft());
    }

    /** What was refused for this connection goes over another one, alone first: that shows whose fault it was. */
    private void settle(NextHopTransaction transaction, NextHopTransaction begun) {
        boolean isFirst = transaction == begun;
        if (transaction.goesElsewhere()) {
            int carried = transaction.isChunkUnknown() ? 0 : connection.messages();
            back.add(new Again(transaction.lease(), isFirst, carried));
            return;
        }
        SmtpReply reply = transaction.turnedAway();
        if (reply != null) {
            if (isFirst) {
                turnedAway = reply;
            } else {
                back.add(Again.of(transaction.lease()));
            }
            return;
        }
        transaction.tellPool();
        if (isFirst && first.carried() > 0 && transaction.hasDelivered()) {
            pool.takesMessages(first.carried());
        }
        deliveries.settle(transaction.lease(), transaction.outcome(unanswered));
    }

    /** Has a message sent again: the first of a run later, so that it ends, and the others at once. */
    private void distrust(NextHopTransaction transaction, boolean isFirst) {
        if (isFirst) {
            deliveries.settle(transaction.lease(), new Outcome.Deferred(unanswered));
        } else {
            back.add(Again.of(transaction.lease()));
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
