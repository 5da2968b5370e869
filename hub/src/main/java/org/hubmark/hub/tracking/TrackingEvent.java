package org.hubmark.hub.tracking;

import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.List;

/**
 * One line of the tracking log. Where the recipients of a message fare differently, there is a line for
 * each way, with the forward-paths that it is about.
 *
 * @param at when it was noted
 * @param kind what happened
 * @param id to which message
 * @param envelope its envelope
 * @param sizeBytes the octets of its content
 * @param attempts attempts to deliver so far, this one too
 * @param reason why it was not delivered, or empty
 */
public record TrackingEvent(
        Instant at,
        Kind kind,
        QueueId id,
        Envelope envelope,
        long sizeBytes,
        int attempts,
        String reason) {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** The column names, in the order of {@link #encode}. */
    static final byte[] HEADER =
            "time\tevent\tid\tsize_bytes\tattempts\treverse_path\tforward_paths\tpeer\treason\n"
                    .getBytes(StandardCharsets.US_ASCII);

    /** Kind of an event. */
    public enum Kind {
        /** It became ours. */
        RECEIVE,
        /** It was delivered. */
        DELIVER,
        /** An attempt failed; there will be another. */
        DEFER,
        /** There will be no other: it was returned to its sender, or became a dead letter. */
        FAIL,
        /** It can't be read or its delivery broke down; it was set aside. */
        DAMAGED,
        /** An operator has deleted it. */
        DELETE,
        /** A dead letter was removed, as the limits for them say. */
        REMOVE
    }

    /** A message was queued. */
    public static TrackingEvent receive(QueueId id, Envelope envelope, long sizeBytes) {
        return new TrackingEvent(Instant.now(), Kind.RECEIVE, id, envelope, sizeBytes, 0, "");
    }

    /** A message was removed, by an operator or the limits for dead letters. */
    public static TrackingEvent removed(Kind kind, QueuedMessage message) {
        return new TrackingEvent(
                Instant.now(),
                kind,
                message.id(),
                message.envelope(),
                message.sizeBytes(),
                message.attempts(),
                message.reason());
    }

    /** What an attempt brought for all recipients of a message. */
    public static TrackingEvent attempt(Kind kind, Lease lease, String reason) {
        return attempt(kind, lease, lease.envelope(), reason);
    }

    /** What an attempt brought for some of the recipients. */
    public static TrackingEvent attempt(
            Kind kind, Lease lease, List<String> forwardPaths, String reason) {
        Envelope whole = lease.envelope();
        Envelope part = new Envelope(
                whole.reversePath(),
                forwardPaths,
                whole.bodyType(),
                whole.receivedAt(),
                whole.peer());
        return attempt(kind, lease, part, reason);
    }

    private static TrackingEvent attempt(Kind kind, Lease lease, Envelope envelope, String reason) {
        return new TrackingEvent(
                Instant.now(),
                kind,
                lease.id(),
                envelope,
                lease.sizeBytes(),
                lease.attempts() + 1,
                reason);
    }

    /** {@return the octets of its line at most} A character takes three, and an object more than a number. */
    int bytesMax() {
        int bytes = (int) envelope.memoryBytes() + envelope.peer().length() + reason.length();
        return 3 * bytes;
    }

    /**
     * Writes the line in UTF-8, tab separated; a tab, line end or backslash in a text is escaped.
     *
     * @param second its time up to the second
     */
    void encode(ByteBuffer line, String second) {
        put(line, second);
        int point = line.position();
        put(line, Long.toString(NANOS_PER_SECOND + at.get(ChronoField.NANO_OF_SECOND)));
        line.put(point, (byte) '.').put((byte) 'Z');
        putField(line, kind.name());
        putField(line, id.toString());
        putField(line, Long.toString(sizeBytes));
        putField(line, Integer.toString(attempts));
        putField(line, envelope.reversePath());
        byte before = '\t';
        for (String forwardPath : envelope.forwardPaths()) {
            put(line.put(before), forwardPath);
            before = ' ';
        }
        putField(line, envelope.peer());
        putField(line, reason);
        line.put((byte) '\n');
    }

    private static void putField(ByteBuffer line, String text) {
        put(line.put((byte) '\t'), text);
    }

    private static void put(ByteBuffer line, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '\\' || c > '~') {
                line.put(text.substring(i)
                        .replace("\\", "\\\\")
                        .replace("\t", "\\t")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r")
                        .getBytes(StandardCharsets.UTF_8));
                return;
            }
            line.put((byte) c);
        }
    }
}
