package org.hubmark.bench.users;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.users.result.LevelForm;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * One run of one level: the mailboxes are made ready, the users play their day each on a virtual thread,
 * and then every message is looked for. One thread.
 */
final class LevelRun {
    /** Mailboxes that are made ready at once. */
    private static final int PREPARED_AT_ONCE = 32;

    private static final Duration TICK = Duration.ofMillis(250);
    private static final Duration END_TIMEOUT = Duration.ofSeconds(5);
    private static final long WRITER_SEED = 0x6d61696cL;

    private final UsersRequest request;
    private final MailPlaces places;
    private final ResourceMeter meter;
    private final Context context;
    private final long seed;
    private final String name;
    private final SentMail sentMail = new SentMail();
    private final TaskTally tally = new TaskTally();
    private final MessageWriter writer;
    private final List<String> notes = new ArrayList<>();

    LevelRun(
            UsersRequest request,
            MailPlaces places,
            ResourceMeter meter,
            Context context,
            long seed,
            String name) {
        this.request = request;
        this.places = places;
        this.meter = meter;
        this.context = context;
        this.seed = seed;
        this.name = name;
        this.writer = new MessageWriter(seed ^ WRITER_SEED);
    }

    /**
     * {@return what was counted; not complete when this thread was interrupted}
     *
     * @param number of the run, the first being 1
     */
    Repeat play(int number) throws InterruptedException {
        prepare();
        int users = places.population().users();
        RunClock clock = RunClock.begin(users, request.timing());
        RunParts parts = new RunParts(
                request,
                places,
                new Submission(places.target(), request.timing().timeout()),
                writer,
                sentMail,
                tally,
                clock,
                seed);
        List<UserDay> days = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int user = 0; user < users; user++) {
            UserDay day = new UserDay(parts, user);
            days.add(day);
            threads.add(Thread.ofVirtual().name("user-" + (user + 1)).start(day));
        }
        boolean complete = false;
        Repeat.Builder counted = Repeat.counted();
        Set<String> others = new TreeSet<>(context.others());
        try {
            awaitPhase("warm up", clock.beginNanos(), clock.measuredFromNanos());
            meter.begin();
            awaitPhase("measure", clock.measuredFromNanos(), clock.measuredToNanos());
            meter.end(counted);
            others.addAll(context.others());
            settle(clock);
            takeStock(clock, threads);
            complete = true;
        } catch (InterruptedException e) {
            meter.end(counted);
        } finally {
            end(days, threads);
        }
        count(clock, counted);
        return counted.complete(complete)
                .name(LevelForm.RUN, number)
                .name(LevelForm.NOTES, notes)
                .name(MachineMeter.OTHERS, List.copyOf(others))
                .made();
    }

    private void count(RunClock clock, Repeat.Builder counted) {
        long ran = Math.min(System.nanoTime(), clock.measuredToNanos());
        long nanos = Math.max(0, ran - clock.measuredFromNanos());
        double days =
                request.timing().compress() * nanos / request.timing().day().toNanos();
        int users = places.population().users();
        notes.addAll(tally.asides());
        counted.count(LevelForm.MEASURED_NS, nanos);
        tally.count(counted, request.profile());
        sentMail.count(counted, users * days);
    }

    private void prepare() throws InterruptedException {
        int users = places.population().users();
        MailboxPreparation preparation =
                new MailboxPreparation(request.profile(), places, writer, "fill-" + sentMail.run());
        context.phase(name + ", make mailboxes ready", Duration.ZERO);
        SplittableRandom random = new SplittableRandom(seed);
        try (ExecutorService pool = Executors.newFixedThreadPool(
                PREPARED_AT_ONCE, Thread.ofVirtual().factory())) {
            for (int user = 0; user < users; user++) {
                int one = user;
                SplittableRandom own = random.split();
                pool.execute(() -> {
                    try {
                        preparation.prepare(one, own);
                    } catch (IOException e) {
                        tally.failedAside("making a mailbox ready: "
                                + TaskFailure.of("IMAP", e).kind());
                    }
                });
            }
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private void awaitPhase(String what, long fromNanos, long toNanos) throws InterruptedException {
        context.phase(name + ", " + what, Duration.ofNanos(toNanos - fromNanos));
        for (long now = System.nanoTime(); now - toNanos < 0; now = System.nanoTime()) {
            context.elapsed(Duration.ofNanos(now - fromNanos), "");
            RunClock.sleepUntil(Math.min(toNanos, now + TICK.toNanos()));
        }
    }

    /** Waits for tasks that were due, and then for all mail. */
    private void settle(RunClock clock) throws InterruptedException {
        context.phase(name + ", wait for mail under way", Duration.ZERO);
        // Whoever has begun one at the end of the backlog may wait for each of its answers.
        Duration tasks =
                request.timing().settle().plus(request.timing().timeout().multipliedBy(4));
        var unused = clock.busy().await(tasks.toMillis(), TimeUnit.MILLISECONDS);
        long until = System.nanoTime() + request.timing().settle().toNanos();
        while (!sentMail.isComplete() && System.nanoTime() - until < 0) {
            RunClock.sleepUntil(System.nanoTime() + TICK.toNanos());
        }
        if (sentMail.isComplete()) {
            // What comes twice comes soon after: a look more by each client.
            RunClock.sleepUntil(System.nanoTime() + 2 * request.timing().poll().toNanos());
        }
    }

    private void takeStock(RunClock clock, List<Thread> threads) throws InterruptedException {
        context.phase(name + ", look for every message", Duration.ZERO);
        clock.stock().set(true);
        join(threads, request.timing().settle().plus(request.timing().timeout()));
    }

    private static void end(List<UserDay> days, List<Thread> threads) throws InterruptedException {
        threads.forEach(Thread::interrupt);
        days.forEach(UserDay::close);
        join(threads, END_TIMEOUT);
    }

    private static void join(List<Thread> threads, Duration timeout) throws InterruptedException {
        long until = System.nanoTime() + timeout.toNanos();
        for (Thread thread : threads) {
            var unused = thread.join(Duration.ofNanos(Math.max(1, until - System.nanoTime())));
        }
    }
}
