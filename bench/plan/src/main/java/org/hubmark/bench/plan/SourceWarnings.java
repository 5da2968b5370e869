package org.hubmark.bench.plan;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.hubmark.bench.kit.document.Amount;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What results say of their own worth, which goes with what is made of them.
 *
 * @param valid null where that is said by the verdict, or of each scenario
 * @param scenarios of run; null in the results of others
 */
record SourceWarnings(
        @Nullable String verdict,
        @Nullable Boolean valid,
        List<String> reasons,
        List<String> invalidReasons,
        List<String> warnings,
        List<Scenario> scenarios) {
    /** Rates of repeats that differ by more are told of. */
    private static final double SPREAD_MAX = 0.1;

    private record Scenario(
            String id,
            @Nullable Boolean valid,
            List<String> invalidReasons,

            @JsonProperty("throughput_msgs_per_s_min") @Nullable
            Double throughputMin,

            @JsonProperty("throughput_msgs_per_s_max") @Nullable
            Double throughputMax,

            List<Repeat> repeats) {}

    private record Repeat(List<String> notes) {}

    /** {@return whether it is said that nothing may be said by them} */
    boolean isNotValid() {
        return Boolean.FALSE.equals(valid) || Objects.equals(verdict, "not valid");
    }

    /** Takes down what is said of the whole. */
    void warn(Path file, Collected into) {
        if (isNotValid()) {
            into.warn(file + " is not valid" + because(reasons, invalidReasons));
        } else if (verdict == null && !reasons.isEmpty()) {
            into.warn(file + " was not judged" + because(reasons, List.of()));
        }
        warnings.forEach(warning -> into.warn(file + ": " + warning));
    }

    /** Takes down what is said of a scenario, and of no other. */
    void warn(Path file, String id, Collected into) {
        warnings.stream()
                .filter(warning -> scenarios.stream()
                        .noneMatch(one -> !one.id.equals(id) && warning.startsWith(one.id + ": ")))
                .forEach(warning -> into.warn(file + ": " + warning));
        for (Scenario scenario : scenarios) {
            if (scenario.id.equals(id)) {
                warn(file + ", " + id, scenario, into);
            }
        }
    }

    private static void warn(String where, Scenario scenario, Collected into) {
        if (Boolean.FALSE.equals(scenario.valid)) {
            into.warn(where + " is not valid" + because(scenario.invalidReasons, List.of()));
        }
        Set<String> notes = new LinkedHashSet<>();
        for (Repeat repeat : scenario.repeats) {
            notes.addAll(repeat.notes);
        }
        notes.forEach(note -> into.warn(where + ": " + note));
        Double least = scenario.throughputMin;
        Double most = scenario.throughputMax;
        if (least != null && most != null && most > least * (1 + SPREAD_MAX)) {
            into.warn(where + ": repeats differ, " + Amount.of(least, "").text() + " to "
                    + Amount.of(most, "msg/s").text());
        }
    }

    private static String because(List<String> reasons, List<String> further) {
        Set<String> all = new LinkedHashSet<>(reasons);
        all.addAll(further);
        return all.isEmpty() ? "" : ": " + String.join("; ", all);
    }
}
