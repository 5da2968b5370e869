package org.hubmark.bench.mail.publish;

import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.RawFile;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.mail.document.Audit;
import org.hubmark.bench.mail.document.Condition;
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
import java.util.function.BiFunction;
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
    SAFE("Safe", RunRule::safe),
    INTERVAL("Interval shown", each(RunRule::interval)),
    DISCLOSED("The machine disclosed", RunRule::disclosed),
    RAW_FILES("Raw files kept, with their SHA-256", RunRule::rawFiles),
    SELF_CHECK("Figures follow from the raw files", RunRule::selfCheck),
    CLEAN_BUILD("A clean build of a named commit", RunRule::cleanBuild),
    VALID("Every repeat valid", each(RunRule::valid));

    private static final int REPEATS_MIN = 5;
    private static final double SECONDS_MIN = 60;
    private static final String SYNCED = "synced";

    private final String title;
    private final BiFunction<Results, DocumentFile.Check, Found> judge;

    RunRule(String title, BiFunction<Results, DocumentFile.Check, Found> judge) {
        this.title = title;
        this.judge = judge;
    }

    RunRule(String title, Function<Results, Found> judge) {
        this(title, (results, check) -> judge.apply(results));
    }

    /**
     * What a rule finds.
     *
     * @param kept null where nobody can tell
     */
    private record Found(@Nullable Boolean kept, String words) {
        /** {@return what is found of all together: what breaks a rule, else what nobody can tell} */
        static Found of(Stream<Found> parts) {
            List<Found> all = parts.toList();
            for (Boolean kept : Arrays.asList(false, null, true)) {
                List<String> words = all.stream()
                        .filter(one -> Objects.equals(one.kept, kept))
                        .map(Found::words)
                        .distinct()
                        .toList();
                if (!words.isEmpty()) {
                    return new Found(kept, String.join("; ", words));
                }
            }
            return new Found(null, "nothing was measured");
        }

        @SuppressWarnings(
                "AnnotateFormatMethod") // The annotation would be a dependency of its own.
        static Found of(@Nullable Boolean kept, String format, Object... values) {
            return new Found(kept, String.format(Locale.ROOT, format, values));
        }

        Found in(String part) {
            return new Found(kept, part + ": " + words);
        }
    }

    /** {@return whether results that are to be published keep each rule} By their check too. */
    public static Publication judge(Results results, DocumentFile.Check check) {
        return Publication.of(Arrays.stream(values())
                .map(rule -> {
                    Found found = rule.judge.apply(results, check);
                    return new Publication.Rule(rule.title, found.kept, found.words);
                })
                .toList());
    }

    /** {@return its name on the page} */
    String title() {
        return title;
    }

    private static Function<Results, Found> each(Function<Scenario, Found> rule) {
        return results -> Found.of(results.scenarios().stream()
                .map(scenario -> rule.apply(scenario).in(scenario.id())));
    }

    private static Function<Results, Found> eachRepeat(Function<Repeat, Found> rule) {
        return each(scenario -> ofRepeats(scenario, rule));
    }

    private static Found ofRepeats(Scenario scenario, Function<Repeat, Found> rule) {
        return Found.of(scenario.repeats().stream()
                .map(repeat -> rule.apply(repeat).in("repeat " + repeat.repeat())));
    }

    /** Another run, which nobody sees in figures, makes a repeat not valid. */
    private static Found undisturbed(Results results) {
        return Boolean.TRUE.equals(results.provenance().settings().get("shared-machine"))
                ? new Found(false, "the machine was shared: --shared-machine")
                : eachRepeat(RunRule::undisturbed).apply(results);
    }

    private static Found undisturbed(Repeat repeat) {
        Double steal = repeat.get(Figure.STEAL_PERCENT);
        Double foreign = repeat.get(Figure.FOREIGN_CPU_PERCENT);
        if (steal == null || foreign == null) {
            return new Found(null, "steal or the CPU time of other processes is not known");
        }
        return Found.of(
                repeat.machineUse().isUndisturbed(),
                "steal %.2f %%, other processes %.2f %% of the CPU time",
                steal,
                foreign);
    }

    private static Found repeats(Scenario scenario) {
        int repeats = scenario.repeats().size();
        return new Found(repeats >= REPEATS_MIN, repeats + " repeats");
    }

    private static Found duration(Repeat repeat) {
        Double seconds = repeat.get(Figure.MEASURED_S);
        return seconds == null
                ? new Found(null, "not known")
                : Found.of(seconds >= SECONDS_MIN, "%.1f s", seconds);
    }

    private static Found steady(Repeat repeat) {
        String reason = repeat.warmUp().reason();
        return new Found(repeat.warmUp().steady(), reason == null ? "steady" : reason);
    }

    private static Found trend(Scenario scenario) {
        Double percent = scenario.spread().throughputTrendPercent();
        return percent == null
                ? new Found(true, "none")
                : Found.of(false, "the rate changes by %+.0f %% in all", percent);
    }

    private static Found rate(Results results) {
        Object limit = results.provenance().settings().get("latency-limit");
        if (limit == null) {
            return new Found(false, "no --latency-limit");
        }
        double limitMillis = Durations.parse(limit.toString()).toNanos() / 1e6;
        return each(scenario -> scenario.isClosedLoop()
                        ? new Found(false, "a closed loop has no limit of latency")
                        : ofRepeats(scenario, repeat -> rate(scenario, repeat, limitMillis)))
                .apply(results);
    }

    private static Found rate(Scenario scenario, Repeat repeat, double limitMillis) {
        Double rate = repeat.get(Figure.THROUGHPUT_MSGS_PER_S);
        Double p99 = repeat.get(Figure.ACCEPT_P99);
        if (p99 == null || rate == null) {
            return new Found(false, "too little was accepted for a p99");
        }
        boolean kept = scenario.conditions().rateSearched() || repeat.limiting().rateAsked();
        return Found.of(
                kept && repeat.validity().valid() && p99 <= limitMillis,
                "%.1f msg/s, p99 %.1f ms (at most %.0f ms)%s",
                rate,
                p99,
                limitMillis,
                kept ? "" : ": less than the rate that was asked for");
    }

    private static Found latency(Scenario scenario) {
        LatencyAt beside = scenario.latencyAt();
        if (beside == null) {
            boolean fixed = !scenario.conditions().rateSearched() && !scenario.isClosedLoop();
            return new Found(fixed, fixed ? "the rate itself was fixed" : "not measured");
        }
        Double p99 = beside.get(Figure.ACCEPT_P99);
        return beside.validity().valid() && p99 != null
                ? Found.of(
                        true,
                        "p99 %.2f ms at %.0f %%, %.1f msg/s",
                        p99,
                        beside.percent(),
                        beside.rateMsgsPerS())
                : new Found(false, String.join("; ", beside.validity().reasons()));
    }

    private static Found audit(Scenario scenario) {
        LatencyAt beside = scenario.latencyAt();
        Stream<Found> repeats = scenario.repeats().stream().map(repeat -> audited(repeat.audit()));
        return Found.of(
                beside == null
                        ? repeats
                        : Stream.concat(repeats, Stream.of(audited(beside.audit()))));
    }

    private static Found audited(@Nullable Audit audit) {
        if (audit == null) {
            return new Found(false, "messages were not compared");
        }
        return new Found(
                audit.share().equals("all") && audit.faults() == 0 && audit.checkedMsgs() > 0,
                audit.share() + ", " + audit.checkedMsgs() + " messages, " + audit.faults()
                        + " faults");
    }

    /** Cells of a matrix that compares classes are unsafe by their name, and published as that. */
    private static Found safe(Results results) {
        boolean compares = results.scenarios().stream()
                        .map(scenario -> scenario.conditions().get(Condition.DURABILITY))
                        .distinct()
                        .count()
                > 1;
        return each(scenario -> {
                    Object durability = scenario.conditions().get(Condition.DURABILITY);
                    if (compares && !SYNCED.equals(durability)) {
                        return new Found(
                                true,
                                "durability " + durability + ": unsafe, shown for comparison, not"
                                        + " to be published by itself");
                    }
                    return safe(scenario.conditions().safety());
                })
                .apply(results);
    }

    private static Found safe(Safety safety) {
        Boolean unsafe = safety.unsafe();
        String reason = safety.unsafeReason();
        return unsafe == null
                ? new Found(null, "unknown")
                : new Found(!unsafe, reason == null ? "nothing is known against it" : reason);
    }

    private static Found interval(Scenario scenario) {
        Interval interval = scenario.spread().throughputCi95MsgsPerS();
        if (scenario.rateAsked()) {
            return new Found(true, "the rate was asked for, which has none");
        }
        return interval == null
                ? new Found(false, "there is none")
                : Found.of(true, "%.1f to %.1f msg/s", interval.low(), interval.high());
    }

    private static Found disclosed(Results results) {
        return results.provenance().environment().disclosure() == null
                ? new Found(false, "the machine was not watched")
                : new Found(true, "environment.disclosure");
    }

    private static Found rawFiles(Results results) {
        List<String> files = results.rawFiles().stream().map(RawFile::file).toList();
        List<String> missing = new ArrayList<>(List.of("series.csv", "times.hlog"));
        missing.removeAll(files);
        return missing.isEmpty()
                ? new Found(true, files.size() + " files")
                : new Found(false, "missing: " + String.join(", ", missing));
    }

    private static Found selfCheck(Results results, DocumentFile.Check check) {
        return check.changed().isEmpty()
                ? new Found(check.mismatches().isEmpty(), check.words())
                : new Found(false, "changed: " + String.join(", ", check.changed()));
    }

    private static Found cleanBuild(Results results) {
        String commit = results.provenance().tool().commit();
        return commit == null
                ? new Found(null, "the commit is not known")
                : new Found(!commit.endsWith("-dirty"), commit);
    }

    private static Found valid(Scenario scenario) {
        LatencyAt beside = scenario.latencyAt();
        List<String> reasons = new ArrayList<>(scenario.validity().reasons());
        if (beside != null) {
            beside.validity().reasons().forEach(reason -> reasons.add("latency: " + reason));
        }
        return new Found(
                scenario.validity().valid() && reasons.isEmpty(),
                reasons.isEmpty() ? "valid" : String.join("; ", reasons));
    }
}
