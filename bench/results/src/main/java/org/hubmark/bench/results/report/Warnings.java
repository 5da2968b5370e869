package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.results.Ceilings;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What makes the figures of a valid scenario less certain than they look; said where they stand. */
final class Warnings {
    private static final Map<String, String> CEILINGS = new LinkedHashMap<>();

    static {
        CEILINGS.put("receive_percent", "the receive path");
        CEILINGS.put("log_device_percent", "the log device");
        CEILINGS.put("loopback_percent", "loopback");
    }

    private Warnings() {}

    /** {@return a word or two for the head of a column, each in capitals} */
    static List<String> marks(JsonNode scenario) {
        List<String> marks = new ArrayList<>();
        if (count(scenario, false) > 0) {
            marks.add("NOT STEADY");
        } else if (!isSteady(scenario) && !scenario.path("repeats").isEmpty()) {
            marks.add("STEADY?");
        }
        if (hasTrend(scenario)) {
            marks.add(trend(scenario) > 0 ? "RATE RISES" : "RATE FALLS");
        }
        return marks;
    }

    /** {@return whether it was a quick run, of which no figure is to be relied on} */
    static boolean isRough(JsonNode settings) {
        return settings.path("quick").asBoolean();
    }

    /** {@return the same in sentences} */
    static List<String> sentences(JsonNode scenario) {
        List<String> sentences = new ArrayList<>();
        sentences.addAll(unsteady(scenario));
        if (hasTrend(scenario)) {
            sentences.add(String.format(
                    Locale.ROOT,
                    "the rate %s from repeat to repeat, by %.0f %% in all: the repeats are no sample"
                            + " of one rate, and their median and interval say less than they seem to",
                    trend(scenario) > 0 ? "rises" : "falls",
                    Math.abs(trend(scenario))));
        }
        CEILINGS.forEach((field, name) -> {
            double percent = scenario.path("ceilings").path(field).asDouble();
            if (Ceilings.isMismeasured(percent)) {
                sentences.add(String.format(
                        Locale.ROOT,
                        "the ceiling of %s was measured lower than the run itself (%.0f %% of it):"
                                + " something else held it down, and how near the run came to it"
                                + " isn't known",
                        name,
                        percent));
            }
        });
        JsonNode beside = scenario.path(SelfCheck.LATENCY_AT);
        if (beside.isObject() && !beside.path("valid").asBoolean()) {
            List<String> reasons = new ArrayList<>();
            beside.path("invalid_reasons").forEach(reason -> reasons.add(reason.asText()));
            sentences.add("there is no latency at a lower rate, since that was not valid: "
                    + String.join("; ", reasons));
        }
        return sentences;
    }

    /** One sentence for the repeats that were not steady, one for those of which that isn't known. */
    private static List<String> unsteady(JsonNode scenario) {
        Map<String, List<String>> repeats = new LinkedHashMap<>();
        Map<String, String> reasons = new LinkedHashMap<>();
        for (JsonNode repeat : scenario.path("repeats")) {
            JsonNode steady = repeat.path("steady");
            if (!steady.asBoolean()) {
                String what = steady.isBoolean()
                        ? "not steady before the measured time"
                        : "not known to be steady before the measured time";
                repeats.computeIfAbsent(what, key -> new ArrayList<>())
                        .add(repeat.path("repeat").asText());
                reasons.putIfAbsent(
                        what, repeat.path("steady_reason").asText("there was no warm-up"));
            }
        }
        List<String> sentences = new ArrayList<>();
        repeats.forEach((what, numbers) -> sentences.add(what + " in repeat "
                + String.join(", ", numbers) + ": " + reasons.get(what)
                + (numbers.size() > 1 ? " (repeat " + numbers.getFirst() + ")" : "")));
        return sentences;
    }

    /** {@return whether the load was steady before the measured time, for a row of a table} */
    static TableCell steady(JsonNode scenario) {
        int unsteady = count(scenario, false);
        int all = scenario.path("repeats").size();
        if (unsteady > 0) {
            return new TableCell("no, " + unsteady + " of " + all, true);
        }
        return isSteady(scenario) ? new TableCell("yes", true) : new TableCell("-", false);
    }

    /** {@return the rate to be read first: of repeats with a trend no single figure stands for all} */
    static TableCell headline(JsonNode scenario, TableCell rate) {
        return hasTrend(scenario)
                ? new TableCell(
                        end(scenario, "throughput_msgs_per_s_min", "throughput_msgs_per_s_max")
                                + " to "
                                + end(
                                        scenario,
                                        "throughput_msgs_per_s_max",
                                        "throughput_msgs_per_s_min"),
                        true,
                        rate.derivation(),
                        rate.mismatch())
                : rate;
    }

    private static String end(JsonNode scenario, String field, String other) {
        return Digits.ofRange(
                scenario.path(field).asDouble(), scenario.path(other).asDouble(), new double[0], 0);
    }

    private static boolean hasTrend(JsonNode scenario) {
        return scenario.path("throughput_trend_percent").isNumber();
    }

    private static double trend(JsonNode scenario) {
        return scenario.path("throughput_trend_percent").asDouble();
    }

    private static boolean isSteady(JsonNode scenario) {
        int repeats = scenario.path("repeats").size();
        return repeats > 0 && count(scenario, true) == repeats;
    }

    private static int count(JsonNode scenario, boolean steady) {
        int count = 0;
        for (JsonNode repeat : scenario.path("repeats")) {
            JsonNode stated = repeat.path("steady");
            count += stated.isBoolean() && stated.asBoolean() == steady ? 1 : 0;
        }
        return count;
    }
}
