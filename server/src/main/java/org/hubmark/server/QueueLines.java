package org.hubmark.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.core.QueuedMessage;
import org.hubmark.core.RecipientResult;
import org.hubmark.queue.CheckReport;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * One message of a queue as a line. The columns have fixed widths, so that a list needs no memory
 * for the messages before it; a longer value pushes what follows to the right.
 */
final class QueueLines {
    private static final ObjectMapper JSON = new ObjectMapper();

    private QueueLines() {}

    static String header() {
        return columns(
                "id", "size", "received", "state", "due", "attempts", "sender", "recipients");
    }

    static String row(QueuedMessage message) {
        return columns(
                message.id().toString(),
                String.valueOf(message.sizeBytes()),
                seconds(message.envelope().receivedAt()),
                state(message),
                isDue(message) ? seconds(message.dueAt()) : "never",
                String.valueOf(message.attempts()),
                "<" + ControlCharacters.masked(message.envelope().reversePath()) + ">",
                ControlCharacters.masked(String.join(" ", message.envelope().forwardPaths())));
    }

    static String json(CheckReport report) {
        ObjectNode fields = JSON.createObjectNode();
        fields.put("messages", report.messages());
        fields.put("bytes", report.bytes());
        ArrayNode problems = fields.putArray("problems");
        report.problems().forEach(problems::add);
        return fields.toString();
    }

    static String json(QueuedMessage message) {
        ObjectNode fields = JSON.createObjectNode();
        fields.put("id", message.id().toString());
        fields.put("size_bytes", message.sizeBytes());
        fields.put("received_at", message.envelope().receivedAt().toString());
        fields.put("state", state(message));
        fields.put("due_at", isDue(message) ? message.dueAt().toString() : null);
        fields.put("attempts", message.attempts());
        fields.put("reverse_path", message.envelope().reversePath());
        ArrayNode forwardPaths = fields.putArray("forward_paths");
        message.envelope().forwardPaths().forEach(forwardPaths::add);
        if (!message.results().isEmpty()) {
            ArrayNode results = fields.putArray("results");
            for (RecipientResult result : message.results()) {
                results.addObject()
                        .put("state", result.state().name().toLowerCase(Locale.ROOT))
                        .put("reply", result.reply());
            }
        }
        fields.put("peer", message.envelope().peer());
        fields.put("reason", message.reason().isEmpty() ? null : message.reason());
        return fields.toString();
    }

    /** Everything about one message, one field a line. */
    static String fields(QueuedMessage message) {
        StringBuilder text = new StringBuilder();
        field(text, "id", message.id().toString());
        field(text, "size", message.sizeBytes() + " bytes");
        field(text, "received", message.envelope().receivedAt().toString());
        field(text, "from peer", ControlCharacters.masked(message.envelope().peer()));
        field(text, "body", message.envelope().bodyType().name().toLowerCase(Locale.ROOT));
        field(text, "state", state(message));
        String since = switch (message.state()) {
            case QUEUED, DEFERRED -> "due";
            case DEAD, RETURNED, HEADER -> "died";
            case DAMAGED -> "set aside";
        };
        field(text, since, message.dueAt().toString());
        field(text, "attempts", String.valueOf(message.attempts()));
        if (message.state() == QueuedMessage.State.RETURNED) {
            field(text, "leaves", "when the notification to its sender was delivered");
        }
        if (message.state() == QueuedMessage.State.HEADER) {
            field(
                    text,
                    "content",
                    "version 0.1.0 kept only its header; it can't be delivered any more");
        }
        if (!message.reason().isEmpty()) {
            field(text, "reason", ControlCharacters.masked(message.reason()));
        }
        field(
                text,
                "sender",
                "<" + ControlCharacters.masked(message.envelope().reversePath()) + ">");
        for (int i = 0; i < message.envelope().forwardPaths().size(); i++) {
            String forwardPath = message.envelope().forwardPaths().get(i);
            field(
                    text,
                    "recipient",
                    "<" + ControlCharacters.masked(forwardPath) + ">" + result(message, i));
        }
        return text.toString();
    }

    /** Nothing as long as no recipient has fared otherwise than the message. */
    private static String result(QueuedMessage message, int recipient) {
        if (message.results().isEmpty()) {
            return "";
        }
        RecipientResult result = message.results().get(recipient);
        String state = "  " + result.state().name().toLowerCase(Locale.ROOT);
        return result.reply().isEmpty()
                ? state
                : state + ": " + ControlCharacters.masked(result.reply());
    }

    private static boolean isDue(QueuedMessage message) {
        return switch (message.state()) {
            case QUEUED, DEFERRED -> true;
            case DEAD, RETURNED, HEADER, DAMAGED -> false;
        };
    }

    static String state(QueuedMessage message) {
        return message.state().name().toLowerCase(Locale.ROOT);
    }

    private static void field(StringBuilder text, String name, String value) {
        text.append(String.format(Locale.ROOT, "%-10s %s%n", name, value));
    }

    private static String columns(Object... cells) {
        return String.format(Locale.ROOT, "%-13s  %11s  %-20s  %-8s  %-20s  %8s  %-30s  %s", cells)
                .stripTrailing();
    }

    private static String seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
