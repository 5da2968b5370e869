package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.core.Durations;
import org.hubmark.core.FileErrors;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Performance and stress: transactions at the target, or as many as go, and the judgement.
 */
final class TransactionalPhase {
    /** As the source. */
    private static final Duration SAMPLE_MAX = Duration.ofSeconds(15);

    /** A short test has so many samples. */
    private static final int SAMPLES_MIN = 4;

    private static final Duration TICK = Duration.ofSeconds(1);
    /** Before what counts, so that the rate of transactions is known. */
    private static final Duration SETTLE_MAX = Duration.ofMinutes(1);

    private static final Duration WARM_UP_MAX = Duration.ofMinutes(15);
    private static final Duration STOP = Duration.ofMinutes(2);

    private final PhaseContext context;
    private final QualifyRequest request;
    private final Clock time;
    private final PhaseReport report;
    private final TestLog log;
    private final Phase phase;
    private final Duration duration;
    private final Duration warmUpMax;

    TransactionalPhase(PhaseContext context, Phase phase) {
        this(context, phase, WARM_UP_MAX);
    }

    /** One that waits for the cache so long at most. */
    TransactionalPhase(PhaseContext context, Phase phase, Duration warmUpMax) {
        this.warmUpMax = warmUpMax;
        this.context = context;
        this.request = context.request();
        this.time = context.time();
        this.phase = phase;
        this.duration = request.test().collection();
        this.log = new TestLog(context.progress());
        this.report = new PhaseReport(context, log);
    }

    /** Runs it. What was collected until an interruption or a failure is in the result, which says so. */
    Repeat run() throws IOException, InterruptedException {
        log.add("Attaching databases");
        report.sizeBefore();
        try (OpenDatabases databases = OpenDatabases.open(request, context.places())) {
            CacheCurve curve = CacheCurve.begin(databases);
            log.add("Preparing: waiting for the cache", warmUpMax);
            warm(databases);
            int threads = threads(databases);
            load(databases, threads, curve);
            log.add("Detaching databases");
        }
        report.sizeAfter();
        log.add(phase + " is done");
        return report.result();
    }

    private Duration sample() {
        Duration share = duration.dividedBy(SAMPLES_MIN);
        return share.compareTo(SAMPLE_MAX) < 0 ? share : SAMPLE_MAX;
    }

    /** Waits until the cache is as full as the source asks for. */
    private void warm(OpenDatabases databases) throws IOException, InterruptedException {
        long wanted = databases.cache().warmBytes(context.databaseBytes());
        if (wanted == 0) {
            log.add("Prerequisites: none, since the cache does not keep everything");
            return;
        }
        CacheFill.Outcome outcome = new CacheFill(
                        new CacheReads(databases, request.load().seed()), wanted, warmUpMax, time)
                .run();
        log.add(String.format(
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

    private int threads(OpenDatabases databases) throws IOException, InterruptedException {
        Integer given = request.load().threads();
        ThreadSearch search = new ThreadSearch(
                step -> new ClosedLoop(databases.all(), request, step),
                request.load().openLoop() ? request.load().targetIops() : Double.POSITIVE_INFINITY,
                sample().dividedBy(2),
                log,
                time);
        int threads = given == null ? search.run() : given;
        report.load(request.load().openLoop() ? "open" : "closed", threads, search.steps());
        return threads;
    }

    private void load(OpenDatabases databases, int threads, CacheCurve curve)
            throws IOException, InterruptedException {
        TargetRates rates = new TargetRates(databases.all(), request.load().targetIops());
        MailboxWorkload work = new MailboxWorkload(
                databases.all(),
                new MailboxWorkload.Plan(
                        request.load().mix(),
                        threads,
                        request.load().lazyShare(),
                        request.load().openLoop() ? rates.first() : null,
                        new SplittableRandom(request.load().seed()).nextLong()));
        OtherLoad others = new OtherLoad(databases.all(), request);
        Duration settle = duration.dividedBy(SAMPLES_MIN);
        settle = settle.compareTo(SETTLE_MAX) < 0 ? settle : SETTLE_MAX;
        log.add(
                "Dispatching transactions, " + (request.load().openLoop() ? "open" : "closed")
                        + " loop, " + threads + " threads for each database",
                settle);
        work.begin();
        others.begin();
        try {
            long settled = time.nanos() + settle.toNanos();
            while (time.nanos() < settled) {
                tick(work, others, rates, settled);
            }
            collect(databases, work, others, rates, curve);
        } finally {
            log.add("Stopping transactions");
            others.stop();
            work.stop(STOP);
        }
    }

    private void tick(MailboxWorkload work, OtherLoad others, TargetRates rates, long until)
            throws IOException, InterruptedException {
        long left = until - time.nanos();
        time.sleep(Duration.ofNanos(Math.max(0, Math.min(TICK.toNanos(), left))));
        work.requireSound();
        others.requireSound();
        if (request.load().openLoop()) {
            rates.adjust(work);
        }
    }

    private void collect(
            OpenDatabases databases,
            MailboxWorkload work,
            OtherLoad others,
            TargetRates rates,
            CacheCurve curve)
            throws IOException, InterruptedException {
        Devices devices = context.devices();
        log.add("Collecting", duration);
        report.collectionBegins(sample());
        devices.begin();
        curve.beginCounting();
        try (Sampling sampling = new Sampling(databases.instances(), time)) {
            long end = time.nanos() + duration.toNanos();
            long next = time.nanos() + sample().toNanos();
            InterruptedException interruption = null;
            IOException failure = null;
            try {
                while (time.nanos() < end) {
                    tick(work, others, rates, Math.min(next, end));
                    context.progress()
                            .states()
                            .accept(
                                    sampling.elapsed(),
                                    Math.round(sampling.iops()) + " I/O a second");
                    if (time.nanos() >= next && time.nanos() < end) {
                        sampling.sample();
                        next += sample().toNanos();
                    }
                }
            } catch (InterruptedException e) {
                interruption = e;
            } catch (IOException e) {
                failure = e;
            }
            sampling.sample();
            report.collectionEnds(sampling, devices.counted());
            curve.result(databases.cache().bytesMax(), sampling.nanos(), report.found());
            log.add(latencies(sampling));
            String when =
                    " after " + sampling.elapsed().toSeconds() + " s of " + duration.toSeconds();
            if (failure != null) {
                report.interrupted("failed" + when + ": " + FileErrors.text(failure));
                throw new PhaseFailure(report.result(), failure);
            }
            if (interruption != null) {
                report.interrupted("interrupted" + when);
                throw new PhaseInterruption(report.result());
            }
        }
    }

    private static String latencies(Sampling sampling) {
        return "Database reads have average latencies of "
                + sampling.instances().stream()
                        .map(InstanceFigures.READ_LATENCY::value)
                        .map(millis ->
                                millis.isNaN() ? "-" : String.format(Locale.ROOT, "%.1f", millis))
                        .collect(Collectors.joining(", "))
                + " ms";
    }
}
