package org.hubmark.bench.mail.publish;

import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.RawFile;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.mail.document.AcceptLatency;
import org.hubmark.bench.mail.document.Audit;
import org.hubmark.bench.mail.document.CheckpointCycles;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.LatencyAt;
import org.hubmark.bench.mail.document.Publication;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.Scenario.Repeat;
import org.hubmark.core.Durations;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The rules of docs/run-rules.md, which a test holds next to that page. Each is judged by what
 * results.json says, so that a result can be judged again by anybody who has it.
 */
@SuppressWarnings("ImmutableEnumChecker") // Neither a title nor a function has anything to change.
enum RunRule {
    UNDISTURBED("No steal, no foreign load, no second run", RunRule::undisturbed),
    REPEATS("Five repeats or more, each with a hub of its own, in random blocks", RunRule::repeats),
    DURATION("60 s or more each", RunRule::duration),
    CHECKPOINTS("Whole checkpoint cycles", RunRule::checkpoints),
    STEADY("Steady before the measured time", RunRule::steady),
    TREND("No trend over the repeats", RunRule::trend),
    RATE("A rate that is sustained, with a latency limit", RunRule::rate),
    LATENCY("Latency at a fixed rate", RunRule::latency),
    AUDIT("Every message audited", RunRule::audit),
    SAFE("Safe", RunRule::safe),
    INTERVAL("Interval shown", RunRule::interval),
    DISCLOSED("The machine disclosed", RunRule::disclosed),
    RAW_FILES("Raw files kept, with their SHA-256", RunRule::rawFiles),
    SELF_CHECK("Figures follow from the raw files", RunRule::selfCheck),
    CLEAN_BUILD("A clean build of a named commit", RunRule::cleanBuild),
    VALID("Every repeat valid", RunRule::valid);

    static final int REPEATS_MIN = 5;
    static final double SECONDS_MIN = 60;

    private static final String SYNCED = "synced";
    private static final String CLOSED_LOOP = "max";

    private final String title;
    private final BiFunction<Results, DocumentFile.Check, Found> judge;

    RunRule(String title, BiFunction<Results, DocumentFile.Check, Found> judge) {
        this.title = title;
        this.judge = judge;
    }

    RunRule(String title, Function<Results, Found> judge) {
        this(title, (results, check) -> judge.apply(results));
    }

    /** {@return its name on the page} */
    String title() {
        return title;
    }

    Publication.Rule judge(Results results, DocumentFile.Check check) {
        Found found = judge.apply(results, check);
        return new Publication.Rule(title, found.kept(), found.words());
    }

    private static Found undisturbed(Results results) {
        if (Boolean.TRUE.equals(results.provenance().settings().get("shared-machine"))) {
            return Found.broken("the machine was shared: --shared-machine");
        }
        return Found.ofEach(
                results, scenario -> Found.ofEachRepeat(scenario, RunRule::undisturbed));
    }

    /** Another run, which nobody sees in figures, makes a repeat not valid. */
    private static Found undisturbed(Repeat repeat) {
        Double steal = repeat.get(Figure.STEAL_PERCENT);
        Double foreign = repeat.get(Figure.FOREIGN_CPU_PERCENT);
        if (steal == null || foreign == null) {
            return Found.unknown("steal or the CPU time of other processes is not known");
        }
        return Found.of(
                repeat.machineUse().isUndisturbed(),
                String.format(
                        Locale.ROOT,
                        "steal %.2f %%, other processes %.2f %% of the CPU time",
                        steal,
                        foreign));
    }

    private static Found repeats(Results results) {
        return Found.ofEach(
                results,
                scenario -> Found.of(
                        scenario.repeats().size() >= REPEATS_MIN,
                        scenario.repeats().size() + " repeats"));
    }

    private static Found duration(Results results) {
        return Found.ofEach(
                results,
                scenario -> Found.ofEachRepeat(scenario, repeat -> {
                    Double seconds = repeat.get(Figure.MEASURED_S);
                    return seconds == null
                            ? Found.unknown("not known")
                            : Found.of(
                                    seconds >= SECONDS_MIN,
                                    String.format(Locale.ROOT, "%.1f s", seconds));
                }));
    }

    private static Found checkpoints(Results results) {
        return Found.ofEach(
                results,
                scenario -> Found.ofEachRepeat(scenario, repeat -> {
                    CheckpointCycles cycles = repeat.checkpointCycles();
                    return cycles == null
                            ? Found.unknown("not checked")
                            : Found.of(cycles.whole(), cycles.found());
                }));
    }

    private static Found steady(Results results) {
        return Found.ofEach(
                results,
                scenario -> Found.ofEachRepeat(scenario, repeat -> {
                    String reason = repeat.warmUp().reason();
                    return new Found(repeat.warmUp().steady(), reason == null ? "steady" : reason);
                }));
    }

    private static Found trend(Results results) {
        return Found.ofEach(results, scenario -> {
            Double trend = scenario.spread().throughputTrendPercent();
            return trend == null
                    ? Found.kept("none")
                    : Found.broken(String.format(
                            Locale.ROOT, "the rate changes by %+.0f %% in all", trend));
        });
    }

