package org.hubmark.bench.results.report;

import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.results.Ceilings;
import org.hubmark.bench.results.LatencyAt;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What makes the figures of a valid scenario less certain than they look; said where they stand. */
final class Warnings {
    /** Begins a note of what makes nothing invalid with --shared-machine. */
    private static final String SHARED = "the machine is shared: ";

    private Warnings() {}

    /** {@return a word or two for the head of a column, each in capitals} */
    static List<String> marks(Scenario scenario) {
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
        if (!shared(scenario).isEmpty()) {
            marks.add("DISTURBED");
        }
        return marks;
    }

    /** {@return whether it was a quick run, of which no figure is to be relied on} */
    static boolean isRough(Results results) {
        return Boolean.TRUE.equals(results.settings().get("quick"));
    }

    /** {@return the same in sentences} */
    static List<String> sentences(Scenario scenario) {
        List<String> sentences = new ArrayList<>(unsteady(scenario));
        List<String> shared = shared(scenario);
        if (!shared.isEmpty()) {
            sentences.add("disturbed in " + shared.size() + " of "
                    + scenario.repeats().size() + " repeats, so that the figures are not the"
                    + " server's alone: " + shared.getFirst());
        }
        Double trend = scenario.spread().throughputTrendPercent();
        if (trend != null) {
            sentences.add(String.format(
                    Locale.ROOT,
                    "the rate %s from repeat to repeat, by %.0f %% in all: the repeats are no sample"
                            + " of one rate, and their median and interval say less than they seem to",
                    trend > 0 ? "rises" : "falls",
                    Math.abs(trend)));
        }
        Ceilings ceilings = scenario.ceilings();
        if (ceilings != null) {
            mismeasured("the receive path", ceilings.receivePercent(), sentences);
            mismeasured("the log device", ceilings.logDevicePercent(), sentences);
            mismeasured("loopback", ceilings.loopbackPercent(), sentences);
        }
        LatencyAt beside = scenario.latencyAt();
        if (beside != null && !beside.valid()) {
            sentences.add("there is no latency at a lower rate, since that was not valid: "
                    + String.join("; ", beside.invalidReasons()));
        }
        return sentences;
    }

    /** {@return of each repeat that it disturbed, what else the machine did} */
    private static List<String> shared(Scenario scenario) {
        return scenario.repeats().stream()
                .flatMap(repeat -> repeat.notes().stream()
                        .filter(note -> note.startsWith(SHARED))
                        .limit(1))
                .map(note -> note.substring(SHARED.length()))
                .toList();
    }

    private static void mismeasured(String name, @Nullable Double percent, List<String> sentences) {
        if (percent != null && Ceilings.isMismeasured(percent)) {
            sentences.add(String.format(
                    Locale.ROOT,
                    "the ceiling of %s was measured lower than the run itself (%.0f %% of it):"
                            + " something else held it down, and how near the run came to it"
                            + " isn't known",
                    name,
                    percent));
        }
    }

    /** One sentence for the repeats that were not steady, one for those of which that isn't known. */
    private static List<String> unsteady(Scenario scenario) {
        Map<String, List<String>> repeats = new LinkedHashMap<>();
        Map<String, String> reasons = new LinkedHashMap<>();
        for (Scenario.Repeat repeat : scenario.repeats()) {
            if (!Boolean.TRUE.equals(repeat.steady())) {
                String what = repeat.steady() == null
                        ? "not known to be steady before the measured time"
                        : "not steady before the measured time";
                repeats.computeIfAbsent(what, key -> new ArrayList<>())
                        .add(String.valueOf(repeat.repeat()));
                String reason = repeat.steadyReason();
                reasons.putIfAbsent(what, reason == null ? "there was no warm-up" : reason);
            }
        }
        List<String> sentences = new ArrayList<>();
        repeats.forEach((what, numbers) -> sentences.add(what + " in repeat "
                + String.join(", ", numbers) + ": " + reasons.get(what)
                + (numbers.size() > 1 ? " (repeat " + numbers.getFirst() + ")" : "")));
        return sentences;
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
