package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.pages.MailboxDatabase;
import org.hubmark.bench.qualify.pages.MessageSizes;
import org.hubmark.bench.qualify.pages.TransactionKind;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;
import org.hubmark.core.Uninterrupted;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Transactions on mailbox databases, by some threads for each, until it is closed. The first that fails ends them
 * all: what storage does after that is no measurement. One thread calls.
 */
final class MailboxWorkload implements TransactionLoop {
    private final List<MailboxDatabase> databases;
    private final Plan plan;
    private final List<TransactionSchedule> schedules = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
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

    private MailboxWorkload(List<MailboxDatabase> databases, Plan plan) {
        this.databases = databases;
        this.plan = plan;
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

    /** Begins. */
    static MailboxWorkload begin(List<MailboxDatabase> databases, Plan plan) {
        MailboxWorkload begun = new MailboxWorkload(databases, plan);
        begun.threads.forEach(Thread::start);
        return begun;
    }

    private void work(
            MailboxDatabase database, TransactionSchedule schedule, SplittableRandom random) {
        MessageSizes sizes = new MessageSizes(random.split());
        try {
            while (schedule.await()) {
                TransactionKind kind = plan.mix().draw(random);
                boolean waits = random.nextDouble() >= plan.lazyShare();
                var unused = database.run(kind, sizes, random, waits);
                database.operations().add(IoCounter.TRANSACTIONS, 1);
            }
        } catch (IOException e) {
            database.operations().add(IoCounter.ERRORS, 1);
            failure.compareAndSet(null, e);
            schedules.forEach(TransactionSchedule::end);
        }
    }

    /**
     * Sets the rate of an open loop: the number of transactions a second that begin in that
     * database from now on.
     */
    void rate(int database, double perSecond) {
        schedules.get(database).rate(perSecond);
    }

    @Override
    public void requireSound() throws IOException {
        IOException first = failure.get();
        if (first != null) {
            throw new IOException(first.getMessage(), first);
        }
    }

    @Override
    public IoCounts counts() {
        return databases.stream()
                .map(database -> database.operations().counts())
                .reduce(IoCounts.NONE, IoCounts::plus);
    }

    /** Also in a thread that is interrupted: the databases can't be closed before. */
    @Override
    public void close() {
        schedules.forEach(TransactionSchedule::end);
        threads.forEach(Uninterrupted::join);
    }
}
