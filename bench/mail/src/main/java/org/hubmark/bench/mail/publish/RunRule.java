package org.hubmark.bench.mail.publish;

import org.hubmark.bench.load.Audit;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.LatencyAt;
import org.hubmark.bench.mail.document.Publication;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Safety;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.Scenario.Repeat;
import org.hubmark.core.Durations;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The rules of docs/run-rules.md, which a test holds next to that page. Each is judged by what
 * results.json says, so that a result can be judged again by anybody who has it.
 */
@SuppressWarnings("ImmutableEnumChecker") // Neither a title nor a function has anything to change.
public enum RunRule {
    UNDISTURBED("No steal, no foreign load, no second run", RunRule::undisturbed),
    REPEATS(
            "Five repeats or more, each with a hub of its own, in random blocks",
            each(RunRule::repeats)),
    DURATION("60 s or more each", eachRepeat(RunRule::duration)),
    STEADY("Steady before the measured time", eachRepeat(RunRule::steady)),
    TREND("No trend over the repeats", each(RunRule::trend)),
    RATE("A rate that is sustained, with a latency limit", RunRule::rate),
    LATENCY("Latency at a fixed rate", each(RunRule::latency)),
    AUDIT("Every message audited", each(RunRule::audit)),
    SAFE("Safe", each(scenario -> safe(scenario.conditions().safety()))),
    CLEAN_BUILD("A clean build of a named commit", RunRule::cleanBuild),
    VALID("Every repeat valid", each(RunRule::valid));

    private static final int REPEATS_MIN = 5;
    private static final double SECONDS_MIN = 60;

    private final String title;
    private final Function<Results, Finding> judge;

    RunRule(String title, Function<Results, Finding> judge) {
        this.title = title;
        this.judge = judge;
    }

    /**
     * What a rule finds.
     *
     * @param kept null where nobody can tell
     */
    private record Finding(@Nullable Boolean kept, String words) {
        /** {@return what is found of all together: what breaks a rule, else what nobody can tell} */
        static Finding of(Stream<Finding> parts) {
            List<Finding> all = parts.toList();
            for (Boolean kept : Arrays.asList(false, null, true)) {
                List<String> words = all.stream()
                        .filter(one -> Objects.equals(one.kept, kept))
                        .map(Finding::words)
                        .distinct()
                        .toList();
                if (!words.isEmpty()) {
                    return new Finding(kept, String.join("; ", words));
                }
            }
            return new Finding(null, "nothing was measured");
        }

        @SuppressWarnings(
                "AnnotateFormatMethod") // The annotation would be a dependency of its own.
        static Finding of(@Nullable Boolean kept, String format, Object... values) {
            return new Finding(kept, String.format(Locale.ROOT, format, values));
        }

        Finding in(String part) {
            return new Finding(kept, part + ": " + words);
        }
    }

    /** {@return whether results that are to be published keep each rule} */
    public static Publication judge(Results results) {
        return Publication.of(Arrays.stream(values())
                .map(rule -> {
                    Finding found = rule.judge.apply(results);
                    return new Publication.Rule(rule.title, found.kept, found.words);
                })
                .toList());
    }

    /** {@return its name on the page} */
    String title() {
        return title;
    }

    private static Function<Results, Finding> each(Function<Scenario, Finding> rule) {
        return results -> Finding.of(results.scenarios().stream()
                .map(scenario -> rule.apply(scenario).in(scenario.id())));
    }

    private static Function<Results, Finding> eachRepeat(Function<Repeat, Finding> rule) {
        return each(scenario -> ofRepeats(scenario, rule));
    }

    private static Finding ofRepeats(Scenario scenario, Function<Repeat, Finding> rule) {
        return Finding.of(scenario.repeats().stream()
                .map(repeat -> rule.apply(repeat).in("repeat " + repeat.repeat())));
    }

    /** Another run, which nobody sees in figures, makes a repeat not valid. */
    private static Finding undisturbed(Results results) {
        return Boolean.TRUE.equals(results.provenance().settings().get("shared-machine"))
                ? new Finding(false, "the machine was shared: --shared-machine")
                : eachRepeat(RunRule::undisturbed).apply(results);
    }

    private static Finding undisturbed(Repeat repeat) {
        Double steal = repeat.get(Figure.STEAL_PERCENT);
        Double foreign = repeat.get(Figure.FOREIGN_CPU_PERCENT);
        if (steal == null || foreign == null) {
            return new Finding(null, "steal or the CPU time of other processes is not known");
        }
        return Finding.of(
                repeat.machineUse().isUndisturbed(),
                "steal %.2f %%, other processes %.2f %% of the CPU time",
                steal,
                foreign);
    }

