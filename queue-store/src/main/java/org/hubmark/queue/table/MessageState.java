package org.hubmark.queue.table;

import org.hubmark.core.Coded;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.RecipientResult;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The state of a message that changes while it is in the queue; the head of a record that changes
 * it.
 *
 * <p>Its form, big-endian: kind (1 octet), due in milliseconds (8), attempts (4), octets of the
 * reason (4), the reason in UTF-8; where 128 was added to the kind, {@link RecipientResults}; and where
 * 64 was added, the number of notifications (1) and each one's id (8).
 *
 * @param kind what is to become of the message
 * @param dueMillis when it is due, {@link #AT_ONCE} for whatever the clock says; of a message that
 *     isn't to be delivered, since when
 * @param attempts how many attempts were made
 * @param reason the last outcome that wasn't a delivery, or empty
 * @param results how far each recipient has got; empty as long as nothing was settled for any
 * @param notifications ids of those that tell the sender of failures, as long as they were not
 *     delivered; {@link #UNTOLD} stands for all that never will be
 */
public record MessageState(
        QueuedMessage.State kind,
        long dueMillis,
        int attempts,
        String reason,
        List<RecipientResult> results,
        Set<Long> notifications) {
    /** No notification has this id. */
    public static final long UNTOLD = -1;

    /** More at one time are not looked after: the message will stay as if one of them had failed. */
    private static final int NOTIFICATIONS_MAX = 100;

    /** Before every time, so that a clock that was set back makes nothing wait that has just come. */
    public static final long AT_ONCE = Long.MIN_VALUE;

    private static final MessageState FRESH =
            new MessageState(QueuedMessage.State.QUEUED, AT_ONCE, 0, "", List.of());

    private static final int WITH_RESULTS = 0x80;
    private static final int WITH_NOTIFICATIONS = 0x40;
    private static final int FIXED_BYTES = 1 + Long.BYTES + 2 * Integer.BYTES;

    /** Reasons are cut off there, so that a record of one has a bound. */
    private static final int REASON_CHARACTERS_MAX = 4096;

    /** Cuts off the reason and the replies. */
    public MessageState {
        if (reason.length() > REASON_CHARACTERS_MAX) {
            reason = reason.substring(0, REASON_CHARACTERS_MAX);
        }
        results = results.isEmpty() ? List.of() : RecipientResults.bounded(results);
        notifications = Set.copyOf(notifications);
    }

    /** One that waits for no notification. */
    public MessageState(
            QueuedMessage.State kind,
            long dueMillis,
            int attempts,
            String reason,
            List<RecipientResult> results) {
        this(kind, dueMillis, attempts, reason, results, Set.of());
    }

    /** {@return the same, and waiting for these notifications} */
    public MessageState waitingFor(Set<Long> ids) {
        return new MessageState(
                kind,
                dueMillis,
                attempts,
                reason,
                results,
                ids.size() > NOTIFICATIONS_MAX ? Set.of(UNTOLD) : ids);
    }

    /** {@return the same, and kept until the notifications were delivered, if none of them has failed} */
    public MessageState returned(Set<Long> ids) {
        MessageState waiting = waitingFor(ids);
        return waiting.notifications.contains(UNTOLD)
                ? new MessageState(QueuedMessage.State.DEAD, dueMillis, attempts, reason, results)
                : new MessageState(
                        QueuedMessage.State.RETURNED,
                        dueMillis,
                        attempts,
                        reason,
                        results,
                        waiting.notifications);
    }

    /** {@return of a message that has just come} */
    public static MessageState fresh() {
        return FRESH;
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

    /** {@return about how much heap its texts and results take} */
    long memoryBytes() {
        return reason.length() + RecipientResults.memoryBytes(results);
    }

    /** {@return whether an operator wants it tried now, and nobody has since} */
    public boolean isAskedFor() {
        return kind == QueuedMessage.State.DEFERRED && dueMillis == AT_ONCE;
    }

    /**
     * {@return when an operator wants it tried now} Who was refused is then open again if that made a
     * dead letter, and notifications of it say nothing of what becomes of it; else it stays refused,
     * since the sender was told.
     */
    public MessageState forRetry() {
        MessageState due = due(AT_ONCE, attempts, reason, resultsForRetry());
        return kind.isDead() ? due : due.waitingFor(notifications);
    }

    private List<RecipientResult> resultsForRetry() {
        if (!kind.isDead()) {
            return results;
        }
        return results.stream()
                .map(result -> result.state() == RecipientResult.State.FAILED
                        ? RecipientResult.pending(result.reply())
                        : result)
                .toList();
    }

    /** {@return whether it is to be delivered when it is due} */
    public boolean isScheduled() {
        return switch (kind) {
            case QUEUED, DEFERRED -> true;
            case DEAD, RETURNED, HEADER, DAMAGED -> false;
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
                + (results.isEmpty() ? 0 : RecipientResults.bytesMax(results))
                + 1
                + notifications.size() * Long.BYTES;
    }

    byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(bytesMax());
        encode(out);
        return Arrays.copyOf(out.array(), out.position());
    }

    /** Puts its form, at most {@link #bytesMax} octets. */
    public void encode(ByteBuffer out) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        int follows = (results.isEmpty() ? 0 : WITH_RESULTS)
                | (notifications.isEmpty() ? 0 : WITH_NOTIFICATIONS);
        out.put((byte) (kind.code() | follows));
        out.putLong(dueMillis).putInt(attempts);
        out.putInt(text.length).put(text);
        if (!results.isEmpty()) {
            RecipientResults.encode(results, out);
        }
        if (!notifications.isEmpty()) {
            out.put((byte) notifications.size());
            notifications.forEach(out::putLong);
        }
    }

    /** Reads one; fails with an IllegalArgumentException or BufferUnderflowException. */
    static MessageState decode(ByteBuffer in) {
        byte code = in.get();
        boolean withResults = (code & WITH_RESULTS) != 0;
        QueuedMessage.State kind = Coded.of(
                QueuedMessage.State.class, code & 0xff & ~(WITH_RESULTS | WITH_NOTIFICATIONS));
        long dueMillis = in.getLong();
        int attempts = in.getInt();
        String reason = MessageRow.text(in);
        List<RecipientResult> results = withResults ? RecipientResults.decode(in) : List.of();
        Set<Long> notifications = new HashSet<>();
        for (int left = (code & WITH_NOTIFICATIONS) != 0 ? in.get() : 0; left > 0; left--) {
            notifications.add(in.getLong());
        }
        return new MessageState(kind, dueMillis, attempts, reason, results, notifications);
    }
}
