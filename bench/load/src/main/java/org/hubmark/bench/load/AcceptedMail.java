package org.hubmark.bench.load;

import org.hubmark.core.QueueId;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.audit.AuditedContent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * The messages of a share that a server has accepted, each by the queue id that its 250 named, with
 * the sum of what was sent; {@link #messagesMax} at most, what comes after is counted. What isn't in
 * the share costs a hash of the id. Any thread.
 */
public final class AcceptedMail {
    /** Octets of a message: queue id and sum, both once more where it is compared, and what is found. */
    private static final int MESSAGE_BYTES = 4 * Long.BYTES + 1;

    /** Messages of a piece: an object for each would have the collector stop the driver to copy them. */
    private static final int PIECE = 1 << 14;

    private final AuditShare share;
    private final long messagesMax;
    /** Ids and sums, one after the other. */
    private final List<long[]> pieces = new ArrayList<>();

    private final LongAdder unnamed = new LongAdder();
    private int count;
    private long notNoted;

    /** Takes the id and the sum of a message. */
    @FunctionalInterface
    public interface Taker {
        /** Takes them. */
        void take(long id, long sum);
    }

    /** Makes an empty one. */
    public AcceptedMail(AuditShare share) {
        this(share, messagesMax());
    }

    AcceptedMail(AuditShare share, long messagesMax) {
        this.share = share;
        this.messagesMax = messagesMax;
    }

    /** {@return how many are noted at most: half of the heap has room for so many} */
    public static long messagesMax() {
        return Math.min(Runtime.getRuntime().maxMemory() / 2 / MESSAGE_BYTES, 1 << 30);
    }

    /** {@return what may be asked for here} */
    public AuditShare share() {
        return share;
    }

    /**
     * Notes that a message was accepted.
     *
     * @param id the value of its queue id; negative when the answer named none
     */
    void add(long id, WireMessage message, long number, long random) {
        if (id < 0) {
            unnamed.increment();
        } else if (share.takes(id)) {
            add(message.sum(number, random).of(new QueueId(id)));
        }
    }

    /** Notes a message. */
    public synchronized void add(AuditedContent content) {
        if (count >= messagesMax) {
            notNoted++;
            return;
        }
        int at = count % PIECE;
        if (at == 0) {
            pieces.add(new long[2 * PIECE]);
        }
        pieces.getLast()[2 * at] = content.id().value();
        pieces.getLast()[2 * at + 1] = content.sum();
        count++;
    }

    /** {@return how many were noted} */
    public synchronized int count() {
        return count;
    }

    /** {@return how many more belong to the share than were noted, so that nobody can compare them} */
    public synchronized long notNoted() {
        return notNoted;
    }

    /** Gives what was noted so far, in the order of the answers. */
    public synchronized void forEach(Taker taker) {
        for (int i = 0; i < count; i++) {
            long[] piece = pieces.get(i / PIECE);
            taker.take(piece[2 * (i % PIECE)], piece[2 * (i % PIECE) + 1]);
        }
    }

    /** {@return the ids that were noted so far, in their order} */
    public synchronized long[] ids() {
        long[] ids = new long[count];
        for (int i = 0; i < count; i++) {
            ids[i] = pieces.get(i / PIECE)[2 * (i % PIECE)];
        }
        Arrays.sort(ids);
        return ids;
    }

    /** {@return how many were accepted without a queue id, so that nobody can look for them} */
    public long unnamed() {
        return unnamed.sum();
    }
}
