package org.hubmark.bench.load;

import org.hubmark.core.QueueId;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.audit.AuditedContent;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * The messages of a share that a server has accepted, each by the queue id that its 250 named, with
 * the sum of what was sent. What isn't in the share costs a hash of the id. Any thread.
 */
public final class AcceptedMail {
    /**
     * Largest number of messages that are kept, 20 octets of heap each; later ones are only
     * counted.
     */
    private static final int MESSAGES_MAX = 10_000_000;
    /** Noted in one piece of memory: an object each would have the collector stop the driver to copy them. */
    private static final int PIECE_MESSAGES = 1 << 14;

    private final AuditShare share;
    private final int messagesMax;
    private final List<Piece> pieces = new ArrayList<>();
    private final LongAdder unnamed = new LongAdder();
    private int count;
    private long beyondLimit;

    private static final class Piece {
        final long[] ids = new long[PIECE_MESSAGES];
        final long[] lengths = new long[PIECE_MESSAGES];
        final int[] crcs = new int[PIECE_MESSAGES];
    }

    /** Makes an empty one. */
    public AcceptedMail(AuditShare share) {
        this(share, MESSAGES_MAX);
    }

    AcceptedMail(AuditShare share, int messagesMax) {
        this.share = share;
        this.messagesMax = messagesMax;
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
        if (count == messagesMax) {
            beyondLimit++;
            return;
        }
        int at = count % PIECE_MESSAGES;
        if (at == 0) {
            pieces.add(new Piece());
        }
        Piece piece = pieces.getLast();
        piece.ids[at] = content.id().value();
        piece.lengths[at] = content.lengthBytes();
        piece.crcs[at] = content.crc();
        count++;
    }

    /** {@return how many more belong to the share than were noted, so that nobody can compare them} */
    public synchronized long beyondLimit() {
        return beyondLimit;
    }

    /** {@return what was noted so far, in the order of the answers} */
    public synchronized List<AuditedContent> contents() {
        List<AuditedContent> contents = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Piece piece = pieces.get(i / PIECE_MESSAGES);
            int at = i % PIECE_MESSAGES;
            contents.add(new AuditedContent(
                    new QueueId(piece.ids[at]), piece.lengths[at], piece.crcs[at]));
        }
        return contents;
    }

    /** {@return how many were accepted without a queue id, so that nobody can look for them} */
    public long unnamed() {
        return unnamed.sum();
    }
}
