package org.hubmark.bench.qualify.phase;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.qualify.report.Qualification;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.hubmark.core.Durations;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Proves the rules of the verdict by instances drawn at random: one that breaks one rule fails the phase,
 * however good the others are; and that a phase beside other work is judged only where that was accepted.
 */
class PhaseVerdictTest {
    private static final int TRIALS = 200;
    private static final long SECOND = 1_000_000_000;
    private static final long OPERATIONS = 1_000_000;

    /** The figure of an instance that a limit is for, with its counters in operations and in a sample. */
    private enum Limit {
        READ(PhaseVerdict.READ_LATENCY_MAX, 20, IoCounter.DB_READ_NS, false),
        READ_SAMPLE(PhaseVerdict.READ_SAMPLE_MAX, 100, IoCounter.DB_READ_NS, true),
        LOG(PhaseVerdict.LOG_LATENCY_MAX, 10, IoCounter.LOG_WRITE_NS, false),
        LOG_SAMPLE(PhaseVerdict.LOG_SAMPLE_MAX, 100, IoCounter.LOG_WRITE_NS, true);

        // A record of texts.
        @SuppressWarnings("ImmutableEnumChecker")
        private final Name name;

        private final int millis;
        private final IoCounter nanos;
        private final boolean ofSample;

        Limit(Name name, int millis, IoCounter nanos, boolean ofSample) {
            this.name = name;
            this.millis = millis;
            this.nanos = nanos;
            this.ofSample = ofSample;
        }
    }

    private final long seed = System.nanoTime();
    private final SplittableRandom random = new SplittableRandom(seed);

    /** One that keeps all limits, some of them just so; or breaks one. */
    private Repeat instance(int number, @Nullable Limit broken, Map<IoCounter, Long> counts) {
        Repeat.Builder instance = Repeat.counted()
                .name(InstanceFigures.INSTANCE, "I." + number)
                .count(InstanceFigures.COLLECTION_NS, SECOND);
        Repeat.Builder sample = Repeat.counted();
        for (Repeat.Builder one : List.of(instance, sample)) {
            one.count(IoCounter.DB_READS.counter(), OPERATIONS)
                    .count(IoCounter.LOG_WRITES.counter(), OPERATIONS);
        }
        instance.count(IoCounter.DB_WRITES.counter(), OPERATIONS);
        for (Limit limit : Limit.values()) {
            long most = limit.millis * 1_000_000L * OPERATIONS;
            long nanos = limit == broken
                    ? most + OPERATIONS * random.nextInt(1, 1000)
                    : random.nextInt(4) == 0 ? most : random.nextLong(most);
            (limit.ofSample ? sample : instance).count(limit.nanos.counter(), nanos);
        }
        counts.forEach((counter, count) -> instance.count(counter.counter(), count));
        return instance.samples(List.of(sample.made())).made();
    }

