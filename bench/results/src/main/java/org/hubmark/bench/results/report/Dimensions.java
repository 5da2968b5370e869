package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.Setup;

import java.util.List;
import java.util.Optional;

/**
 * What scenarios differ in beside the size of messages, and how a scenario is named by it.
 *
 * @param varied the conditions that have more than one value, the most telling first
 */
record Dimensions(List<Condition> varied) {
    /** Stands with the name of a scenario that can lose acknowledged mail, wherever that appears. */
    static final String UNSAFE = "UNSAFE";

    static Dimensions of(List<JsonNode> scenarios) {
        return new Dimensions(Setup.varied(scenarios.stream().map(Setup::of).toList()));
    }

    /** {@return what tells the scenario from others of its size, a word or two each} */
    List<String> words(JsonNode scenario) {
        return Setup.of(scenario).words(varied);
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
        if (scenario.path("intake").asText("").equals("discard")) {
            return "discard";
        }
        return isTarget(scenario) ? "target" : scenario.path("durability").asText("");
    }

    /** {@return whether it is a server of which we don't know what it promises} */
    static boolean isTarget(JsonNode scenario) {
        return scenario.path("durability").asText("").isEmpty()
                && !scenario.path("intake").asText("").equals("discard");
    }

    /** {@return whether acknowledged mail can be lost when the power fails} */
    static boolean isUnsafe(JsonNode scenario) {
        return scenario.path("unsafe").asBoolean();
    }

    /** {@return what was found out about the safety of a server that isn't ours, and where} */
    static Optional<String> evidence(JsonNode scenario) {
        JsonNode evidence = scenario.path("safety_evidence");
        String words = evidence.path("words").asText("");
        String file = evidence.path("file").asText("");
        return words.isEmpty()
                ? Optional.empty()
                : Optional.of(words
                        + (file.isEmpty()
                                ? ""
                                : " (" + file + ", SHA-256 "
                                        + evidence.path("sha256").asText() + ")"));
    }

    /** {@return why it is unsafe; empty if it is not} */
    static Optional<String> unsafeReason(JsonNode scenario) {
        return isUnsafe(scenario)
                ? Optional.ofNullable(scenario.path("unsafe_reason").asText(null))
                : Optional.empty();
    }
}
