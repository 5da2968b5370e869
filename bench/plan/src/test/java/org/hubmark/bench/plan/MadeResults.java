package org.hubmark.bench.plan;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.qualify.phase.CacheFigures;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.hubmark.bench.qualify.phase.PhaseVerdict;
import org.hubmark.bench.qualify.report.Qualification;
import org.hubmark.bench.qualify.result.HostFigures;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;
import org.hubmark.bench.users.Task;
import org.hubmark.bench.users.result.LevelForm;
import org.hubmark.bench.users.result.LevelLimits;
import org.hubmark.bench.users.result.UsersResult;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Documents of qualify and users by what was counted, as these studies write them. */
final class MadeResults {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;

    /** A clock that stands still, and that nobody waits for. */
    private static final class FixedClock implements Clock {
        @Override
        public Instant now() {
            return Instant.parse("2026-01-01T00:00:00Z");
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void sleep(Duration time) {}
    }

    private MadeResults() {}

    private static Environment machine(List<VolumeDisclosure> volumes) {
        return new Environment(
                new Environment.Processor("cpu", 2, 2, null, null),
                null,
                new Environment.Software("os", "6", "25", null),
                volumes,
                null);
    }

    /** {@return the request of a study whose document is the same whenever and wherever it runs} */
    static Context.Request request(Path folder, String command) {
        return new Context.Request(
                folder,
                new Tool("1.0", null),
                command,
                Map.of(),
                machine(List.of()),
                new FixedClock(),
                Progress.SILENT,
                List::of);
    }

    /**
     * What the transactions of a second counted.
     *
     * @param hits reads that the cache had
     * @param maintenance reads of the maintenance
     */
    record Counted(
            long reads,
            long writes,
            double readMs,
            long transactions,
            long hits,
            long maintenance) {
        Counted(long reads, long writes, double readMs, long transactions) {
            this(reads, writes, readMs, transactions, 0);
        }

        Counted(long reads, long writes, double readMs, long transactions, long hits) {
            this(reads, writes, readMs, transactions, hits, 0);
        }

        /** {@return a phase of two instances, one of which found all in memory} */
        Repeat.Builder phase() {
            Map<IoCounter, Long> counts = new LinkedHashMap<>();
            counts.put(IoCounter.DB_READS, reads);
            counts.put(IoCounter.DB_READ_NS, Math.round(readMs * MILLI * reads));
            counts.put(IoCounter.DB_WRITES, writes);
            counts.put(IoCounter.DB_WRITE_NS, 2 * MILLI * writes);
            counts.put(IoCounter.LOG_WRITES, 50L);
            counts.put(IoCounter.LOG_WRITE_NS, 50 * MILLI);
            counts.put(IoCounter.TRANSACTIONS, transactions);
            counts.put(IoCounter.CACHE_HITS, hits);
            counts.put(IoCounter.MAINTENANCE_READS, maintenance);
            return host(Repeat.counted(), 0)
                    .count(InstanceFigures.COLLECTION_NS, SECOND)
                    .count(PhaseFigures.THREADS, 4)
                    .samples(List.of(host(Repeat.counted(), 0).made()))
                    .parts(
                            InstanceFigures.INSTANCES,
                            List.of(
                                    instance("db1", Map.of(IoCounter.TRANSACTIONS, 20L)),
                                    instance("db2", counts)))
                    .parts(
                            PhaseFigures.THREAD_STEPS,
                            List.of(step(1, 100, 4), step(2, 180, 8), step(4, 400, 30)));
        }
    }

    /** {@return a phase or a sample, of a machine whose cores were busy a fifth of the time} */
    static Repeat.Builder host(Repeat.Builder into, long ofOthersNanos) {
        return into.count(HostFigures.SAMPLE_NS, SECOND)
                .count(MachineMeter.BUSY_TICKS, 20)
                .count(MachineMeter.TOTAL_TICKS, 100)
                .count(MachineMeter.STEAL_TICKS, 0)
                .count(MachineMeter.CORES_NS, 2 * SECOND)
                .count(MachineMeter.PROCESSES_NS, ofOthersNanos)
                .count(MachineMeter.TOOL_NS, 0)
                .count(MachineMeter.THROTTLED_NS, 0)
                .count(MachineMeter.STANDSTILL_NS, 0);
    }

    private static Repeat instance(String name, Map<IoCounter, Long> counts) {
        return new IoCounts(counts)
                .counted()
                .name(InstanceFigures.INSTANCE, name)
                .count(InstanceFigures.COLLECTION_NS, SECOND)
                .made();
    }