    private List<Repeat> instances(int bad, @Nullable Limit broken, Map<IoCounter, Long> counts) {
        List<Repeat> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(i == bad ? instance(i, broken, counts) : instance(i, null, Map.of()));
        }
        return all;
    }

    private static Repeat.Builder phase(List<Repeat> instances, int others) {
        return Repeat.counted()
                .name(PhaseFigures.OTHER_RUNS, List.of())
                .count(PhaseFigures.THREADS, 1)
                .count(InstanceFigures.COLLECTION_NS, SECOND)
                .parts(InstanceFigures.INSTANCES, instances)
                .count(MachineMeter.CORES_NS, 2 * SECOND)
                .count(MachineMeter.TOTAL_TICKS, 200)
                .count(MachineMeter.PROCESSES_NS, SECOND / 2 + others * SECOND / 100)
                .count(MachineMeter.STEAL_TICKS, 0)
                .count(MachineMeter.TOOL_NS, SECOND / 2);
    }

    private static Document document(Repeat phase, double target, boolean isShared) {
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put(PhaseVerdict.TARGET_IOPS.key(), target);
        for (Limit limit : Limit.values()) {
            facts.put(limit.name.key(), limit.millis);
        }
        return new Document(
                Qualification.KIND,
                new Provenance(
                        new Tool("1", null),
                        "",
                        "",
                        "",
                        Map.of("shared-machine", isShared),
                        new Environment(
                                new Environment.Processor("cpu", 2, 2, null, null),
                                null,
                                new Environment.Software("os", "6", "25", null),
                                List.of(),
                                null)),
                true,
                facts,
                List.of(
                        new Table(
                                PhaseFigures.PHASES,
                                List.of(new Row(
                                        Map.of(PhaseFigures.PHASE.key(), "performance"),
                                        List.of(phase)))),
                        new Table(CacheFigures.CACHES, List.of())),
                List.of());
    }

    private static List<String> reasons(List<Repeat> instances, double target) {
        Document document = document(phase(instances, 0).made(), target, false);
        return document.findings().reasons();
    }

    @Test
    void passesWhatKeepsEachLimit() {
        for (int i = 0; i < TRIALS; i++) {
            assertThat(reasons(instances(-1, null, Map.of()), 1))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    @Test
    void oneInstanceAboveOneLimitFailsHoweverGoodTheOthersAre() {
        for (int i = 0; i < TRIALS; i++) {
            Limit broken = Limit.values()[random.nextInt(Limit.values().length)];
            Column column = PhaseVerdict.LIMITS.entrySet().stream()
                    .filter(one -> one.getValue().equals(broken.name))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElseThrow();
            int which = random.nextInt(8);
            assertThat(reasons(instances(which, broken, Map.of()), 1))
                    .as("seed %d, %s", seed, broken)
                    .singleElement()
                    .asString()
                    .startsWith("performance: I." + which + ": " + column.heading());
        }
    }

    @Test
    void oneStallErrorOrBadBlockFails() {
        for (IoCounter counter :
                List.of(IoCounter.STALLS, IoCounter.ERRORS, IoCounter.BAD_BLOCKS)) {
            assertThat(reasons(instances(3, null, Map.of(counter, 1L)), 1))
                    .as("%s", counter)
                    .singleElement()
                    .asString()
                    .startsWith("performance: I.3: 1 ");
        }
    }

    @Test
    void theTargetIsForAllTogether() {
        List<Repeat> all = instances(-1, null, Map.of());
        double achieved = 8 * 2.0 * OPERATIONS;
        assertThat(PhaseFigures.ACHIEVED.value(phase(all, 0).made())).isEqualTo(achieved);
        assertThat(reasons(all, achieved)).isEmpty();
        assertThat(reasons(all, Math.nextUp(achieved)))
                .singleElement()
                .asString()
                .startsWith("performance: achieved 16000000.000 I/O a second, below the target of");
    }

    /** A gibibyte of storage, of which so much is in use; a cache below of a tenth. */
    private static Repeat volume(double usedShare, double databaseShare, boolean isCached) {
        double bytes = 1 << 30;
        return Repeat.counted()
                .name(VolumeFigures.VOLUME, "/db")
                .name(VolumeFigures.CACHE_BELOW, "page cache below loop0")
                .count(VolumeFigures.FORMATTED_BYTES, bytes)
                .count(VolumeFigures.USED_BYTES, usedShare * bytes)
                .count(VolumeFigures.DATABASE_BYTES, databaseShare * bytes)
                .count(VolumeFigures.CACHE_BYTES, isCached ? (Double) (bytes / 10) : null)
                .made();
    }

    private Findings on(Repeat... volumes) {
        return document(
                        phase(instances(-1, null, Map.of()), 0)
                                .parts(VolumeFigures.VOLUMES, List.of(volumes))
                                .made(),
                        1,
                        false)
                .findings();
    }

    @Test
    void aVolumeLessThanHalfFullIsNoPlainPass() {
        assertThat(on(volume(0.5, 0.5, false)).verdict()).isEqualTo("pass");
        Findings half = on(volume(0.6, 0.5, false), volume(0.499, 0.4, false));
        assertThat(half.verdict()).isEqualTo("pass");
        assertThat(half.title()).endsWith(": pass, volume 49.9 % full");
        assertThat(half.outcome()).isEqualTo(Findings.Outcome.GOOD);
        assertThat(half.reasons()).isEmpty();
        assertThat(half.answer()).startsWith("pass, volume 49.9 % full: performance");
        assertThat(half.warnings())
                .containsExactly("performance: volume /db is 49.9 % full, less than half: a full"
                        + " one is slower");
    }

    /** A log is written in few places of its volume again and again. */
    @Test
    void aVolumeOfLogsAloneMayBeEmpty() {
        Repeat log = volume(0.01, 0.01, false).named(VolumeFigures.ROLES, List.of("log"));
        Findings found = on(volume(0.6, 0.5, false), log);
        assertThat(found.warnings()).isEmpty();
        assertThat(found.title()).endsWith(": pass");
    }

    @Test
    void aDatabaseThatFitsInACacheBelowIsNoPlainPass() {
        assertThat(on(volume(0.9, 0.2, true)).verdict()).isEqualTo("pass");
        Findings cached = on(volume(0.9, 0.19, true));
        assertThat(cached.verdict()).isEqualTo("pass");
        assertThat(cached.title()).endsWith(": pass, databases 1.9 times a cache below");
        assertThat(cached.warnings())
                .containsExactly("performance: volume /db: its databases are 1.9 times what a"
                        + " cache below can hold, at least twice that shows the storage");
    }

    @Test
    void whatFailsFailsOnAnyVolume() {
        Findings slow = document(
                        phase(instances(2, Limit.READ, Map.of()), 0)
                                .parts(VolumeFigures.VOLUMES, List.of(volume(0.1, 0.1, true)))
                                .made(),
                        1,
                        false)
                .findings();
        assertThat(slow.verdict()).isEqualTo("fail");
        assertThat(slow.warnings()).isEmpty();
    }

    @Test
    void whatWasNotDoneIsNotSlow() {
        Repeat idle = Repeat.counted()
                .name(InstanceFigures.INSTANCE, "I.1")
                .count(IoCounter.DB_READS.counter(), OPERATIONS)
                .count(IoCounter.DB_READ_NS.counter(), OPERATIONS)
                .count(IoCounter.DB_WRITES.counter(), 0)
                .count(IoCounter.LOG_WRITES.counter(), 0)
                .count(IoCounter.LOG_WRITE_NS.counter(), 0)
                .made();
        assertThat(reasons(List.of(idle), 1)).isEmpty();
    }

    @Test
    void whereTheToolIsTheLimitTheStorageIsNotJudged() {
        List<Repeat> slow = instances(2, Limit.READ, Map.of());
        assertThat(reasons(busy(slow, 180, 150, 60), 1))
                .containsExactly(
                        "performance: the tool was the limit and not the storage: the cores"
                                + " were busy 90 % of the time, with the tool 75 %, and the busiest device"
                                + " 60 %; use fewer threads, or a machine with more cores");
        // Idle cores, other processes, a busy device, what is wrong at any speed, and what is good.
        assertThat(reasons(busy(slow, 160, 150, 60), 1))
                .singleElement()
                .asString()
                .contains("I.2");
        assertThat(reasons(busy(slow, 180, 90, 60), 1))
                .singleElement()
                .asString()
                .contains("I.2");
        assertThat(reasons(busy(slow, 180, 150, 95), 1))
                .singleElement()
                .asString()
                .contains("I.2");
        assertThat(reasons(
                        busy(instances(2, Limit.READ, Map.of(IoCounter.ERRORS, 1L)), 180, 150, 60),
                        1))
                .hasSize(2);
        assertThat(reasons(busy(instances(-1, null, Map.of()), 180, 150, 60), 1))
                .isEmpty();
    }

    /** Of 200 ticks of two cores. */
    private static Repeat busy(
            List<Repeat> instances, int busyTicks, int toolTicks, int devicePercent) {
        return Repeat.counted()
                .name(PhaseFigures.OTHER_RUNS, List.of())
                .count(PhaseFigures.THREADS, 1)
                .count(InstanceFigures.COLLECTION_NS, SECOND)
                .parts(InstanceFigures.INSTANCES, instances)
                .parts(
                        PhaseFigures.DEVICES,
                        List.of(Repeat.counted()
                                .count(InstanceFigures.COLLECTION_NS, SECOND)
                                .count(PhaseFigures.BUSY_MS, 10 * devicePercent)
                                .made()))
                .count(MachineMeter.CORES_NS, 2 * SECOND)
                .count(MachineMeter.BUSY_TICKS, busyTicks)
                .count(MachineMeter.TOTAL_TICKS, 200)
                .count(MachineMeter.PROCESSES_NS, toolTicks * SECOND / 100)
                .count(MachineMeter.STEAL_TICKS, 0)
                .count(MachineMeter.TOOL_NS, toolTicks * SECOND / 100)
                .made();
    }

    /** One whose reads took a millisecond, but for so many of 10,000 that took a second. */
    private static Repeat tail(String name, int reads, int slow) {
        Histogram nanos = new Histogram(3);
        nanos.recordValueWithCount(1_000_000, reads - slow);
        nanos.recordValueWithCount(SECOND, slow);
        return Repeat.counted()
                .name(InstanceFigures.INSTANCE, name)
                .count(InstanceFigures.COLLECTION_NS, SECOND)
                .count(IoCounter.DB_READS.counter(), OPERATIONS)
                .count(IoCounter.DB_READ_NS.counter(), OPERATIONS)
                .count(IoCounter.DB_WRITES.counter(), 0)
                .count(IoCounter.LOG_WRITES.counter(), 0)
                .count(IoCounter.LOG_WRITE_NS.counter(), 0)
                .times(InstanceFigures.READ_TIMES, nanos)
                .made();
    }

    private static Findings rungs(String limits, Repeat... instances) {
        return ladder(limits, phase(List.of(instances), 0).made());
    }

    private static Findings ladder(String limits, Repeat phase) {
        Document plain = document(phase, 1, false);
        Map<String, @Nullable Object> facts = new LinkedHashMap<>(plain.facts());
        for (String limit : limits.split(",", -1)) {
            String[] pair = limit.split("=", -1);
            double millis = Durations.parse(pair[1]).toNanos() / 1e6;
            facts.put(PhaseVerdict.limit(pair[0]).key(), millis);
        }
        return new Document(
                        plain.kind(),
                        plain.provenance(),
                        true,
                        facts,
                        plain.tables(),
                        plain.rawFiles())
                .findings();
    }

    @Test
    void aRungThatIsAskedForIsJudgedInEachInstance() {
        Repeat good = tail("I.1", 10_000, 0);
        Repeat slow = tail("I.2", 10_000, 50);
        String ladder = "read.p95=2ms,read.p99=2ms,read.p99.9=2ms";
        assertThat(rungs(ladder, good).verdict()).isEqualTo("pass");
        assertThat(rungs("read.p99=2ms", good, slow).verdict()).isEqualTo("pass");
        Findings failed = rungs(ladder, good, slow);
        assertThat(failed.verdict()).isEqualTo("fail");
        assertThat(failed.reasons())
                .singleElement()
                .asString()
                .startsWith("performance: I.2: I/O Database Reads Latency 99.9th Percentile (msec)")
                .endsWith("above 2");
    }

    @Test
    void aRungThatIsNotKnownIsNotJudged() {
        Findings few = rungs("read.p99=2ms,read.p99.9=2ms", tail("I.1", 500, 0));
        assertThat(few.verdict()).isNull();
        assertThat(few.reasons())
                .containsExactly("performance: I.1: too few I/O for read.p99.9; a longer --duration"
                        + " gives them");
    }

    private static List<String> reasons(Repeat phase, double target) {
        return document(phase, target, false).findings().reasons();
    }

    @Test
    void aPhaseBesideOtherWorkIsJudgedOnlyWhereThatWasAccepted() {
        List<Repeat> slow = instances(2, Limit.READ, Map.of());
        // Of two seconds of CPU time this process has used a half; others may use a tenth.
        Document quiet = document(phase(slow, 10).made(), 1, false);
        assertThat(quiet.findings().verdict()).isEqualTo("fail");
        Document busy = document(
                phase(slow, 40)
                        .name(PhaseFigures.OTHER_RUNS, List.of("process 7: run"))
                        .made(),
                1,
                false);
        assertThat(busy.findings().verdict()).isNull();
        assertThat(busy.exitCode()).isEqualTo(3);
        assertThat(busy.findings().reasons())
                .containsExactly(
                        "performance: another run measured at the same time: process 7: run",
                        "performance: processes other than server and driver took 20.0% of the"
                                + " machine's CPU time (at most 5.0%): stop them");
        Document shared = document(phase(slow, 40).made(), 1, true);
        assertThat(shared.findings().verdict()).isEqualTo("fail");
        assertThat(shared.findings().warnings())
                .singleElement()
                .asString()
                .startsWith("performance: processes other than server and driver took 20.0%");
    }
}
