package org.hubmark.bench.users;

import org.hubmark.bench.users.imap.ImapRefusal;
import org.hubmark.bench.users.profile.MessageTemplate;
import org.hubmark.bench.users.profile.Population;
import org.hubmark.bench.users.profile.Population.Recipients;
import org.hubmark.bench.users.profile.UserProfile;
import org.hubmark.bench.users.result.Task;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One user: logs on, does one task after the other as they become due, looks for new mail in between,
 * and takes stock at the end. What fails is counted, and the day goes on; a connection that broke is
 * made anew with the next thing to do. A thread of its own; another one may end it.
 */
final class UserDay implements Runnable {
    /** In this share of the warm-up all users log on. */
    private static final double LOGON_SHARE = 0.75;

    /** Longest wait before a user looks whether stock is to be taken. */
    private static final Duration STOCK_IDLE = Duration.ofSeconds(5);

    /** For less, a client does not begin to wait for news. */
    private static final Duration IDLE_MIN = Duration.ofMillis(10);

    private static final long DAY_SEED = 0x9e3779b97f4a7c15L;

    private final RunParts run;
    private final int user;
    private final Population population;
    private final SplittableRandom random;
    /** Of its own: when mail comes is no matter of the seed. */
    private final SplittableRandom reactions;

    private final Mailbox mailbox;
    private long nextPollNanos;
    /** What was sent, of which a copy is to be kept. */
    private byte @Nullable [] unsaved;

    /** What a task does. */
    @FunctionalInterface
    private interface Act {
        void run() throws IOException, TaskFailure;
    }

    UserDay(RunParts run, int user) {
        this.run = run;
        this.user = user;
        this.population = run.places().population();
        this.random = new SplittableRandom(run.seed() + DAY_SEED * (user + 1));
        this.reactions = random.split();
        this.mailbox = new Mailbox(run.places(), run.sentMail(), user);
    }

    @Override
    public void run() {
        try {
            try {
                playDay();
            } finally {
                run.clock().busy().countDown();
            }
            awaitStock();
            takeStock();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            mailbox.close();
        }
    }

    /** Ends it from another thread. */
    void close() {
        mailbox.close();
    }

    private void playDay() throws InterruptedException {
        RunClock clock = run.clock();
        long window = clock.measuredFromNanos() - clock.beginNanos();
        long logOn = clock.beginNanos() + (long) (random.nextDouble() * LOGON_SHARE * window);
        TaskSchedule schedule =
                new TaskSchedule(run.request().profile(), logOn, run.dayNanos(), random.nextLong());
        RunClock.sleepUntil(logOn);
        var unused = logOn(logOn);
        for (; schedule.dueNanos() - clock.measuredToNanos() < 0; schedule.next()) {
            pollUntil(schedule.dueNanos());
            Task task = schedule.task();
            long due = schedule.dueNanos();
            begin(task, due, () -> act(task, due, clock.measures(due)));
            react();
            requireGoOn();
        }
        pollUntil(clock.measuredToNanos());
    }

    private void begin(Task task, long dueNanos, Act act) {
        boolean measured = run.clock().measures(dueNanos);
        if (System.nanoTime() - run.clock().lastStartNanos() < 0) {
            var unused = attempt(task, dueNanos, measured, () -> {
                TaskFailure none = mailbox.isConnected() ? null : logOn(System.nanoTime());
                if (none != null) {
                    throw none;
                }
                act.run();
            });
            keepSent(measured);
        } else if (measured) {
            // It could not begin in time, which is told by its being planned and not done.
            run.tally().planned(task);
        }
    }

    /** Reads at once what has come, as far as users do: those who are told together read together. */
    private void react() {
        UserProfile.Reading reading = run.request().profile().reading();
        for (Mailbox.Notice notice : mailbox.takeNotices()) {
            if (notice.nanos() - run.clock().measuredToNanos() < 0
                    && isDrawn(reading.onReceiptPercent(), reactions)
                    && mailbox.holds(notice.message())) {
                boolean load = isDrawn(reading.loadAttachmentPercent(), reactions);
                begin(Task.REACT, notice.nanos(), () -> mailbox.read(notice.message(), load));
            }
        }
    }

    private static boolean isDrawn(double percent, SplittableRandom from) {
        return from.nextDouble() * 100 < percent;
    }

    /** Looks for new mail until there is stock to be taken. */
    private void awaitStock() throws InterruptedException {
        look(false, 0);
        while (!run.clock().stock().get()) {
            pollUntil(System.nanoTime()
                    + Math.min(run.request().timing().poll().toNanos(), STOCK_IDLE.toNanos()));
        }
    }

    /** Waits, and looks for new mail meanwhile; at least now and then when tasks leave no time. */
    private void pollUntil(long dueNanos) throws InterruptedException {
        while (dueNanos - System.nanoTime() > 0) {
            if (mailbox.idles() && dueNanos - System.nanoTime() > IDLE_MIN.toNanos()) {
                look(true, dueNanos);
            } else if (nextPollNanos - dueNanos < 0) {
                RunClock.sleepUntil(nextPollNanos);
                look(false, dueNanos);
            } else {
                RunClock.sleepUntil(dueNanos);
            }
        }
        if (System.nanoTime() - nextPollNanos > run.request().timing().poll().toNanos()) {
            look(false, dueNanos);
        }
    }

