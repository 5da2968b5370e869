package org.hubmark.hub;

import org.hubmark.core.BodyType;
import org.hubmark.core.Deliveries;
import org.hubmark.core.Lease;

import java.io.IOException;
import java.util.ArrayDeque;

/**
 * Messages over one connection, one behind the other. The first is sent step by step, which shows that
 * the connection is alive and the next hop takes mail. Then those that wait are written ahead of the
 * answers to the ones before, as RFC 2920 3.1 and RFC 3030 2 allow, as many as the setting says. Answers
 * come in the order of what was written. One delivery thread.
 *
 * <p>When the connection breaks, those that have no answer yet are put back and go over another one,
 * each at the latest when it is the first. One whose end was sent may have been taken: then it comes
 * twice rather than not at all. Nothing goes ahead for a while after that, since there are servers that
 * don't bear it.
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
        NextHopTransaction current = new NextHopTransaction(connection, first, binary);
        boolean isFirst = true;
        try {
            current.request();
            while (true) {
                current.respond();
                writeAhead(current);
                boolean reusable = current.conclude(!ahead.isEmpty());
                connection.used();
                if (!reusable || ahead.isEmpty()) {
                    // Before the message is settled: what that gives rise to can go the same way.
                    giveBack(reusable);
                    settle(current, "");
                    return;
                }
                settle(current, "");
                isFirst = false;
                current = ahead.remove();
            }
        } catch (IOException e) {
            if (isFirst && !current.wasAnswered()) {
                throw e;
            }
            giveBack(false);
            if (current.wasAnswered()) {
                settle(current, pool.hop() + ": " + NextHopPool.words(e));
            } else {
                ahead.addFirst(current);
            }
        } catch (LineCheck.NotTextException e) {
            if (isFirst) {
                throw e;
            }
            back.add(current.lease());
        } catch (RuntimeException e) {
            if (isFirst) {
                throw e;
            }
            deliveries.breakDown(current.lease(), e);
        } finally {
            giveBack(false);
            if (!ahead.isEmpty() && !connection.isClosing()) {
                pool.lostAhead();
            }
            ahead.forEach(unanswered -> back.add(unanswered.lease()));
        }
    }

    /** Writes further messages behind those under way, as far as that may be. */
    private void writeAhead(NextHopTransaction current) {
        NextHopTransaction last = ahead.isEmpty() ? current : ahead.getLast();
        while (last.mayBeFollowed() && mayGoAhead()) {
            Lease lease = deliveries.next();
            if (lease == null) {
                return;
            }
            boolean binary = lease.envelope().bodyType() == BodyType.BINARY_MIME;
            NextHopTransaction next = new NextHopTransaction(connection, lease, binary);
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

    private boolean mayGoAhead() {
        int underWay = ahead.size() + 1;
        return underWay < settings.pipelineMax()
                && pool.mayGoAhead()
                && connection.has("PIPELINING")
                && !connection.isEnding()
                && connection.mayCarry(underWay + 1, settings)
                // What was put back comes next, and not behind what came later.
                && back.isEmpty();
    }

    private void settle(NextHopTransaction transaction, String unanswered) {
        if (transaction.wasAnswered()) {
            pool.reached();
        }
        deliveries.settle(transaction.lease(), transaction.outcome(unanswered));
    }

    /** Once; from then on the connection is another's, or at its end. */
    private void giveBack(boolean reusable) {
        if (!givenBack) {
            givenBack = true;
            pool.giveBack(connection, reusable);
        }
    }
}
