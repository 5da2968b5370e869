package org.hubmark.bench.qualify;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.core.Uninterrupted;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * Transactions on mailbox databases, by some threads for each. The first that fails ends them all: what
 * storage does after that is no measurement. One thread calls.
 */
final class MailboxWorkload implements Workload {
    private static final int DIGITS = 3;

    private final Plan plan;
    private final List<TransactionSchedule> schedules = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Map<TransactionKind, Recorder> intended = new EnumMap<>(TransactionKind.class);
    private final Map<TransactionKind, Recorder> actual = new EnumMap<>(TransactionKind.class);
    private final LongAdder begun = new LongAdder();
    private final LongAdder done = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();

    /**
     * What is done.
     *
     * @param threadsPerDatabase that do it
     * @param lazyShare of the commits that are not synced, 0 to 1
     * @param ratePerSecond in each database, at which the clock begins them at first; null for a closed
     *     loop
     */
    record Plan(
            TransactionMix mix,
            int threadsPerDatabase,
            double lazyShare,
            @Nullable Double ratePerSecond,
            long seed) {}

    MailboxWorkload(List<MailboxDatabase> databases, Plan plan) {
        this.plan = plan;
        for (TransactionKind kind : TransactionKind.values()) {
            intended.put(kind, new Recorder(DIGITS));
            actual.put(kind, new Recorder(DIGITS));
        }
        SplittableRandom seeds = new SplittableRandom(plan.seed());
        for (MailboxDatabase database : databases) {
            Double rate = plan.ratePerSecond();
            TransactionSchedule schedule = rate == null
                    ? TransactionSchedule.closed()
                    : TransactionSchedule.open(rate, seeds.split());
            schedules.add(schedule);
            for (int i = 0; i < plan.threadsPerDatabase(); i++) {
                SplittableRandom random = seeds.split();
                threads.add(Thread.ofPlatform()
                        .name(database.place().instance() + "-" + (i + 1))
                        .unstarted(() -> work(database, schedule, random)));
            }
        }
    }

    private void work(
            MailboxDatabase database, TransactionSchedule schedule, SplittableRandom random) {
        MessageSizes sizes = new MessageSizes(random.split());
        try {
            long due = schedule.await();
            while (due != TransactionSchedule.NONE) {
                begun.increment();
                TransactionKind kind = plan.mix().draw(random);
                boolean waits = random.nextDouble() >= plan.lazyShare();
                long from = System.nanoTime();
                bytes.add(database.run(kind, sizes, random, waits));
                long now = System.nanoTime();
                record(intended, kind, now - due);
                record(actual, kind, now - from);
                database.operations().add(IoCounter.TRANSACTIONS, 1);
                done.increment();
                due = schedule.await();
            }
        } catch (IOException e) {
            database.operations().add(IoCounter.ERRORS, 1);
            failure.compareAndSet(null, e);
            close();
        }
    }

    private static void record(
            Map<TransactionKind, Recorder> recorders, TransactionKind kind, long nanos) {
        Recorder recorder = recorders.get(kind);
        if (recorder != null) {
            recorder.recordValue(Math.max(0, nanos));
        }
    }

    @Override
    public void begin() {
        threads.forEach(Thread::start);
    }

    /**
     * Sets the rate of an open loop: the number of transactions a second that begin in that
     * database from now on.
     */
    void rate(int database, double perSecond) {
        schedules.get(database).rate(perSecond);
    }

    /** Throws the failure that has ended it, if one has. */
    void requireSound() throws IOException {
        IOException first = failure.get();
        if (first != null) {
            throw new IOException(first.getMessage(), first);
        }
    }

    @Override
    public LoadSnapshot snapshot() {
        long overdue =
                schedules.stream().mapToLong(TransactionSchedule::overdue).sum();
        long failed = failure.get() == null ? 0 : 1;
        return new LoadSnapshot(
                begun.sum(), done.sum(), bytes.sum(), 0, failed, 0, overdue, 0, null);
    }

    @Override
    public Map<String, Latency> takeLatencies() {
        Map<String, Latency> all = new HashMap<>();
        for (TransactionKind kind : TransactionKind.values()) {
            all.put(kind.label(), new Latency(take(intended, kind), take(actual, kind)));
        }
        return all;
    }

    private static Histogram take(Map<TransactionKind, Recorder> from, TransactionKind kind) {
        Recorder recorder = from.get(kind);
        return recorder == null ? new Histogram(DIGITS) : recorder.getIntervalHistogram();
    }

    @Override
    public int threads() {
        return threads.size();
    }

    @Override
    public boolean awaitFinished(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (Thread thread : threads) {
            long left = deadline - System.nanoTime();
            if (thread.isAlive() && (left <= 0 || !thread.join(Duration.ofNanos(left)))) {
                return false;
            }
        }
        return true;
    }

    /** Also in a thread that is interrupted: the databases can't be closed before. */
    @Override
    public void stop(Duration timeout) {
        close();
        threads.forEach(Uninterrupted::join);
    }

    @Override
    public void close() {
        schedules.forEach(TransactionSchedule::end);
    }
}
