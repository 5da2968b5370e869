package org.hubmark.bench.qualify.phase;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.qualify.result.HostFigures;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The rules of Jetstress, by which a phase with transactions passes or fails: for each instance by
 * itself, never for the mean of them. A slow database is not made good by a fast one beside it.
 *
 * @param passes null when it is not judged
 * @param reasons why it fails, or was not judged
 * @param caveats why what passes may be the speed of a cache and not of the storage
 */
public record PhaseVerdict(@Nullable Boolean passes, List<String> reasons, List<String> caveats) {
    /** Database reads and writes a second that are asked for, of all databases together. */
    public static final Name TARGET_IOPS =
            Name.note("target_iops", "Target transactional I/O per second");

    /** What an instance may need at most, milliseconds; in the worst sample where it says so. */
    public static final Name READ_LATENCY_MAX =
            Name.note("thresholds.read_latency_ms", "Database reads at most (msec)");

    public static final Name READ_SAMPLE_MAX = Name.note(
            "thresholds.read_latency_max_ms", "Database reads in the worst sample at most (msec)");
    public static final Name LOG_LATENCY_MAX =
            Name.note("thresholds.log_latency_ms", "Log writes at most (msec)");
    public static final Name LOG_SAMPLE_MAX = Name.note(
            "thresholds.log_latency_max_ms", "Log writes in the worst sample at most (msec)");

    /** The percentiles of an instance that can have a limit, by their names on the command line. */
    public static final Map<String, Column> PERCENTILES = new LinkedHashMap<>();

    /** The limit of each figure of an instance that can have one; those of percentiles are where they are asked for. */
    public static final Map<Column, Name> LIMITS = new LinkedHashMap<>();

    static {
        PERCENTILES.put("read.p95", InstanceFigures.P95_READ_LATENCY);
        PERCENTILES.put("read.p99", InstanceFigures.P99_READ_LATENCY);
        PERCENTILES.put("read.p99.9", InstanceFigures.P99_9_READ_LATENCY);
        PERCENTILES.put("log.p95", InstanceFigures.P95_LOG_LATENCY);
        PERCENTILES.put("log.p99", InstanceFigures.P99_LOG_LATENCY);
        PERCENTILES.put("log.p99.9", InstanceFigures.P99_9_LOG_LATENCY);
        LIMITS.put(InstanceFigures.READ_LATENCY, READ_LATENCY_MAX);
        LIMITS.put(InstanceFigures.MAX_SAMPLE_READ_LATENCY, READ_SAMPLE_MAX);
        LIMITS.put(InstanceFigures.LOG_LATENCY, LOG_LATENCY_MAX);
        LIMITS.put(InstanceFigures.MAX_SAMPLE_LOG_LATENCY, LOG_SAMPLE_MAX);
        PERCENTILES.forEach((of, column) -> LIMITS.put(column, limit(of)));
    }

    /** With 89 % the tool gave two thirds of the reads that fio had of the same disk (decision 0078). */
    private static final double CORES_BUSY_PERCENT = 85;

    private static final double TOOL_SHARE_PERCENT = 50;
    private static final double DEVICE_BUSY_PERCENT = 90;

    /**
     * A case in which a phase does not pass.
     *
     * @param fails whether it fails then; else it is not judged
     * @param reasons none where it is not the case
     */
    record Case(boolean fails, BiFunction<Document, Repeat, List<String>> reasons) {}

    /** The case of any phase, before its own; the first that is the case decides. */
    private static final Case STOPPED = new Case(
            false, (document, phase) -> when(!phase.complete(), phase.name(PhaseFigures.STOPPED)));

    /** The cases of a phase with transactions. */
    static final List<Case> OF_TRANSACTIONS = List.of(
            new Case(false, (document, phase) -> HostFigures.stoodStill(phase)),
            new Case(false, PhaseVerdict::disturbances),
            new Case(false, PhaseVerdict::toolIsLimit),
            new Case(true, (document, phase) -> {
                List<String> reasons = new ArrayList<>(slow(document, phase));
                reasons.addAll(wrong(phase));
                return reasons;
            }),
            new Case(false, PhaseVerdict::unknown));

