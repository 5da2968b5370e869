package org.hubmark.bench.mail.document;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.watch.TargetWatch;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Warnings: reasons why the figures of valid results are less certain than they look. */
public final class Warnings {
    /** Begins a note of what makes nothing invalid with --shared-machine. */
    private static final String SHARED = "the machine is shared: ";

    private Warnings() {}

    /** What a warning is about. */
    public enum Cause {
        NOT_STEADY,
        DISTURBED,
        TREND,
        OTHERS,
        CEILING,
        LATENCY
    }

    /**
     * One of a scenario.
     *
     * @param words a sentence, with the figures
     */
    public record Warning(Cause cause, String words) {}

    /** {@return all of them, each scenario called by its id} */
    static List<String> of(Results results) {
        List<String> warnings = new ArrayList<>(ofAll(results));
        for (Scenario scenario : results.scenarios()) {
            of(scenario).forEach(warning -> warnings.add(scenario.id() + ": " + warning.words()));
        }
        return warnings;
    }

    /** {@return those that are of no scenario alone} */
    public static List<String> ofAll(Results results) {
        List<String> warnings = new ArrayList<>();
        TargetWatch watch = results.targetWatch();
        if (watch != null && watch.lost() != null) {
            warnings.add(
                    "From some time on nothing is known of the server's machine: " + watch.lost());
        }
        long sittings = results.scenarios().stream()
                .flatMap(scenario -> scenario.repeats().stream())
                .mapToInt(repeat -> Repeat.sitting(repeat.counters()))
                .distinct()
                .count();
        if (sittings > 1) {
            warnings.add(
                    "repeats of " + sittings + " sittings: the run was interrupted and went on,"
                            + " so that the machine may have differed between them");
        }
        if (isRough(results)) {
            warnings.add("measured with --quick: few and short repeats after a short warm-up, so"
                    + " that all figures are rough");
        }
        return warnings;
    }

    /** {@return whether it was a quick run, of which no figure is to be relied on} */
    public static boolean isRough(Results results) {
        return Boolean.TRUE.equals(results.provenance().settings().get("quick"));
    }

    /** {@return those of a scenario} */
    public static List<Warning> of(Scenario scenario) {
        List<Warning> warnings = new ArrayList<>();
        unsteady(scenario).forEach(words -> warnings.add(new Warning(Cause.NOT_STEADY, words)));
        List<String> shared = shared(scenario);
        if (!shared.isEmpty()) {
            warnings.add(new Warning(
                    Cause.DISTURBED,
                    "disturbed in " + shared.size() + " of "
                            + scenario.repeats().size()
                            + " repeats, so that the figures are not the server's alone: "
                            + shared.getFirst()));
        }
        Double trend = scenario.spread().throughputTrendPercent();
        if (trend != null) {
            warnings.add(new Warning(
                    Cause.TREND,
                    String.format(
                            Locale.ROOT,
                            "the rate %s from repeat to repeat, by %.0f %% in all: the repeats are not a"
                                    + " sample of one rate, and their median and interval are less certain"
                                    + " than they look",
                            trend > 0 ? "rises" : "falls",
                            Math.abs(trend))));
        }
        long others = scenario.repeats().stream()
                .filter(repeat -> Measured.isOthers(repeat.counted()))
                .count();
        if (others > 0) {
            warnings.add(new Warning(
                    Cause.OTHERS,
                    "other processes took as much CPU as the server or more in " + others + " of "
                            + scenario.repeats().size()
                            + " repeats, which therefore have no cost of"
                            + " a message on the whole machine"));
        }
        Ceilings ceilings = scenario.capacity().ceilings();
        if (ceilings != null) {
            mismeasured(ceilings.logDevicePercent(), warnings);
        }
        LatencyAt beside = scenario.latencyAt();
        if (beside != null && !beside.validity().valid()) {
            warnings.add(new Warning(
                    Cause.LATENCY,
                    "there is no latency at a lower rate, since that was not valid: "
                            + String.join("; ", beside.validity().reasons())));
        }
        return warnings;
    }

    /** {@return of each repeat that it disturbed, what else the machine did} */
    public static List<String> shared(Scenario scenario) {
        return scenario.repeats().stream()
                .flatMap(repeat -> repeat.notes().stream()
                        .filter(note -> note.startsWith(SHARED))
                        .limit(1))
                .map(note -> note.substring(SHARED.length()))
                .toList();
    }

    private static void mismeasured(@Nullable Double percent, List<Warning> warnings) {
        if (percent != null && Ceilings.isMismeasured(percent)) {
            warnings.add(new Warning(
                    Cause.CEILING,
                    String.format(
                            Locale.ROOT,
                            "the ceiling of the log device was measured lower than the run itself (%.0f %% of it):"
                                    + " something else held it down, and how near the run came to it"
                                    + " isn't known",
                            percent)));
        }
    }

    /** One sentence for the repeats that were not steady, one for those of which that isn't known. */
    private static List<String> unsteady(Scenario scenario) {
        Map<String, List<String>> repeats = new LinkedHashMap<>();
        Map<String, String> reasons = new LinkedHashMap<>();
        for (Scenario.Repeat repeat : scenario.repeats()) {
            if (!Boolean.TRUE.equals(repeat.warmUp().steady())) {
                String what = repeat.warmUp().steady() == null
                        ? "not known to be steady before the measured time"
                        : "not steady before the measured time";
                repeats.computeIfAbsent(what, key -> new ArrayList<>())
                        .add(String.valueOf(repeat.repeat()));
                String reason = repeat.warmUp().reason();
                reasons.putIfAbsent(what, reason == null ? "there was no warm-up" : reason);
            }
        }
        List<String> sentences = new ArrayList<>();
        repeats.forEach((what, numbers) -> sentences.add(what + " in repeat "
                + String.join(", ", numbers) + ": " + reasons.get(what)
                + (numbers.size() > 1 ? " (repeat " + numbers.getFirst() + ")" : "")));
        return sentences;
    }
}
