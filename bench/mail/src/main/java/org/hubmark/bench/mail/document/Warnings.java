package org.hubmark.bench.mail.document;

import org.hubmark.bench.machine.watch.TargetWatch;

import java.util.ArrayList;
import java.util.List;

/** Warnings: reasons why the figures of valid results are less certain than they look. */
public final class Warnings {
    private Warnings() {}

    /** {@return those that are of no scenario alone} */
    public static List<String> ofAll(Results results) {
        List<String> warnings = new ArrayList<>();
        TargetWatch watch = results.targetWatch();
        if (watch != null && watch.lost() != null) {
            warnings.add("The counters of the server's machine ended early: " + watch.lost());
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
    public static List<Reason> of(Scenario scenario) {
        List<Reason> warnings = new ArrayList<>();
        int repeats = scenario.repeats().size();
        List<Scenario.Repeat> unsteady = scenario.repeats().stream()
                .filter(repeat -> Boolean.FALSE.equals(repeat.warmUp().steady()))
                .toList();
        if (!unsteady.isEmpty()) {
            warnings.add(new Reason(
                    Case.NOT_STEADY,
                    "not steady before the measured time in " + unsteady.size() + " of " + repeats
                            + " repeats: " + unsteady.getFirst().warmUp().reason()));
        }
        List<String> shared = scenario.repeats().stream()
                .flatMap(repeat -> repeat.disturbances().stream().limit(1))
                .toList();
        if (!shared.isEmpty()) {
            warnings.add(new Reason(
                    Case.SHARED,
                    "disturbed in " + shared.size() + " of " + repeats + " repeats, so that the"
                            + " figures are not the server's alone: " + shared.getFirst()));
        }
        Double trend = scenario.spread().throughputTrendPercent();
        if (trend != null) {
            warnings.add(new Reason(
                    Case.TREND,
                    "the rate " + (trend > 0 ? "rises" : "falls") + " from repeat to repeat, by "
                            + Math.round(Math.abs(trend))
                            + " % in all: the repeats are not a sample"
                            + " of one rate, and their median and interval are less certain than"
                            + " they look"));
        }
        Double percent = scenario.logDevicePercent();
        if (percent != null && Limiting.isMismeasured(percent)) {
            warnings.add(new Reason(
                    Case.CEILING,
                    "the ceiling of the log device was measured lower than the run itself ("
                            + Math.round(percent) + " % of it): something else held it down, and"
                            + " how near the run came to it isn't known"));
        }
        LatencyAt beside = scenario.latencyAt();
        if (beside != null && !beside.validity().valid()) {
            warnings.add(new Reason(
                    Case.LATENCY,
                    "there is no latency at a lower rate, since that was not valid: "
                            + String.join("; ", beside.validity().reasons())));
        }
        return warnings;
    }
}
