package org.hubmark.bench.qualify.phase;

import org.hubmark.bench.qualify.pages.MailboxDatabase;
import org.hubmark.bench.qualify.pages.MessageSizes;
import org.hubmark.bench.qualify.pages.TransactionKind;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;
import org.hubmark.core.Uninterrupted;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Transactions on mailbox databases, by some threads for each, until it is closed, and what goes on beside them:
 * maintenance, and replication to the other copies. The first that fails ends all transactions: what storage
 * does after that is no measurement. One thread calls.
 */
final class MailboxWorkload implements AutoCloseable {
    private final List<MailboxDatabase> databases;
    private final Plan plan;
    private final List<TransactionSchedule> schedules = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Thread> beside = new ArrayList<>();
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

    /** Loads a database until its thread is interrupted. */
    interface Work {
        void run() throws IOException, InterruptedException;
    }

    private MailboxWorkload(List<MailboxDatabase> databases, Plan plan) {
        this.databases = databases;
        this.plan = plan;
        SplittableRandom seeds = new SplittableRandom(plan.seed());
        for (MailboxDatabase database : databases) {
            TransactionSchedule schedule =
                    new TransactionSchedule(plan.ratePerSecond(), seeds.split());
            schedules.add(schedule);
            for (int i = 0; i < plan.threadsPerDatabase(); i++) {
                SplittableRandom random = seeds.split();
                threads.add(Thread.ofPlatform()
                        .name(database.place().instance() + "-" + (i + 1))
                        .unstarted(() -> work(database, schedule, random)));
            }
        }
    }

    /** Begins transactions alone. */
    static MailboxWorkload begin(List<MailboxDatabase> databases, Plan plan) {
        return new MailboxWorkload(databases, plan).begun();
    }

    /** Begins transactions, and beside them what is asked for. */
    static MailboxWorkload begin(
            List<MailboxDatabase> databases, Plan plan, QualifyRequest.Load load) {
        MailboxWorkload all = new MailboxWorkload(databases, plan);
        for (MailboxDatabase database : databases) {
            if (load.maintenance()) {
                all.add(database, new BackgroundMaintenance(database));
            }
            for (int copy = 2; copy <= load.copies(); copy++) {
                all.add(database, new LogReplication(database));
            }
        }
        return all.begun();
    }

    private void add(MailboxDatabase database, Work work) {
        beside.add(Thread.ofPlatform()
                .name(database.place().instance() + "-beside")
                .unstarted(() -> {
                    try {
                        work.run();
                    } catch (InterruptedException | ClosedByInterruptException e) {
                        // Ended in the middle of its work.
                        return;
                    } catch (IOException e) {
                        failed(database, e);
                    }
                }));
    }

    private MailboxWorkload begun() {
        threads.forEach(Thread::start);
        beside.forEach(Thread::start);
        return this;
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
            failed(database, e);
        }
    }

    private void failed(MailboxDatabase database, IOException e) {
        database.operations().add(IoCounter.ERRORS, 1);
        failure.compareAndSet(null, e);
        schedules.forEach(TransactionSchedule::end);
    }

    /**
     * Sets the rate of an open loop: the number of transactions a second that begin in that
     * database from now on.
     */
    void rate(int database, double perSecond) {
        schedules.get(database).rate(perSecond);
    }

    /** Throws the failure that has ended them, if one has. */
    void requireSound() throws IOException {
        IOException first = failure.get();
        if (first != null) {
            throw new IOException(first.getMessage(), first);
        }
    }

    /** {@return what was counted so far, of all databases} */
    IoCounts counts() {
        return databases.stream()
                .map(database -> database.operations().counts())
                .reduce(IoCounts.NONE, IoCounts::plus);
    }

    /** Also in a thread that is interrupted: the databases can't be closed before. */
    @Override
    public void close() {
        schedules.forEach(TransactionSchedule::end);
        beside.forEach(Thread::interrupt);
        beside.forEach(Uninterrupted::join);
        threads.forEach(Uninterrupted::join);
    }
}
