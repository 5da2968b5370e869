package org.hubmark.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.core.QueuedMessage;
import org.hubmark.core.RecipientResult;
import org.hubmark.queue.CheckReport;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
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
                "<" + message.envelope().reversePath() + ">",
                String.join(" ", message.envelope().forwardPaths()));
    }

    static String json(CheckReport report) {
        ObjectNode fields = JSON.createObjectNode();
        fields.put("messages", report.messages());
        fields.put("bytes", report.bytes());
        ArrayNode problems = fields.putArray("problems");
        report.problems().forEach(problems::add);
        return fields.toString();
    }

    static ObjectNode json(QueuedMessage message) {
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
        fields.put("body", message.envelope().bodyType().name().toLowerCase(Locale.ROOT));
        fields.put("reason", message.reason().isEmpty() ? null : message.reason());
        return fields;
    }

    /** {@return the fields of an object, a line each; of a list a line for each part} */
    static String lines(ObjectNode fields) {
        StringBuilder text = new StringBuilder();
        fields.properties().forEach(field -> {
            JsonNode value = field.getValue();
            for (JsonNode part : value.isArray() ? value : List.of(value)) {
                text.append(String.format(
                        Locale.ROOT,
                        "%-18s  %s%n",
                        field.getKey(),
                        ControlCharacters.masked(
                                part.isObject() ? part.toString() : part.asText("none"))));
            }
        });
        return text.toString();
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

    private static String columns(Object... cells) {
        return String.format(Locale.ROOT, "%-13s  %11s  %-20s  %-8s  %-20s  %8s  %-30s  %s", cells)
                .stripTrailing();
    }

    private static String seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
