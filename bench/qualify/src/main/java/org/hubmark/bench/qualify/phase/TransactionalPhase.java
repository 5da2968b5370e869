package org.hubmark.bench.qualify.phase;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.pages.TransactionKind;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durations;
import org.hubmark.core.FileErrors;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Performance and stress: transactions at the target, or as many as go. One thread. */
public final class TransactionalPhase {
    /** As the source. */
    private static final Duration SAMPLE_MAX = Duration.ofSeconds(15);

    /** A short test has so many samples. */
    private static final int SAMPLES_MIN = 4;

    private static final Duration TICK = Duration.ofSeconds(1);

    /** Before what counts, so that the rate of transactions is known. */
    private static final Duration SETTLE_MAX = Duration.ofMinutes(1);

    /** Half samples of a number of threads; the first is left out. */
    private static final int STEP_SAMPLES = 3;

    private static final Duration WARM_UP_MAX = Duration.ofMinutes(15);
    private static final Duration WARM_UP_LOOK = Duration.ofMillis(20);

    /** A cache that has not grown for so long has all that is read: some pages are of deleted messages. */
    private static final Duration WARM_UP_STILL = Duration.ofSeconds(5);

    /** What fills the cache. */
    private static final TransactionMix READS =
            new TransactionMix(Map.of(TransactionKind.READ, 100));

    private static final int READERS = 4;

    private final PhaseContext context;
    private final QualifyRequest.Load load;
    private final Duration length;
    private final Duration sample;
    private final Duration warmUpMax;
    private final PhaseReport report;
    private @Nullable String stopped;
    private @Nullable IOException failure;

    /**
     * What came of a phase.
     *
     * @param failure that has ended it early; null for none
     */
    public record Collected(Repeat counts, @Nullable IOException failure) {
        /**
         * {@return what was counted of one that has come to its end}
         *
         * @throws InterruptedException for one that was interrupted
         */
        public Repeat whole() throws IOException, InterruptedException {
            if (failure != null) {
                throw failure;
            }
            if (!counts.complete()) {
                throw new InterruptedException();
            }
            return counts;
        }
    }

    /**
     * Prepares.
     *
     * @param length of what counts
     */
    public TransactionalPhase(PhaseContext context, Duration length) throws IOException {
        this(context, length, WARM_UP_MAX);
    }