    /**
     * A figure of a volume that weakens a pass where it is less than something.
     *
     * @param brief what stands behind the verdict
     * @param sentence the same as a caveat
     */
    private record Weakness(Column of, double least, String brief, String sentence) {
        /** Rounded down, so that it does not look like the least. */
        private String words(String format, double value) {
            return String.format(Locale.ROOT, format, Math.floor(10 * value) / 10);
        }
    }

    private static final List<Weakness> WEAKNESSES = List.of(
            new Weakness(
                    VolumeFigures.USED_PERCENT,
                    50,
                    ", volume %.1f %% full",
                    " is %.1f %% full, less than half: a full one is slower"),
            new Weakness(
                    VolumeFigures.TIMES_CACHE,
                    2,
                    ", databases %.1f times a cache below",
                    ": its databases are %.1f times what a cache below can hold, at least twice"
                            + " that shows the storage"));

    /** {@return the name of a limit of a percentile, in milliseconds} */
    public static Name limit(String percentile) {
        return Name.note("thresholds." + percentile.replace('.', '_') + "_ms", "");
    }

    /** {@return what stands in the row of a phase} */
    static List<Form.Derived> derived() {
        return List.of(
                new Form.Derived(
                        Name.note("complete", ""),
                        (document, row) -> row.repeat().complete()),
                derived("verdict", PhaseVerdict::text),
                derived("reasons", PhaseVerdict::reasons),
                derived("caveats", PhaseVerdict::caveats));
    }

    private static Form.Derived derived(String key, Function<PhaseVerdict, @Nullable Object> what) {
        return new Form.Derived(
                Name.note(key, ""), (document, row) -> what.apply(of(document, row)));
    }

    /** {@return pass or fail; null where it is not judged} */
    public @Nullable String text() {
        return passes == null ? null : passes ? "pass" : "fail";
    }

    /** {@return what follows from a phase} */
    public static PhaseVerdict of(Document document, Row row) {
        Repeat phase = row.repeat();
        List<Case> own = Phase.of(row).map(Phase::cases).orElse(List.of());
        for (Case one : Stream.concat(Stream.of(STOPPED), own.stream()).toList()) {
            List<String> reasons = one.reasons.apply(document, phase);
            if (!reasons.isEmpty()) {
                return new PhaseVerdict(one.fails ? false : null, reasons, List.of());
            }
        }
        return new PhaseVerdict(own.isEmpty() ? null : true, List.of(), caveats(phase));
    }

    /** {@return what stands behind a pass in words, of the worst volume; empty where nothing weakens it} */
    public static String beside(List<Repeat> phases) {
        StringBuilder words = new StringBuilder();
        for (Weakness one : WEAKNESSES) {
            phases.stream()
                    .filter(PhaseFigures::hasTransactions)
                    .flatMap(phase -> VolumeFigures.withDatabases(phase).stream())
                    .mapToDouble(one.of::value)
                    .filter(value -> value < one.least)
                    .min()
                    .ifPresent(value -> words.append(one.words(one.brief, value)));
        }
        return words.toString();
    }

    /** {@return why databases may be faster than they are on a full volume, and without a cache below} */
    private static List<String> caveats(Repeat phase) {
        List<String> caveats = new ArrayList<>();
        for (Repeat volume : VolumeFigures.withDatabases(phase)) {
            WEAKNESSES.stream()
                    .filter(one -> one.of.value(volume) < one.least)
                    .map(one -> "volume " + volume.name(VolumeFigures.VOLUME)
                            + one.words(one.sentence, one.of.value(volume)))
                    .forEach(caveats::add);
        }
        return caveats;
    }

    @SuppressWarnings("AnnotateFormatMethod") // The annotation would be a dependency of its own.
    static List<String> when(boolean isCase, String words, Object... values) {
        return isCase
                ? List.of(values.length == 0 ? words : String.format(Locale.ROOT, words, values))
                : List.of();
    }

