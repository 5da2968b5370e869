package org.hubmark.queue.table;

import org.hubmark.core.QueuedMessage;
import org.hubmark.core.RecipientResult;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The state of a message that changes while it is in the queue; the head of a record that changes
 * it.
 *
 * <p>Its form, big-endian: kind (1 octet), due in milliseconds (8), attempts (4), octets of the
 * reason (4), the reason in UTF-8; and, where 128 was added to the kind, {@link RecipientResults}.
 *
 * @param kind what is to become of the message
 * @param dueMillis when it is due, {@link #AT_ONCE} for whatever the clock says; of a message that
 *     isn't to be delivered, since when
 * @param attempts how many attempts were made
 * @param reason the last outcome that wasn't a delivery, or empty
 * @param results how far each recipient has got; empty as long as nothing was settled for any
 */
public record MessageState(
        QueuedMessage.State kind,
        long dueMillis,
        int attempts,
        String reason,
        List<RecipientResult> results) {
    /** Before every time, so that a clock that was set back makes nothing wait that has just come. */
    public static final long AT_ONCE = Long.MIN_VALUE;

    private static final int WITH_RESULTS = 0x80;
    private static final int FIXED_BYTES = 1 + Long.BYTES + 2 * Integer.BYTES;

    /** Reasons are cut off there, so that a record of one has a bound. */
    private static final int REASON_CHARACTERS_MAX = 4096;

    /** Cuts off the reason and the replies. */
    public MessageState {
        if (reason.length() > REASON_CHARACTERS_MAX) {
            reason = reason.substring(0, REASON_CHARACTERS_MAX);
        }
        results = results.isEmpty() ? List.of() : RecipientResults.bounded(results);
    }

    /** {@return of a message that has just come} */
    public static MessageState fresh() {
        return new MessageState(QueuedMessage.State.QUEUED, AT_ONCE, 0, "", List.of());
    }

    /** {@return to be tried at that time} */
    public static MessageState due(
            long dueMillis, int attempts, String reason, List<RecipientResult> results) {
        return new MessageState(
                attempts == 0 && dueMillis == AT_ONCE
                        ? QueuedMessage.State.QUEUED
                        : QueuedMessage.State.DEFERRED,
                dueMillis,
                attempts,
                reason,
                results);
    }

    /** {@return whether an operator wants it tried now, and nobody has since} */
    public boolean isAskedFor() {
        return kind == QueuedMessage.State.DEFERRED && dueMillis == AT_ONCE;
    }

    /** {@return dead since then} */
    public static MessageState dead(
            long millis, int attempts, String reason, List<RecipientResult> results) {
        return new MessageState(QueuedMessage.State.DEAD, millis, attempts, reason, results);
    }

    /**
     * {@return the results when the message is tried anew} Who was refused is then open again, if that
     * made a dead letter; else it stays refused, since the sender has been told.
     */
    public List<RecipientResult> resultsForRetry() {
        if (kind != QueuedMessage.State.DEAD) {
            return results;
        }
        return results.stream()
                .map(result -> result.state() == RecipientResult.State.FAILED
                        ? RecipientResult.pending(result.reply())
                        : result)
                .toList();
    }

    /** {@return set aside since then} */
    public static MessageState damaged(
            long millis, int attempts, String reason, List<RecipientResult> results) {
        return new MessageState(QueuedMessage.State.DAMAGED, millis, attempts, reason, results);
    }

    /** {@return whether it is to be delivered when it is due} */
    public boolean isScheduled() {
        return switch (kind) {
            case QUEUED, DEFERRED -> true;
            case DEAD, HEADER, DAMAGED -> false;
        };
    }

    /** {@return where a message in this state stands in the schedule} */
    public ScheduleKey key(long id) {
        return new ScheduleKey(dueMillis, id);
    }

    /** {@return at least the octets that {@link #encode} puts} */
    public int bytesMax() {
        return FIXED_BYTES
                + 3 * reason.length()
                + (results.isEmpty() ? 0 : RecipientResults.bytesMax(results));
    }

    byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(bytesMax());
        encode(out);
        return Arrays.copyOf(out.array(), out.position());
    }

    /** Puts its form, at most {@link #bytesMax} octets. */
    public void encode(ByteBuffer out) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        byte code = kindCode(kind);
        out.put(results.isEmpty() ? code : (byte) (code | WITH_RESULTS));
        out.putLong(dueMillis).putInt(attempts);
        out.putInt(text.length).put(text);
        if (!results.isEmpty()) {
            RecipientResults.encode(results, out);
        }
    }

    /** Reads one; fails with an IllegalArgumentException or BufferUnderflowException. */
    static MessageState decode(ByteBuffer in) {
        byte code = in.get();
        boolean withResults = (code & WITH_RESULTS) != 0;
        QueuedMessage.State kind = kind((byte) (code & ~WITH_RESULTS));
        long dueMillis = in.getLong();
        int attempts = in.getInt();
        String reason = MessageRow.text(in);
        return new MessageState(
                kind,
                dueMillis,
                attempts,
                reason,
                withResults ? RecipientResults.decode(in) : List.of());
    }

    private static byte kindCode(QueuedMessage.State kind) {
        return switch (kind) {
            case QUEUED -> 0;
            case DEFERRED -> 1;
            case DEAD -> 2;
            case DAMAGED -> 3;
            case HEADER -> 4;
        };
    }

    private static QueuedMessage.State kind(byte code) {
        return switch (code) {
            case 0 -> QueuedMessage.State.QUEUED;
            case 1 -> QueuedMessage.State.DEFERRED;
            case 2 -> QueuedMessage.State.DEAD;
            case 3 -> QueuedMessage.State.DAMAGED;
            case 4 -> QueuedMessage.State.HEADER;
            default -> throw new IllegalArgumentException("kind " + code);
        };
    }
}