    /** Prepares one that waits for the cache so long at most. */
    TransactionalPhase(PhaseContext context, Duration length, Duration warmUpMax)
            throws IOException {
        this.context = context;
        this.load = context.request().load();
        this.length = length;
        this.sample = least(length.dividedBy(SAMPLES_MIN), SAMPLE_MAX);
        this.warmUpMax = warmUpMax;
        this.report = new PhaseReport(context);
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private long nanos() {
        return context.time().nanos();
    }

    /** Runs it. What was collected until an interruption or a failure is in the result, which says so. */
    public Collected run() throws IOException, InterruptedException {
        report.log("Attaching databases");
        settings();
        try (OpenDatabases databases = new OpenDatabases(context.request(), context.places())) {
            warm(databases);
            load(databases, threads(databases));
            report.log("Detaching databases");
        } catch (IOException e) {
            // One that has failed can't be closed well.
            if (stopped == null) {
                throw e;
            }
        }
        if (stopped != null) {
            return new Collected(report.stopped(stopped), failure);
        }
        report.found().parts(VolumeFigures.VOLUMES, FileSystems.counted(context.places()));
        return new Collected(report.done(), null);
    }

    /** Notes what the source's test log says of the settings. */
    private void settings() {
        QualifyRequest.Caches caches = context.request().caches();
        report.detail("Database cache settings: minimum " + ByteSize.format(caches.bytesMin())
                + ", maximum " + ByteSize.format(caches.bytesMax()));
        report.detail("Operation mix (%): " + load.mix() + ", lazy commits "
                + Math.round(100 * load.lazyShare()));
        report.detail(text(
                "Target: %.1f database reads and writes a second, of all instances",
                load.targetIops()));
        report.detail("Background database maintenance: " + (load.maintenance() ? "on" : "off")
                + ", copies of each database: " + load.copies());
        report.detail("Performance counters: a sample each " + Durations.format(sample));
        context.request()
                .limits()
                .forEach((limit, millis) -> report.detail(text(
                        "Threshold: %s %s",
                        limit.label().isEmpty() ? limit.key() : limit.label(), millis)));
    }

    @SuppressWarnings("AnnotateFormatMethod") // The annotation would be a dependency of its own.
    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** Reads until the cache is as full as the source asks for, or has all that is read. */
    private void warm(OpenDatabases databases) throws IOException, InterruptedException {
        long wanted = databases.cache().warmBytes(DatabasePlace.bytes(context.places()));
        if (wanted == 0) {
            return;
        }
        report.log("Preparing: waiting for the cache", warmUpMax);
        long end = nanos() + warmUpMax.toNanos();
        long grown = nanos();
        long used = databases.cache().usedBytes();
        boolean isGrowing = true;
        try (MailboxWorkload reads = MailboxWorkload.begin(
                databases.all(), new MailboxWorkload.Plan(READS, READERS, 1, null, load.seed()))) {
            while (used < wanted && isGrowing && nanos() < end) {
                context.time().sleep(WARM_UP_LOOK);
                reads.requireSound();
                long now = databases.cache().usedBytes();
                grown = now > used ? nanos() : grown;
                used = Math.max(used, now);
                isGrowing = nanos() - grown < WARM_UP_STILL.toNanos();
            }
        }
        report.log(text(
                "Prerequisites: database cache size %,d bytes, asked for %,d bytes%s",
                used, wanted, isGrowing ? "" : ", or all that is read: it has all"));
        if (used < wanted && isGrowing) {
            report.note(text(
                    "the cache held %,d of the %,d bytes asked for after %s, when the wait for it"
                            + " ended: more is read from the storage than with a full cache",
                    used, wanted, Durations.format(warmUpMax)));
        }
    }

    private int threads(OpenDatabases databases) throws IOException, InterruptedException {
        Integer given = load.threads();
        ThreadSearch.Found threads = given != null
                ? new ThreadSearch.Found(given, List.of())
                : new ThreadSearch(
                                step -> step(databases, step),
                                load.openLoop() ? load.targetIops() : Double.POSITIVE_INFINITY)
                        .run();
        report.found()
                .name(PhaseFigures.LOOP, load.openLoop() ? "open" : "closed")
                .count(PhaseFigures.THREADS, threads.threads())
                .parts(PhaseFigures.THREAD_STEPS, threads.steps());
        return threads.threads();
    }

    /** {@return what so many threads do, closed loop, once they have begun} */
    private Repeat step(OpenDatabases databases, int threads)
            throws IOException, InterruptedException {
        Duration half = sample.dividedBy(2);
        try (MailboxWorkload work = MailboxWorkload.begin(
                databases.all(), plan(threads, null, load.seed() + threads))) {
            context.time().sleep(half);
            IoCounts from = work.counts();
            long began = nanos();
            context.time().sleep(half.multipliedBy(STEP_SAMPLES));
            work.requireSound();
            Repeat step = work.counts()
                    .since(from)
                    .counted()
                    .name(PhaseFigures.STEP, threads)
                    .count(InstanceFigures.COLLECTION_NS, nanos() - began)
                    .made();
            report.log(text(
                    "Tuning: %d threads for each database do %.1f I/O a second, closed loop",
                    threads, PhaseFigures.STEP_IOPS.value(step)));
            return step;
        }
    }

    private MailboxWorkload.Plan plan(int threads, @Nullable Double rate, long seed) {
        return new MailboxWorkload.Plan(load.mix(), threads, load.lazyShare(), rate, seed);
    }

    private void load(OpenDatabases databases, int threads)
            throws IOException, InterruptedException {
        TargetRates rates = new TargetRates(databases.all(), load.targetIops());
        Duration settle = least(length.dividedBy(SAMPLES_MIN), SETTLE_MAX);
        report.log(
                "Dispatching transactions, " + (load.openLoop() ? "open" : "closed") + " loop, "
                        + threads + " threads for each database",
                settle);
        Double first = load.openLoop() ? (Double) rates.first() : null;
        long seed = new SplittableRandom(load.seed()).nextLong();
        try (MailboxWorkload work =
                MailboxWorkload.begin(databases.all(), plan(threads, first, seed), load)) {
            long settled = nanos() + settle.toNanos();
            while (nanos() < settled) {
                tick(work, rates, settled);
            }
            collect(databases, work, rates);
            report.log("Stopping transactions");
        }
    }

    private void tick(MailboxWorkload work, TargetRates rates, long until)
            throws IOException, InterruptedException {
        long left = until - nanos();
        context.time().sleep(Duration.ofNanos(Math.max(0, Math.min(TICK.toNanos(), left))));
        work.requireSound();
        if (load.openLoop()) {
            rates.adjust(work);
        }
    }

    private void collect(OpenDatabases databases, MailboxWorkload work, TargetRates rates)
            throws IOException {
        report.log("Collecting", length);
        try (Sampling sampling = new Sampling(context, databases.operations(), report.found())) {
            long end = nanos() + length.toNanos();
            long next = nanos() + sample.toNanos();
            try {
                while (nanos() < end) {
                    tick(work, rates, Math.min(next, end));
                    context.progress()
                            .elapsed(
                                    sampling.elapsed(),
                                    Math.round(sampling.iops()) + " I/O a second");
                    if (nanos() >= next && nanos() < end) {
                        sampling.sample();
                        next += sample.toNanos();
                    }
                }
            } catch (InterruptedException e) {
                stopped = "interrupted" + after(sampling);
            } catch (IOException e) {
                stopped = "failed" + after(sampling) + ": " + FileErrors.text(e);
                failure = e;
            }
            sampling.end();
        }
        statistics();
    }

    private String after(Sampling sampling) {
        return " after " + sampling.elapsed().toSeconds() + " s of " + length.toSeconds();
    }

    /** Notes what the source does of each instance: its latencies, and how many transactions it had. */
    private void statistics() {
        each("Database reads: average latency %s ms", InstanceFigures.READ_LATENCY::value);
        each("Log writes: average latency %s ms", InstanceFigures.LOG_LATENCY::value);
        each("Transactions: %s", one -> one.count(IoCounter.TRANSACTIONS.counter()));
        each("Waits for room in the cache: %s", one -> one.count(IoCounter.STALLS.counter()));
    }

    private void each(String format, ToDoubleFunction<Repeat> figure) {
        report.detail(text(
                format,
                report.found().made().parts(InstanceFigures.INSTANCES).stream()
                        .map(one -> text("%.1f", figure.applyAsDouble(one)))
                        .collect(Collectors.joining(", "))));
    }
}