    /**
     * Looks for new mail, reads what has come, and moves the oldest out of the inbox.
     *
     * @param waits for it by IDLE, at most until a moment; else it is asked for
     */
    private void look(boolean waits, long untilNanos) throws InterruptedException {
        boolean isBusy = !waits;
        try {
            if (waits) {
                isBusy = mailbox.idle(untilNanos);
            } else if (mailbox.isConnected() || logOn(System.nanoTime()) == null) {
                mailbox.poll();
            }
            if (isBusy) {
                react();
            }
            if (isBusy && mailbox.isConnected()) {
                mailbox.tidy(run.request().profile().mailbox().inboxLimitMsgs());
            }
        } catch (IOException e) {
            if (!Thread.currentThread().isInterrupted()) {
                run.tally().failedAside("looking for new mail: " + failure(e).kind());
            }
        }
        requireGoOn();
        nextPollNanos = System.nanoTime() + run.request().timing().poll().toNanos();
    }

    private static void requireGoOn() throws InterruptedException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedException();
        }
    }

    /** {@return what it means; the connection is given up if it is of no more use} */
    private TaskFailure failure(IOException e) {
        if (!(e instanceof ImapRefusal refusal) || refusal.isBye() || refusal.isOfLogon()) {
            mailbox.close();
        }
        return TaskFailure.of("IMAP", e);
    }

    /** {@return why it failed; null where it is done} Logons count whenever they are: most are in the warm-up. */
    private @Nullable TaskFailure logOn(long dueNanos) {
        return attempt(Task.LOGON, dueNanos, true, () -> {
            mailbox.logOn();
            nextPollNanos = System.nanoTime()
                    + (long)
                            (random.nextDouble() * run.request().timing().poll().toNanos());
        });
    }

    /** Keeps a copy of what the task before has sent, if anything, and the profile has it so. */
    private void keepSent(boolean measured) {
        byte[] content = unsaved;
        unsaved = null;
        if (content != null && run.request().profile().writing().saveSent()) {
            var unused = attempt(
                    Task.SAVE, System.nanoTime(), measured, () -> mailbox.keepSent(content));
        }
    }

    /** {@return why it failed; null where it is done} */
    private @Nullable TaskFailure attempt(Task task, long sinceNanos, boolean measured, Act act) {
        if (measured) {
            run.tally().planned(task);
        }
        try {
            act.run();
            if (measured) {
                run.tally().done(task, System.nanoTime() - sinceNanos);
            }
            return null;
        } catch (IOException e) {
            return failed(task, measured, failure(e));
        } catch (TaskFailure e) {
            return failed(task, measured, e);
        }
    }

    private TaskFailure failed(Task task, boolean measured, TaskFailure failure) {
        // What we broke off stays open.
        if (measured && !Thread.currentThread().isInterrupted()) {
            run.tally().failed(task, failure.kind());
        }
        return failure;
    }

    private void act(Task task, long dueNanos, boolean measured) throws IOException, TaskFailure {
        UserProfile profile = run.request().profile();
        switch (task) {
            case SEND -> {
                Recipients to = population.choose(user, profile, random);
                send(task, dueNanos, measured, to, null);
            }
            case REPLY -> {
                Message answered = existing(mailbox.choose(false, random));
                int to = answered.from() < 0 || answered.from() == user
                        ? population.other(user, random)
                        : answered.from();
                send(task, dueNanos, measured, population.only(to), null);
            }
            case REPLY_ALL -> {
                Message several = mailbox.chooseToSeveral(random);
                Recipients to = several == null
                        ? population.choose(user, profile, random)
                        : population.all(user, several.from(), several.to());
                send(task, dueNanos, measured, to, null);
            }
            case FORWARD -> {
                Message passedOn = existing(mailbox.choose(false, random));
                String original = mailbox.load(passedOn);
                Recipients to = population.choose(user, profile, random);
                send(task, dueNanos, measured, to, original);
            }
            case READ -> {
                boolean unread = isDrawn(profile.reading().newPercent(), random);
                boolean load = isDrawn(profile.reading().loadAttachmentPercent(), random);
                mailbox.read(existing(mailbox.choose(unread, random)), load);
            }
            case BROWSE -> mailbox.browse();
            case DELETE -> mailbox.delete(existing(mailbox.choose(false, random)));
            case MOVE -> mailbox.move(existing(mailbox.choose(false, random)));
            case LOGON, SAVE, REACT ->
                throw new IllegalStateException(task + " has no time of its own");
        }
    }

    private static Message existing(@Nullable Message chosen) throws TaskFailure {
        if (chosen == null) {
            throw new TaskFailure("the inbox is empty");
        }
        return chosen;
    }

    private void send(
            Task task, long dueNanos, boolean measured, Recipients to, @Nullable String original)
            throws IOException, TaskFailure {
        if (to.users().isEmpty()) {
            throw new TaskFailure("there is no other user to write to");
        }
        SentMail.Sent sent = run.sentMail().open(task, dueNanos, measured, to.users());
        String from = population.address(user);
        String subject = (original != null ? "Fwd: " : task == Task.SEND ? "" : "Re: ")
                + MessageWriter.SUBJECT;
        MessageWriter.Head head = new MessageWriter.Head(sent.id(), from, to.to(), subject);
        MessageTemplate drawn = run.request().profile().draw(random);
        MessageTemplate template = task == Task.SEND ? drawn : drawn.textOnly();
        byte[] content = run.writer().write(head, template, original, random);
        List<String> recipients = to.users().stream().map(population::address).toList();
        run.submission().send(user, from, recipients, content, sent);
        unsaved = content;
    }

    private void takeStock() {
        try {
            if (!mailbox.isConnected()) {
                mailbox.logOn();
            }
            mailbox.takeStock();
            run.sentMail().counted(user);
            mailbox.logOut();
        } catch (IOException e) {
            run.tally().failedAside("taking stock: " + failure(e).kind());
        }
    }
}