    private static Found rate(Results results) {
        Object limit = results.provenance().settings().get("latency-limit");
        if (limit == null) {
            return Found.broken("no --latency-limit");
        }
        double limitMillis = Durations.parse(String.valueOf(limit)).toNanos() / 1e6;
        return Found.ofEach(results, scenario -> {
            if (CLOSED_LOOP.equals(scenario.conditions().get(Condition.ASKED_RATE))) {
                return Found.broken("a closed loop has no limit of latency");
            }
            return Found.ofEachRepeat(scenario, repeat -> rate(scenario, repeat, limitMillis));
        });
    }

    private static Found rate(Scenario scenario, Repeat repeat, double limitMillis) {
        Double rate = repeat.get(Figure.THROUGHPUT_MSGS_PER_S);
        Double p99 = repeat.get(Figure.ACCEPT_P99);
        if (p99 == null || rate == null) {
            return Found.broken("too little was accepted for a p99");
        }
        boolean kept = scenario.conditions().rateSearched()
                || "rate".equals(repeat.limiting().limitingResource());
        String found = String.format(
                Locale.ROOT, "%.1f msg/s, p99 %.1f ms (at most %.0f ms)", rate, p99, limitMillis);
        return Found.of(
                kept && repeat.validity().valid() && p99 <= limitMillis,
                found + (kept ? "" : ": less than the rate that was asked for"));
    }

    private static Found latency(Results results) {
        return Found.ofEach(results, scenario -> {
            LatencyAt beside = scenario.latencyAt();
            if (beside == null) {
                boolean fixed = !scenario.conditions().rateSearched()
                        && !CLOSED_LOOP.equals(scenario.conditions().get(Condition.ASKED_RATE));
                return !fixed
                        ? Found.broken("not measured")
                        : Found.kept("the rate itself was fixed");
            }
            AcceptLatency latency = beside.acceptLatencyMs();
            Double p99 = latency == null ? null : latency.p99();
            return beside.validity().valid() && p99 != null
                    ? Found.kept(String.format(
                            Locale.ROOT,
                            "p99 %.2f ms at %.0f %%, %.1f msg/s",
                            p99,
                            beside.percent(),
                            beside.rateMsgsPerS()))
                    : Found.broken(String.join("; ", beside.validity().reasons()));
        });
    }

    private static Found audit(Results results) {
        return Found.ofEach(results, scenario -> {
            LatencyAt beside = scenario.latencyAt();
            List<Found> all = new ArrayList<>();
            scenario.repeats().forEach(repeat -> all.add(audited(repeat.audit())));
            if (beside != null) {
                all.add(audited(beside.audit()));
            }
            return Found.ofAll(all);
        });
    }

    private static Found audited(@Nullable Audit audit) {
        if (audit == null) {
            return Found.broken("messages were not compared");
        }
        if (audit.repeatedMsgs() == null) {
            return Found.unknown("it was not checked whether messages were delivered twice");
        }
        return Found.of(
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
        return Found.ofEach(results, scenario -> {
            Object durability = scenario.conditions().get(Condition.DURABILITY);
            if (compares && !SYNCED.equals(durability)) {
                return Found.kept("durability " + durability
                        + ": unsafe, shown for comparison, not to be published by itself");
            }
            Boolean unsafe = scenario.conditions().safety().unsafe();
            if (unsafe == null) {
                return Found.unknown("unknown");
            }
            String reason = scenario.conditions().safety().unsafeReason();
            return Found.of(!unsafe, reason == null ? "nothing is known against it" : reason);
        });
    }

    private static Found interval(Results results) {
        return Found.ofEach(results, scenario -> {
            if (scenario.rateAsked()) {
                return Found.kept("the rate was asked for, which has none");
            }
            Interval interval = scenario.spread().throughputCi95MsgsPerS();
            return interval == null
                    ? Found.broken("there is none")
                    : Found.kept(String.format(
                            Locale.ROOT, "%.1f to %.1f msg/s", interval.low(), interval.high()));
        });
    }

    private static Found disclosed(Results results) {
        return results.provenance().environment().disclosure() == null
                ? Found.broken("the machine was not watched")
                : Found.kept("environment.disclosure");
    }

    private static Found rawFiles(Results results) {
        List<String> files = results.rawFiles().stream().map(RawFile::file).toList();
        List<String> missing = Stream.of("series.csv", "times.hlog")
                .filter(file -> !files.contains(file))
                .toList();
        return missing.isEmpty()
                ? Found.kept(files.size() + " files")
                : Found.broken("missing: " + String.join(", ", missing));
    }

    private static Found selfCheck(Results results, DocumentFile.Check check) {
        return check.changed().isEmpty()
                ? Found.of(check.mismatches().isEmpty(), check.words())
                : Found.broken("changed: " + String.join(", ", check.changed()));
    }

    private static Found cleanBuild(Results results) {
        String commit = results.provenance().tool().commit();
        if (commit == null) {
            return Found.unknown("the commit is not known");
        }
        return Found.of(!commit.endsWith("-dirty"), commit);
    }

    private static Found valid(Results results) {
        return Found.ofEach(results, scenario -> {
            LatencyAt beside = scenario.latencyAt();
            List<String> reasons = new ArrayList<>(scenario.validity().reasons());
            if (beside != null) {
                beside.validity().reasons().forEach(reason -> reasons.add("latency: " + reason));
            }
            return Found.of(
                    scenario.validity().valid() && reasons.isEmpty(),
                    reasons.isEmpty() ? "valid" : String.join("; ", reasons));
        });
    }
}
