package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;
import org.hubmark.bench.qualify.result.PhaseResult.ThreadStep;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Finds out how many threads for each database it takes: closed loop with more and more of them, until
 * the target is reached, or more threads bring nothing more (the knee). Of each step the transient state
 * is left out; then samples are taken until they agree. One thread.
 */
final class ThreadSearch {
    private static final List<Integer> STEPS = List.of(1, 2, 3, 4, 6, 8, 12, 16, 24, 32);

    /** Above the target, since the clock begins some transactions while others are under way. */
    private static final double MARGIN = 1.2;

    /** A step that brings less is beyond the knee. */
    private static final double GAIN_MIN = 0.05;

    /** Three samples that lie so near to their mean agree. */
    private static final double NEAR = 0.1;

    private static final int SAMPLES = 3;
    private static final int SAMPLES_MAX = 8;
    private static final Duration STOP = Duration.ofMinutes(1);

    private final QualifyRequest request;
    private final OpenDatabases databases;
    private final Duration sample;
    private final TestLog log;
    private final List<ThreadStep> steps = new ArrayList<>();

    ThreadSearch(QualifyRequest request, OpenDatabases databases, Duration sample, TestLog log) {
        this.request = request;
        this.databases = databases;
        this.sample = sample;
        this.log = log;
    }

    /** {@return how many it takes} */
    int run() throws IOException, InterruptedException {
        int best = STEPS.getFirst();
        double bestIops = 0;
        for (int threads : STEPS) {
            ThreadStep step = step(threads);
            steps.add(step);
            log.add(String.format(
                    Locale.ROOT,
                    "Tuning: %d threads for each database do %.1f I/O a second, closed loop",
                    threads,
                    step.iops()));
            if (step.iops() < bestIops * (1 + GAIN_MIN)) {
                return best;
            }
            best = threads;
            bestIops = step.iops();
            if (request.openLoop() && bestIops >= request.targetIops() * MARGIN) {
                return best;
            }
        }
        return best;
    }

    List<ThreadStep> steps() {
        return List.copyOf(steps);
    }

    private ThreadStep step(int threads) throws IOException, InterruptedException {
        MailboxWorkload work = new MailboxWorkload(
                databases.all(),
                new MailboxWorkload.Plan(
                        request.mix(),
                        threads,
                        request.lazyShare(),
                        null,
                        request.seed() + threads));
        work.begin();
        try {
            pause(work, sample);
            List<IoCounts> from = counts();
            long began = System.nanoTime();
            List<Double> rates = new ArrayList<>();
            List<IoCounts> last = from;
            while (rates.size() < SAMPLES_MAX && !agree(rates)) {
                long at = System.nanoTime();
                pause(work, sample);
                List<IoCounts> now = counts();
                rates.add(io(last, now) / ((System.nanoTime() - at) / 1e9));
                last = now;
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            return new ThreadStep(threads, seconds, io(from, last) / seconds, latency(from, last));
        } finally {
            work.stop(STOP);
        }
    }

    private static void pause(MailboxWorkload work, Duration time)
            throws IOException, InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
        work.requireSound();
    }

    private static boolean agree(List<Double> rates) {
        if (rates.size() < SAMPLES) {
            return false;
        }
        List<Double> latest = rates.subList(rates.size() - SAMPLES, rates.size());
        double mean = latest.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        return latest.stream().allMatch(rate -> Math.abs(rate - mean) <= NEAR * mean);
    }

    private List<IoCounts> counts() {
        return databases.all().stream()
                .map(database -> database.operations().counts())
                .toList();
    }

    private static double io(List<IoCounts> from, List<IoCounts> to) {
        return grown(from, to, IoCounter.DB_READS) + grown(from, to, IoCounter.DB_WRITES);
    }

    private static @Nullable Double latency(List<IoCounts> from, List<IoCounts> to) {
        double reads = grown(from, to, IoCounter.DB_READS);
        return reads == 0 ? null : grown(from, to, IoCounter.DB_READ_NS) / 1e6 / reads;
    }

    private static double grown(List<IoCounts> from, List<IoCounts> to, IoCounter counter) {
        double sum = 0;
        for (int i = 0; i < from.size(); i++) {
            sum += to.get(i).get(counter) - from.get(i).get(counter);
        }
        return sum;
    }
}
