package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.pages.MailboxDatabase;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durations;
import org.hubmark.core.FileErrors;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Performance and stress: transactions at the target, or as many as go, and the judgement.
 *
 * @param warmUpMax how long it waits for the cache at most
 */
record TransactionalPhase(
        PhaseContext context, Phase phase, Duration warmUpMax, PhaseReport report) {
    /** As the source. */
    private static final Duration SAMPLE_MAX = Duration.ofSeconds(15);

    /** A short test has so many samples. */
    private static final int SAMPLES_MIN = 4;

    private static final Duration TICK = Duration.ofSeconds(1);
    /** Before what counts, so that the rate of transactions is known. */
    private static final Duration SETTLE_MAX = Duration.ofMinutes(1);

    private static final Duration WARM_UP_MAX = Duration.ofMinutes(15);

    /** What fills the cache. */
    private static final TransactionMix READS = TransactionMix.parse("read=100");

    private static final int READERS = 4;

    /**
     * What came of a phase.
     *
     * @param failure that has ended it early; null for none
     */
    record Collected(Repeat counts, @Nullable IOException failure) {
        /**
         * {@return what was counted of one that has come to its end}
         *
         * @throws InterruptedException for one that was interrupted
         */
        Repeat whole() throws IOException, InterruptedException {
            if (failure != null) {
                throw failure;
            }
            if (!counts.complete()) {
                throw new InterruptedException();
            }
            return counts;
        }
    }

    /** Why a collection has ended early. */
    private record Stop(String why, @Nullable IOException failure) {}

    TransactionalPhase(PhaseContext context, Phase phase) throws IOException {
        this(context, phase, WARM_UP_MAX);
    }

    /** One that waits for the cache so long at most. */
    TransactionalPhase(PhaseContext context, Phase phase, Duration warmUpMax) throws IOException {
        this(context, phase, warmUpMax, new PhaseReport(context));
    }

    private QualifyRequest request() {
        return context.request();
    }

    private Duration duration() {
        return request().test().collection(phase);
    }

    private long nanos() {
        return context.time().nanos();
    }

    /** Runs it. What was collected until an interruption or a failure is in the result, which says so. */
    Collected run() throws IOException, InterruptedException {
        report.log("Attaching databases");
        settings().forEach(report::detail);
        Stop stop = null;
        try (OpenDatabases databases = OpenDatabases.open(request(), context.places())) {
            report.log("Preparing: waiting for the cache", warmUpMax);
            warm(databases);
            stop = load(databases, threads(databases));
            report.log("Detaching databases");
        } catch (IOException e) {
            // One that has failed can't be closed well.
            if (stop == null) {
                throw e;
            }
        }
        return stop == null
                ? new Collected(report.done(phase), null)
                : new Collected(report.stopped(stop.why), stop.failure);
    }

    /** {@return what the test log of the source says of the settings} */
    private List<String> settings() {
        QualifyRequest.Load load = request().load();
        List<String> lines = new ArrayList<>(List.of(
                "Database cache settings: minimum "
                        + ByteSize.format(request().caches().bytesMin()) + ", maximum "
                        + ByteSize.format(request().caches().bytesMax()),
                "Operation mix (%): " + load.mix() + ", lazy commits "
                        + Math.round(100 * load.lazyShare()),
                String.format(
                        Locale.ROOT,
                        "Target: %.1f database reads and writes a second, of all instances",
                        load.targetIops()),
                "Background database maintenance: " + (load.maintenance() ? "on" : "off")
                        + ", copies of each database: " + load.copies(),
                "Performance counters: a sample each " + Durations.format(sample())));
        request()
                .limits()
                .forEach((limit, millis) -> lines.add("Threshold: " + limit.label() + " "
                        + Durations.format(Duration.ofNanos(Math.round(1e6 * millis)))));
        return lines;
    }

    private Duration sample() {
        Duration share = duration().dividedBy(SAMPLES_MIN);
        return share.compareTo(SAMPLE_MAX) < 0 ? share : SAMPLE_MAX;
    }

    /** Waits until the cache is as full as the source asks for. */
    private void warm(OpenDatabases databases) throws IOException, InterruptedException {
        long wanted = databases.cache().warmBytes(DatabasePlace.bytes(context.places()));
        if (wanted == 0) {
            report.log("Prerequisites: none, since the cache does not keep everything");
            return;
        }
        CacheFill.Outcome outcome = new CacheFill(
                        () -> MailboxWorkload.begin(
                                databases.all(),
                                new MailboxWorkload.Plan(
                                        READS,
                                        READERS,
                                        1,
                                        null,
                                        request().load().seed())),
                        () -> databases.all().stream()
                                .map(TransactionalPhase::count)
                                .toList(),
                        databases.cache()::usedBytes,
                        wanted,
                        warmUpMax,
                        context.time())
                .run();
        report.log(String.format(
                Locale.ROOT,
                "Prerequisites: database cache size %,d bytes, asked for %,d bytes%s",
                outcome.usedBytes(),
                wanted,
                outcome.end() == CacheFill.End.COMPLETE
                        ? ", or all that is read: it has all"
                        : ""));
        if (outcome.end() == CacheFill.End.LATE) {
            report.note(String.format(
                    Locale.ROOT,
                    "the cache held %,d of the %,d bytes asked for after %s, when the wait for it"
                            + " ended: more is read from the storage than with a full cache",
                    outcome.usedBytes(),
                    wanted,
                    Durations.format(warmUpMax)));
        }
    }

    private static CacheFill.Count count(MailboxDatabase database) {
        IoCounts counts = database.operations().counts();
        return new CacheFill.Count(
                database.messages(),
                counts.get(IoCounter.TRANSACTIONS),
                counts.get(IoCounter.DB_READS));
    }

    private int threads(OpenDatabases databases) throws IOException, InterruptedException {
        QualifyRequest.Load load = request().load();
        Integer given = load.threads();
        ThreadSearch.Found found = given != null
                ? new ThreadSearch.Found(given, List.of())
                : new ThreadSearch(
                                step -> MailboxWorkload.begin(
                                        databases.all(), plan(step, null, load.seed() + step)),
                                load.openLoop() ? load.targetIops() : Double.POSITIVE_INFINITY,
                                sample().dividedBy(2),
                                report::log,
                                context.time())
                        .run();
        report.load(load.openLoop() ? "open" : "closed", found);
        return found.threads();
    }

    private MailboxWorkload.Plan plan(int threads, @Nullable Double rate, long seed) {
        return new MailboxWorkload.Plan(
                request().load().mix(), threads, request().load().lazyShare(), rate, seed);
    }

    /** {@return why it ended early; null where it did not} */
    private @Nullable Stop load(OpenDatabases databases, int threads)
            throws IOException, InterruptedException {
        QualifyRequest.Load load = request().load();
        TargetRates rates = new TargetRates(databases.all(), load.targetIops());
        Duration settle = duration().dividedBy(SAMPLES_MIN);
        settle = settle.compareTo(SETTLE_MAX) < 0 ? settle : SETTLE_MAX;
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
            Stop stop = collect(databases, work, rates);
            report.log("Stopping transactions");
            return stop;
        }
    }

    private void tick(MailboxWorkload work, TargetRates rates, long until)
            throws IOException, InterruptedException {
        long left = until - nanos();
        context.time().sleep(Duration.ofNanos(Math.max(0, Math.min(TICK.toNanos(), left))));
        work.requireSound();
        if (request().load().openLoop()) {
            rates.adjust(work);
        }
    }

    private @Nullable Stop collect(OpenDatabases databases, MailboxWorkload work, TargetRates rates)
            throws IOException, InterruptedException {
        report.log("Collecting", duration());
        report.collectionBegins(sample());
        Devices devices = new Devices(request().databases());
        try (Sampling sampling = new Sampling(databases.instances(), context.time())) {
            long end = nanos() + duration().toNanos();
            long next = nanos() + sample().toNanos();
            String stopped = null;
            IOException failure = null;
            try {
                while (nanos() < end) {
                    tick(work, rates, Math.min(next, end));
                    context.progress()
                            .states()
                            .accept(
                                    sampling.elapsed(),
                                    Math.round(sampling.iops()) + " I/O a second");
                    if (nanos() >= next && nanos() < end) {
                        sampling.sample();
                        next += sample().toNanos();
                    }
                }
            } catch (InterruptedException e) {
                stopped = "interrupted";
            } catch (IOException e) {
                stopped = "failed";
                failure = e;
            }
            sampling.sample();
            report.collectionEnds(sampling, devices.counted());
            statistics(sampling);
            return stopped == null
                    ? null
                    : new Stop(
                            stopped + " after " + sampling.elapsed().toSeconds() + " s of "
                                    + duration().toSeconds()
                                    + (failure == null ? "" : ": " + FileErrors.text(failure)),
                            failure);
        }
    }

    /** Notes what the source does of each instance: its latencies, and how many transactions it had. */
    private void statistics(Sampling sampling) {
        List<Repeat> instances = sampling.instances();
        report.log("Database reads have average latencies of "
                + each(instances, InstanceFigures.READ_LATENCY::value, "%.1f") + " ms");
        report.detail("Log writes have average latencies of "
                + each(instances, InstanceFigures.LOG_LATENCY::value, "%.1f") + " ms");
        report.detail("Transactions: "
                + each(instances, one -> one.count(IoCounter.TRANSACTIONS.counter()), "%.0f"));
        report.detail("Waits for room in the cache: "
                + each(instances, one -> one.count(IoCounter.STALLS.counter()), "%.0f"));
        report.detail("Samples: " + sampling.host().size());
    }

    private static String each(
            List<Repeat> instances, ToDoubleFunction<Repeat> figure, String format) {
        return instances.stream()
                .mapToDouble(figure)
                .mapToObj(value ->
                        Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value))
                .collect(Collectors.joining(", "));
    }
}
