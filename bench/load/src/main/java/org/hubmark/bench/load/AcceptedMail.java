package org.hubmark.bench.load;

import org.hubmark.core.QueueId;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.audit.AuditedContent;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * The messages of a share that a server has accepted, each by the queue id that its 250 named, with
 * the sum of what was sent; {@link #messagesMax} at most, what comes after is counted. They are read by
 * {@link #ranges} of ids, since an object for each of all of them would not fit in memory. What isn't in
 * the share costs a hash of the id. Any thread.
 */
public final class AcceptedMail {
    /** Octets of a message: queue id, length and sum. */
    private static final int MESSAGE_BYTES = 2 * Long.BYTES + Integer.BYTES;

    private final AuditShare share;
    private final Limits limits;
    private final List<Piece> pieces = new ArrayList<>();
    private final LongAdder unnamed = new LongAdder();
    private long count;
    private long notNoted;

    /**
     * Limits of memory. Messages are noted in pieces, since an object each would have the collector stop the
     * driver to copy them.
     *
     * @param messages of a piece
     * @param pieces at most
     * @param perRange pieces that are compared at once
     */
    record Limits(int messages, int pieces, int perRange) {
        /** Some 150 MB more where they are compared. */
        static Limits usual() {
            int messages = 1 << 14;
            return new Limits(messages, (int) (messagesMax() / messages), 1 << 7);
        }
    }

    /**
     * Ids from one to another.
     *
     * @param from the lowest
     * @param to the highest
     */
    public record Range(long from, long to) {
        /** {@return whether an id belongs to it} */
        public boolean holds(long id) {
            return from <= id && id <= to;
        }
    }

    /** Ids, lengths and sums one after the other. */
    private static final class Piece {
        private final ByteBuffer messages;
        private long idMin = Long.MAX_VALUE;
        private long idMax;

        Piece(int messages) {
            this.messages = ByteBuffer.allocate(messages * MESSAGE_BYTES);
        }
    }

    /** Makes an empty one. */
    public AcceptedMail(AuditShare share) {
        this(share, Limits.usual());
    }

    AcceptedMail(AuditShare share, Limits limits) {
        this.share = share;
        this.limits = limits;
    }

    /** {@return how many are noted at most: a quarter of the heap has room for so many} */
    public static long messagesMax() {
        return Runtime.getRuntime().maxMemory() / 4 / MESSAGE_BYTES;
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
        Piece piece = piece();
        if (piece == null) {
            notNoted++;
            return;
        }
        long id = content.id().value();
        piece.idMin = Math.min(piece.idMin, id);
        piece.idMax = Math.max(piece.idMax, id);
        piece.messages.putLong(id).putLong(content.lengthBytes()).putInt(content.crc());
        count++;
    }

    /** {@return one with room for a message; null where all are full} */
    private @Nullable Piece piece() {
        if (pieces.isEmpty() || !pieces.getLast().messages.hasRemaining()) {
            if (pieces.size() == limits.pieces) {
                return null;
            }
            pieces.add(new Piece(limits.messages));
        }
        return pieces.getLast();
    }

    /** {@return how many were noted} */
    public synchronized long count() {
        return count;
    }

    /** {@return how many more belong to the share than were noted, so that nobody can compare them} */
    public synchronized long notNoted() {
        return notNoted;
    }

    /** {@return ranges that hold every id once; ids grow in the order in which they are handed out} */
    public synchronized List<Range> ranges() {
        List<Long> firsts = pieces.stream().map(piece -> piece.idMin).sorted().toList();
        List<Range> ranges = new ArrayList<>();
        long from = 0;
        for (int i = limits.perRange; i < firsts.size(); i += limits.perRange) {
            if (firsts.get(i) > from) {
                ranges.add(new Range(from, firsts.get(i) - 1));
                from = firsts.get(i);
            }
        }
        ranges.add(new Range(from, Long.MAX_VALUE));
        return ranges;
    }

    /** {@return what was noted of a range so far, in the order of the answers} */
    public synchronized List<AuditedContent> contents(Range range) {
        List<AuditedContent> contents = new ArrayList<>();
        for (Piece piece : pieces) {
            if (piece.idMin <= range.to && piece.idMax >= range.from) {
                ByteBuffer messages = piece.messages.duplicate().flip();
                while (messages.hasRemaining()) {
                    long id = messages.getLong();
                    long lengthBytes = messages.getLong();
                    int crc = messages.getInt();
                    if (range.holds(id)) {
                        contents.add(new AuditedContent(new QueueId(id), lengthBytes, crc));
                    }
                }
            }
        }
        return contents;
    }

    /** {@return how many were accepted without a queue id, so that nobody can look for them} */
    public long unnamed() {
        return unnamed.sum();
    }
}