    private static Repeat step(int threads, long reads, long readMs) {
        return Repeat.counted()
                .name(PhaseFigures.STEP, threads)
                .count(InstanceFigures.COLLECTION_NS, SECOND)
                .count(IoCounter.DB_READS.counter(), reads)
                .count(IoCounter.DB_WRITES.counter(), 0)
                .count(IoCounter.DB_READ_NS.counter(), readMs * MILLI * reads)
                .made();
    }

    /** A qualification in the making. */
    static final class Storage {
        private final Map<String, @Nullable Object> settings = new LinkedHashMap<>(Map.of(
                "users", 500, "iops-per-user", 0.5, "cache-mode", "all", "cache-max", "256MB"));
        private final List<Row> phases = new ArrayList<>();
        private final List<Row> caches = new ArrayList<>();
        private List<VolumeDisclosure> volumes = List.of();

        Storage setting(String name, Object value) {
            settings.put(name, value);
            return this;
        }

        Storage volumes(List<VolumeDisclosure> all) {
            volumes = all;
            return this;
        }

        Storage performance(Repeat.Builder phase) {
            phases.add(new Row(
                    Map.of(PhaseFigures.PHASE.key(), "performance"), List.of(phase.made())));
            return this;
        }

        Storage cache(String mode, Counted... rounds) {
            List<Repeat> all = new ArrayList<>();
            for (Counted round : rounds) {
                all.add(round.phase().name(CacheFigures.ROUND, all.size() + 1).made());
            }
            caches.add(new Row(Map.of(CacheFigures.CACHE.key(), mode), all));
            return this;
        }

        void write(Path folder) throws IOException {
            Map<String, @Nullable Object> facts = new LinkedHashMap<>();
            PhaseVerdict.LIMITS.values().forEach(limit -> facts.put(limit.key(), 1e6));
            facts.put(PhaseVerdict.READ_LATENCY_MAX.key(), 20.0);
            facts.put(PhaseVerdict.TARGET_IOPS.key(), 1.0);
            MadeResults.write(
                    folder,
                    Qualification.KIND,
                    settings,
                    volumes,
                    facts,
                    new Table(PhaseFigures.PHASES, phases),
                    new Table(CacheFigures.CACHES, caches));
        }
    }

    /** Writes levels by the milliseconds that each of their messages took; a day has 10 sent and 50 received. */
    static void users(Path folder, String day, Map<Integer, Long> sendMillis) throws IOException {
        List<Row> levels = new ArrayList<>();
        sendMillis.forEach((users, millis) -> levels.add(new Row(
                Map.of(LevelForm.USERS.key(), users),
                List.of(Repeat.counted()
                        .name(LevelForm.RUN, 1)
                        .count(LevelForm.USER_DAYS, 10)
                        .count(LevelForm.SENT, 100)
                        .count(LevelForm.SENT_NEW, 100)
                        .count(LevelForm.SENT_REPLY, 0)
                        .count(LevelForm.SENT_REPLY_ALL, 0)
                        .count(LevelForm.SENT_FORWARD, 0)
                        .count(LevelForm.RECEIVED, 500)
                        .times(LevelForm.SEND_NS, times(millis))
                        .parts(
                                LevelForm.TASKS,
                                List.of(Repeat.counted()
                                        .name(LevelForm.TASK, Task.SEND.name())
                                        .name(LevelForm.WEIGHT, 1)
                                        .count(LevelForm.PLANNED, 20)
                                        .count(LevelForm.FAILED, 0)
                                        .times(LevelForm.TASK_NS, times(millis))
                                        .made()))
                        .made()))));
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put(UsersResult.LIMITS.key(), new LevelLimits(1000, 500));
        facts.put(UsersResult.PACE.key(), new UsersResult.Pace("medium", day, 1, false));
        write(
                folder,
                UsersResult.KIND,
                Map.of("day", day),
                List.of(),
                facts,
                new Table(LevelForm.LEVELS, levels));
    }

    private static Histogram times(long millis) {
        Histogram nanos = new Histogram(3);
        nanos.recordValueWithCount(millis * MILLI, 20);
        return nanos;
    }

    private static void write(
            Path folder,
            Kind kind,
            Map<String, @Nullable Object> settings,
            List<VolumeDisclosure> volumes,
            Map<String, @Nullable Object> facts,
            Table... tables)
            throws IOException {
        Files.createDirectories(folder);
        var unused = DocumentFile.write(
                new Document(
                        kind,
                        new Provenance(new Tool("1", null), "", "", "", settings, machine(volumes)),
                        true,
                        facts,
                        List.of(tables),
                        List.of()),
                folder);
    }
}
