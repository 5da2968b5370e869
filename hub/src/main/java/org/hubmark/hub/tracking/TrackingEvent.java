package org.hubmark.hub.tracking;

import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;

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

    /** The column names, in the order of {@link #appendTo}. */
    static final String HEADER =
            "time\tevent\tid\tsize_bytes\tattempts\treverse_path\tforward_paths\tpeer\treason\n";

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

    /**
     * Writes the line, tab separated; a tab, line end or backslash in a text is escaped.
     *
     * @param second its time up to the second
     */
    void appendTo(StringBuilder line, String second) {
        int point = line.append(second).length();
        line.append(NANOS_PER_SECOND + at.get(ChronoField.NANO_OF_SECOND)).setCharAt(point, '.');
        line.append("Z\t").append(kind).append('\t').append(id).append('\t');
        line.append(sizeBytes).append('\t').append(attempts).append('\t');
        appendEscaped(line, envelope.reversePath());
        line.append('\t');
        for (int i = 0; i < envelope.forwardPaths().size(); i++) {
            if (i > 0) {
                line.append(' ');
            }
            appendEscaped(line, envelope.forwardPaths().get(i));
        }
        line.append('\t');
        appendEscaped(line, envelope.peer());
        line.append('\t');
        appendEscaped(line, reason);
        line.append('\n');
    }

    private static void appendEscaped(StringBuilder line, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' || c == '\t' || c == '\n' || c == '\r') {
                line.append(text.replace("\\", "\\\\")
                        .replace("\t", "\\t")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r"));
                return;
            }
        }
        line.append(text);
    }
}
