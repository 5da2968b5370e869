package org.hubmark.bench.users;

import org.hubmark.bench.users.imap.ImapRefusal;
import org.hubmark.bench.users.profile.MessageTemplate;
import org.hubmark.bench.users.profile.Population;
import org.hubmark.bench.users.profile.Population.Recipients;
import org.hubmark.bench.users.profile.UserProfile;
import org.hubmark.bench.users.result.LevelForm;
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
                new TaskSchedule(profile(), logOn, run.dayNanos(), random.nextLong());
        RunClock.sleepUntil(logOn);
        var unused = logOn(logOn);
        for (; schedule.dueNanos() - clock.measuredToNanos() < 0; schedule.next()) {
            pollUntil(schedule.dueNanos());
            Task.Turn turn = turn(schedule.task(), schedule.dueNanos());
            begin(turn, turn.task()::act);
            react();
            requireGoOn();
        }
        pollUntil(clock.measuredToNanos());
    }

    private Task.Turn turn(Task task, long dueNanos) {
        return new Task.Turn(task, dueNanos, run.clock().measures(dueNanos));
    }

    private void begin(Task.Turn turn, Task.Act act) {
        if (System.nanoTime() - run.clock().lastStartNanos() < 0) {
            var unused = attempt(turn, (who, due) -> {
                TaskFailure none = mailbox.isConnected() ? null : logOn(System.nanoTime());
                if (none != null) {
                    throw none;
                }
                act.run(this, turn);
            });
            keepSent(turn.measured());
        } else if (turn.measured()) {
            // It could not begin in time, which is told by its being planned and not done.
            run.tally().planned(turn.task());
        }
    }

    /** Reads at once what has come, as far as users do: those who are told together read together. */
    private void react() {
        UserProfile.Reading reading = profile().reading();
        for (Mailbox.Notice notice : mailbox.takeNotices()) {
            if (notice.nanos() - run.clock().measuredToNanos() < 0
                    && isDrawn(reading.onReceiptPercent(), reactions)
                    && mailbox.holds(notice.message())) {
                boolean load = isDrawn(reading.loadAttachmentPercent(), reactions);
                begin(
                        turn(Task.REACT, notice.nanos()),
                        (who, due) -> mailbox.read(notice.message(), load));
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
                mailbox.tidy(profile().mailbox().inboxLimitMsgs());
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
        return attempt(new Task.Turn(Task.LOGON, dueNanos, true), (who, due) -> {
            mailbox.logOn();
            double poll = run.request().timing().poll().toNanos();
            nextPollNanos = System.nanoTime() + (long) (random.nextDouble() * poll);
        });
    }

    /** Keeps a copy of what the task before has sent, if anything, and the profile has it so. */
    private void keepSent(boolean measured) {
        byte[] content = unsaved;
        unsaved = null;
        if (content != null && profile().writing().saveSent()) {
            Task.Turn turn = new Task.Turn(Task.SAVE, System.nanoTime(), measured);
            var unused = attempt(turn, (who, due) -> mailbox.keepSent(content));
        }
    }

    /** {@return why it failed; null where it is done} */
    private @Nullable TaskFailure attempt(Task.Turn turn, Task.Act act) {
        if (turn.measured()) {
            run.tally().planned(turn.task());
        }
        try {
            act.run(this, turn);
            if (turn.measured()) {
                run.tally().done(turn.task(), System.nanoTime() - turn.dueNanos());
            }
            return null;
        } catch (IOException | TaskFailure e) {
            TaskFailure failure = e instanceof TaskFailure known ? known : failure((IOException) e);
            // What we broke off stays open.
            if (turn.measured() && !Thread.currentThread().isInterrupted()) {
                run.tally().failed(turn.task(), failure.kind());
            }
            return failure;
        }
    }

    /** {@return what the user does in a day} */
    UserProfile profile() {
        return run.request().profile();
    }

    /** {@return where the user's mail is} */
    Mailbox mailbox() {
        return mailbox;
    }

    /** {@return whether a chance, in percent, has come true} */
    boolean isDrawn(double percent) {
        return isDrawn(percent, random);
    }

    /** {@return a message of the inbox, which may be one that was not read where there is one} */
    Message any(boolean unread) throws TaskFailure {
        return mailbox.choose(unread, random);
    }

    /** {@return recipients of a new message} */
    Recipients chosen() {
        return population.choose(user, profile(), random);
    }

    /** {@return who wrote a message of the inbox; any other user when that is nobody else of these} */
    Recipients sender() throws TaskFailure {
        int from = any(false).from();
        return population.only(from < 0 || from == user ? population.other(user, random) : from);
    }

    /** {@return all whom a message of the inbox went to; those of a new one when it has none to several} */
    Recipients allOfOne() {
        Message several = mailbox.chooseToSeveral(random);
        return several == null ? chosen() : population.all(user, several.from(), several.to());
    }

    /**
     * Sends a message. New mail alone has something attached.
     *
     * @param original a message that is in it; null for none
     */
    void send(Task.Turn turn, Recipients to, @Nullable String original) throws TaskFailure {
        if (to.users().isEmpty()) {
            throw new TaskFailure("there is no other user to write to");
        }
        SentMail.Sent sent = run.sentMail().open(turn, to.users());
        String from = population.address(user);
        boolean isNew = LevelForm.SENT_NEW.equals(turn.task().sent());
        String subject = (original != null ? "Fwd: " : isNew ? "" : "Re: ") + MessageWriter.SUBJECT;
        MessageWriter.Head head = new MessageWriter.Head(sent.id(), from, to.to(), subject);
        MessageTemplate drawn = profile().draw(random);
        MessageTemplate template = isNew ? drawn : drawn.textOnly();
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
            run.tally().failedAside("counting the mail: " + failure(e).kind());
        }
    }
}
