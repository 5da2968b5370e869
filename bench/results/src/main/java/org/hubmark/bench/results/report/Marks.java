package org.hubmark.bench.results.report;

import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.Warnings;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** What makes the figures of a valid scenario less certain than they look, in a word or two. */
final class Marks {
    private Marks() {}

    /** {@return what stands in the head of a column, in capitals} */
    static List<String> of(Scenario scenario) {
        List<String> marks = new ArrayList<>();
        if (count(scenario, false) > 0) {
            marks.add("NOT STEADY");
        } else if (!isSteady(scenario) && !scenario.repeats().isEmpty()) {
            marks.add("STEADY?");
        }
        Double trend = scenario.spread().throughputTrendPercent();
        if (trend != null) {
            marks.add(trend > 0 ? "RATE RISES" : "RATE FALLS");
        }
        if (!Warnings.shared(scenario).isEmpty()) {
            marks.add("DISTURBED");
        }
        return marks;
    }

    /** {@return whether the load was steady before the measured time; null where that isn't known} */
    static @Nullable String steady(Scenario scenario) {
        int unsteady = count(scenario, false);
        if (unsteady > 0) {
            return "no, " + unsteady + " of " + scenario.repeats().size();
        }
        return isSteady(scenario) ? "yes" : null;
    }

    /** {@return the rate to be read first: of repeats with a trend no single figure stands for all} */
    static TableCell headline(Scenario scenario, TableCell rate) {
        Double low = scenario.spread().throughputMsgsPerSMin();
        Double high = scenario.spread().throughputMsgsPerSMax();
        return scenario.spread().throughputTrendPercent() == null || low == null || high == null
                ? rate
                : new TableCell(
                        Digits.ofRange(low, high, new double[0], 0) + " to "
                                + Digits.ofRange(high, low, new double[0], 0),
                        true,
                        rate.derivation(),
                        rate.mismatch());
    }

    private static boolean isSteady(Scenario scenario) {
        int repeats = scenario.repeats().size();
        return repeats > 0 && count(scenario, true) == repeats;
    }

    private static int count(Scenario scenario, boolean steady) {
        return (int) scenario.repeats().stream()
                .filter(repeat -> repeat.steady() != null && repeat.steady() == steady)
                .count();
    }
}
