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
    private final Deliveries deliveries;
    /** Taken, and to be delivered otherwise. */
    private final ArrayDeque<Lease> back;

    /** Requested and not answered to the end, in their order, without the one that is being read. */
    private final ArrayDeque<NextHopTransaction> ahead = new ArrayDeque<>();

    /** Answered to the end, and not settled. */
    private final List<NextHopTransaction> held = new ArrayList<>();

    private int transactions;

    /** Whether something was refused behind the first message, so that answers may be out of step. */
    private boolean doubtful;

    /** Whether it can't be told which of the held ones the next hop has taken. */
    private boolean outOfStep;

    /** What to say of recipients without an answer. */
    private String unanswered = "";

    private boolean givenBack;

    /**
     * Makes ready.
     *
     * @param back gets what was taken from the deliveries and is to be delivered otherwise
     */
    NextHopPipeline(
            NextHopPool pool,
            NextHopConnection connection,
            NextHopSettings settings,
            Deliveries deliveries,
            ArrayDeque<Lease> back) {
        this.pool = pool;
        this.connection = connection;
        this.settings = settings;
        this.deliveries = deliveries;
        this.back = back;
    }

    /**
     * Delivers a message, and then others for as long as there are any. All of them are settled or put
     * back at the end, and the connection is given back.
     *
     * @param binary whether the first message's content is sent as binary
     * @throws IOException if the next hop has answered nothing, not even to the first message, which is
     *     not settled then
     * @throws LineCheck.NotTextException if the content of the first message can't be sent so, and it is
     *     not settled
     */
    void run(Lease first, boolean binary) throws IOException, LineCheck.NotTextException {
        NextHopTransaction begun = new NextHopTransaction(pool, connection, first, binary);
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
                reusable = current.conclude(!ahead.isEmpty());
                connection.used();
                transactions++;
                doubtful |= current.isBehind() && current.wasRefused() && current.isChunked();
                if (!doubtful) {
                    settleFinished();
                }
                held.add(current);
                next = next(reusable);
                if (next != null && !current.isChunked()) {
                    settleFinished();
                }
            } while (next != null);
            outOfStep = doubtful;
            boolean sound = reusable && confirm(begun.isChunked());
            // Before the messages are settled: what that gives rise to can go the same way.
            giveBack(sound);
        } catch (NextHopTransaction.TooManyException e) {
            pool.reached();
            back.add(current.lease());
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
            if (current == begun) {
                throw e;
            }
            back.add(current.lease());
        } catch (RuntimeException e) {
            if (current == begun) {
                throw e;
            }
            deliveries.breakDown(current.lease(), e);
        } finally {
            giveBack(false);
            if ((!ahead.isEmpty() && !connection.isClosing()) || outOfStep) {
                pool.lostAhead();
            }
            for (NextHopTransaction answered : held) {
                if (outOfStep) {
                    distrust(answered, answered == begun);
                } else {
                    settle(answered);
                }
            }
            ahead.forEach(lost -> back.add(lost.lease()));
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
    private boolean confirm(boolean chunked) {
        if (!chunked || (transactions == 1 && connection.isConfirmed() && connection.isQuiet())) {
            return true;
        }
        try {
            List<SmtpReply> surplus = connection.confirm();
            if (surplus.isEmpty()) {
                outOfStep = false;
                return true;
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
            boolean binary = lease.envelope().bodyType() == BodyType.BINARY_MIME;
            NextHopTransaction next = new NextHopTransaction(pool, connection, lease, binary);
            if (!next.mayGoAhead() || (binary && !connection.takesBinary())) {
                back.add(lease);
                return;
            }
            try {
                next.requestAhead();
                ahead.add(next);
                last = next;
            } catch (LineCheck.NotTextException e) {
                back.add(lease);
            } catch (RuntimeException e) {
                deliveries.breakDown(lease, e);
            }
        }
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
    private void settleFinished() {
        for (NextHopTransaction answered : held) {
            if (!answered.hasLeft()) {
                settle(answered);
            }
        }
        held.removeIf(answered -> !answered.hasLeft());
    }

    private void settle(NextHopTransaction transaction) {
        if (transaction.wasAnswered()) {
            pool.reached();
        }
        deliveries.settle(transaction.lease(), transaction.outcome(unanswered));
    }

    /** Has a message sent again: the first of a run later, so that it ends, and the others at once. */
    private void distrust(NextHopTransaction transaction, boolean isFirst) {
        if (isFirst) {
            deliveries.settle(transaction.lease(), new Outcome.Deferred(unanswered));
        } else {
            back.add(transaction.lease());
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