    /** {@return why what is slow may be the tool and not the storage; nothing where it is the storage} */
    private static List<String> toolIsLimit(Document document, Repeat phase) {
        double cores = HostFigures.CORES_BUSY.value(phase);
        double tool = HostFigures.TOOL_SHARE.value(phase);
        double device = PhaseFigures.DEVICE_BUSY.value(phase);
        return when(
                cores >= CORES_BUSY_PERCENT
                        && tool >= TOOL_SHARE_PERCENT
                        && !(device >= DEVICE_BUSY_PERCENT)
                        && wrong(phase).isEmpty()
                        && !slow(document, phase).isEmpty(),
                "the tool was the limit and not the storage: the cores were busy %.0f %% of the"
                        + " time, with the tool %.0f %%, and the busiest device %.0f %%; use fewer"
                        + " threads, or a machine with more cores",
                cores,
                tool,
                device);
    }

    private static List<String> slow(Document document, Repeat phase) {
        double achieved = PhaseFigures.ACHIEVED.value(phase);
        double target = number(document, TARGET_IOPS);
        List<String> reasons = new ArrayList<>(when(
                !(achieved >= target),
                "achieved %.3f I/O a second, below the target of %.3f",
                achieved,
                target));
        for (Repeat instance : phase.parts(InstanceFigures.INSTANCES)) {
            String name = instance.name(InstanceFigures.INSTANCE);
            LIMITS.forEach((column, limit) -> reasons.addAll(when(
                    isAbove(document, instance, column),
                    "%s: %s is %.3f, above %s",
                    name,
                    column.heading(),
                    column.value(instance),
                    Digits.plain(number(document, limit)))));
            reasons.addAll(none(instance, IoCounter.STALLS, "write stalls"));
        }
        return reasons;
    }

    /**
     * {@return whether a figure of an instance is above its limit} Where there was no such operation none was
     * slow; the target says whether there was any I/O.
     */
    public static boolean isAbove(Document document, Repeat instance, Column column) {
        Name limit = LIMITS.get(column);
        return limit != null && column.value(instance) > number(document, limit);
    }

    private static List<String> wrong(Repeat phase) {
        List<String> reasons = new ArrayList<>();
        for (Repeat instance : phase.parts(InstanceFigures.INSTANCES)) {
            reasons.addAll(none(instance, IoCounter.ERRORS, "failed transactions"));
            reasons.addAll(none(instance, IoCounter.BAD_BLOCKS, "bad blocks"));
        }
        return reasons;
    }

    private static List<String> none(Repeat instance, IoCounter counter, String what) {
        long count = Math.round(instance.count(counter.counter()));
        return when(
                count != 0,
                "%s: %d %s, none is allowed",
                instance.name(InstanceFigures.INSTANCE),
                count,
                what);
    }

    /** {@return which percentiles have a limit and are not known} */
    private static List<String> unknown(Document document, Repeat phase) {
        List<String> unknown = new ArrayList<>();
        for (Repeat instance : phase.parts(InstanceFigures.INSTANCES)) {
            PERCENTILES.forEach((of, column) -> unknown.addAll(when(
                    Double.isFinite(number(document, limit(of))) && column.isShortOfTimes(instance),
                    "%s: too few I/O for %s; a longer --duration gives them",
                    instance.name(InstanceFigures.INSTANCE),
                    of)));
        }
        return unknown;
    }

    /** {@return a fact that is a number; NaN where it isn't known} */
    public static double number(Document document, Name fact) {
        Double value = document.fact(fact, Double.class);
        return value == null ? Double.NaN : value;
    }

    /** {@return what else the machine did meanwhile, where that is not accepted} */
    public static List<String> disturbances(Document document, Repeat phase) {
        return isShared(document) ? List.of() : disturbances(phase);
    }

    /** {@return what else the machine did meanwhile, by the bounds of all measurements} */
    public static List<String> disturbances(Repeat phase) {
        return HostFigures.use(phase).disturbances(phase.texts(PhaseFigures.OTHER_RUNS));
    }

    /** {@return whether other work on the machine is accepted} */
    public static boolean isShared(Document document) {
        return document.provenance().onSharedMachine();
    }
}