    private static Finding repeats(Scenario scenario) {
        int repeats = scenario.repeats().size();
        return new Finding(repeats >= REPEATS_MIN, repeats + " repeats");
    }

    private static Finding duration(Repeat repeat) {
        Double seconds = repeat.get(Figure.MEASURED_S);
        return seconds == null
                ? new Finding(null, "not known")
                : Finding.of(seconds >= SECONDS_MIN, "%.1f s", seconds);
    }

    private static Finding steady(Repeat repeat) {
        String reason = repeat.warmUp().reason();
        return new Finding(repeat.warmUp().steady(), reason == null ? "steady" : reason);
    }

    private static Finding trend(Scenario scenario) {
        Double percent = scenario.spread().throughputTrendPercent();
        return percent == null
                ? new Finding(true, "none")
                : Finding.of(false, "the rate changes by %+.0f %% in all", percent);
    }

    private static Finding rate(Results results) {
        Object limit = results.provenance().settings().get("latency-limit");
        if (limit == null) {
            return new Finding(false, "no --latency-limit");
        }
        double limitMillis = Durations.parse(limit.toString()).toNanos() / 1e6;
        return each(scenario -> scenario.isClosedLoop()
                        ? new Finding(false, "a closed loop has no limit of latency")
                        : ofRepeats(scenario, repeat -> rate(scenario, repeat, limitMillis)))
                .apply(results);
    }

    private static Finding rate(Scenario scenario, Repeat repeat, double limitMillis) {
        Double rate = repeat.get(Figure.THROUGHPUT_MSGS_PER_S);
        Double p99 = repeat.get(Figure.ACCEPT_P99);
        if (p99 == null || rate == null) {
            return new Finding(false, "too little was accepted for a p99");
        }
        boolean kept = scenario.conditions().rateSearched() || repeat.limiting().rateAsked();
        return Finding.of(
                kept && repeat.validity().valid() && p99 <= limitMillis,
                "%.1f msg/s, p99 %.1f ms (at most %.0f ms)%s",
                rate,
                p99,
                limitMillis,
                kept ? "" : ": less than the rate that was asked for");
    }

    private static Finding latency(Scenario scenario) {
        LatencyAt beside = scenario.latencyAt();
        if (beside == null) {
            boolean fixed = !scenario.conditions().rateSearched() && !scenario.isClosedLoop();
            return new Finding(fixed, fixed ? "the rate itself was fixed" : "not measured");
        }
        Double p99 = beside.get(Figure.ACCEPT_P99);
        return beside.validity().valid() && p99 != null
                ? Finding.of(
                        true,
                        "p99 %.2f ms at %.0f %%, %.1f msg/s",
                        p99,
                        beside.percent(),
                        beside.rateMsgsPerS())
                : new Finding(false, String.join("; ", beside.validity().reasons()));
    }

    private static Finding audit(Scenario scenario) {
        LatencyAt beside = scenario.latencyAt();
        Stream<Finding> repeats =
                scenario.repeats().stream().map(repeat -> audited(repeat.audit()));
        return Finding.of(
                beside == null
                        ? repeats
                        : Stream.concat(repeats, Stream.of(audited(beside.audit()))));
    }

    private static Finding audited(@Nullable Audit audit) {
        if (audit == null) {
            return new Finding(false, "messages were not compared");
        }
        return new Finding(
                audit.share().equals("all") && audit.faults() == 0 && audit.checkedMsgs() > 0,
                audit.share() + ", " + audit.checkedMsgs() + " messages, " + audit.faults()
                        + " faults");
    }

    private static Finding safe(Safety safety) {
        Boolean unsafe = safety.unsafe();
        String reason = safety.unsafeReason();
        return unsafe == null
                ? new Finding(null, "unknown")
                : new Finding(!unsafe, reason == null ? "no risk is known" : reason);
    }

    private static Finding cleanBuild(Results results) {
        String commit = results.provenance().tool().commit();
        return commit == null
                ? new Finding(null, "the commit is not known")
                : new Finding(!commit.endsWith("-dirty"), commit);
    }

    private static Finding valid(Scenario scenario) {
        LatencyAt beside = scenario.latencyAt();
        List<String> reasons = new ArrayList<>(scenario.validity().reasons());
        if (beside != null) {
            beside.validity().reasons().forEach(reason -> reasons.add("latency: " + reason));
        }
        return new Finding(
                scenario.validity().valid() && reasons.isEmpty(),
                reasons.isEmpty() ? "valid" : String.join("; ", reasons));
    }
}
