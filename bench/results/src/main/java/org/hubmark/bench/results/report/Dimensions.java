package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What scenarios differ in beside the size of messages, and how a scenario is named by it.
 *
 * @param varied the fields that have more than one value, the most telling first
 */
record Dimensions(List<String> varied) {
    /** In the order in which they stand in a name. */
    private static final List<String> ALL = List.of(
            "device_profile",
            "layout",
            "durability",
            "flush",
            "checkpoint_depth_mb",
            "connections",
            "asked_rate",
            "intake");

    /** Stands with the name of a scenario that can lose acknowledged mail, wherever that appears. */
    static final String UNSAFE = "UNSAFE";

    static Dimensions of(List<JsonNode> scenarios) {
        List<String> varied = new ArrayList<>();
        for (String field : ALL) {
            Set<String> values = new LinkedHashSet<>();
            scenarios.forEach(scenario -> values.add(scenario.path(field).asText("")));
            if (values.size() > 1) {
                varied.add(field);
            }
        }
        return new Dimensions(List.copyOf(varied));
    }

    /** {@return what tells the scenario from others of its size, a word or two each} */
    List<String> words(JsonNode scenario) {
        List<String> words = new ArrayList<>();
        for (String field : varied) {
            word(field, scenario.path(field)).ifPresent(words::add);
        }
        return words;
    }

    /** {@return the name of what was measured, whatever the size; never empty} */
    String name(JsonNode scenario) {
        List<String> words = words(scenario);
        return words.isEmpty() ? kind(scenario) : String.join(", ", words);
    }

    /** {@return the name with a mark on what is unsafe} */
    String markedName(JsonNode scenario) {
        return name(scenario) + (isUnsafe(scenario) ? " (" + UNSAFE + ")" : "");
    }

    /** {@return its durability class, or what stands in for one} */
    static String kind(JsonNode scenario) {
        String durability = scenario.path("durability").asText("");
        if (scenario.path("intake").asText("").equals("discard")) {
            return "discard";
        }
        return durability.isEmpty() ? "target" : durability;
    }

    /** {@return whether acknowledged mail can be lost when the power fails} */
    static boolean isUnsafe(JsonNode scenario) {
        return scenario.path("unsafe").asBoolean();
    }

    /** {@return why it is unsafe; empty if it is not} */
    static Optional<String> unsafeReason(JsonNode scenario) {
        return isUnsafe(scenario)
                ? Optional.ofNullable(scenario.path("unsafe_reason").asText(null))
                : Optional.empty();
    }

    /** {@return the value of a dimension in words; empty if it is not known} */
    static Optional<String> word(String field, JsonNode value) {
        if (value.isNull() || value.isMissingNode() || value.asText().isEmpty()) {
            return Optional.empty();
        }
        String text = TableCell.of(value, null).text();
        return Optional.of(
                switch (field) {
                    case "layout" -> layout(text);
                    case "flush" -> "flush " + text;
                    case "checkpoint_depth_mb" -> "depth " + Math.round(value.asDouble()) + " MB";
                    case "connections" -> text + " connections";
                    case "asked_rate" -> text.equals("max") ? "rate max" : text;
                    case "intake" -> text.equals("discard") ? "discard" : "stored";
                    default -> value.asText();
                });
    }

    private static String layout(String text) {
        return switch (text) {
            case "one" -> "one volume";
            case "apart" -> "log apart";
            case "three" -> "three volumes";
            case "striped" -> "queue striped";
            default -> text;
        };
    }
}
