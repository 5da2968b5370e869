package org.hubmark.bench.durability;

import org.hubmark.bench.hub.Program;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.core.QueuedMessage;
import org.hubmark.queue.QueueReader;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Our own hub with mail that its next hop does not take yet, while its clock is stepped back and forth by
 * days. The last step is ahead of all others, so everything is due then: each message must be tried again
 * soon, and with an expiry that is longer than the steps none may be given up. Then the hub is killed,
 * before or while the next hop takes the mail. One seed, one thread.
 */
final class DeferredHistory {
    private static final int MAIL_MIN = 20;
    private static final int MAIL_RANGE = 60;
    private static final Duration MAIL_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration FIRST_ATTEMPT_TIMEOUT = Duration.ofSeconds(20);
    /** Longest wait of the schedule, what the hub needs to look at its clock, and a busy machine. */
    private static final Duration NEXT_ATTEMPT_TIMEOUT = Duration.ofSeconds(20);

    private static final int STEPS_MAX = 5;
    private static final int STEP_DAYS_MAX = 10;
    private static final Duration LAST_STEP = Duration.ofDays(1);
    /** Longer than all steps; and shorter than most of them. */
    private static final String PATIENT = "9600h";

    private static final String IMPATIENT = "48h";
    private static final int PAUSE_MICROS_MAX = 300_000;
    private static final long POLL_MILLIS = 2;

    private final Tally tally;
    private final long seed;
    private final Path folder;
    private final int connections;
    private final HubTarget target;
    private final PreloadLibrary faultLibrary;

    DeferredHistory(
            Program program,
            Tally tally,
            long seed,
            Path folder,
            int connections,
            PreloadLibrary faultLibrary) {
        this.target = new HubTarget(program);
        this.tally = tally;
        this.seed = seed;
        this.folder = folder;
        this.connections = connections;
        this.faultLibrary = faultLibrary;
    }

    /** One hub. The folder is removed unless a promise was broken. */
    History.Outcome run() throws IOException, InterruptedException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Random random = Seeds.random(seed);
        boolean patient = random.nextBoolean();
        String failure;
        try (Ledger ledger = new Ledger(folder.resolve("ledger.csv"), seed)) {
            try (DeferringSink nextHop = new DeferringSink(ledger)) {
                failure = live(data, ledger, nextHop, random, patient);
                if (failure == null && nextHop.corrupted() > 0) {
                    failure = nextHop.corrupted() + " messages were delivered with another content";
                }
            } catch (CrashServer.StartException e) {
                failure = String.valueOf(e.getMessage());
                tally.unfelt(failure);
            }
            if (failure == null) {
                failure = check(data, ledger, patient);
            }
        }
        if (failure == null) {
            Folders.delete(folder);
        }
        return new History.Outcome(1, failure);
    }

    private @Nullable String live(
            Path data, Ledger ledger, DeferringSink nextHop, Random random, boolean patient)
            throws IOException, InterruptedException {
        long startNanos = System.nanoTime();
        try (FaultControl clock = FaultControl.open(faultLibrary, folder.resolve("faults"))) {
            Map<String, String> settings = new HashMap<>();
            settings.put("delivery.retry-min", "100ms");
            settings.put("delivery.retry-max", "500ms");
            settings.put("delivery.expire-after", patient ? PATIENT : IMPATIENT);
            // What is given up is a dead letter then, and stays.
            settings.put("delivery.notifications", "false");
            CrashServer.Launch launch = target.launch(
                    data,
                    tally.durability(),
                    clock.environment(data, null),
                    folder.resolve("server.txt"),
                    nextHop.delivery(),
                    settings);
            try (CrashServer server = CrashServer.start(launch)) {
                try (Load load = new Load(ledger, server.address(), connections, false)) {
                    load.awaitAcknowledged(MAIL_MIN + random.nextInt(MAIL_RANGE), MAIL_TIMEOUT);
                    load.stop();
                    tally.acknowledged(load.acknowledged());
                    tally.inDoubt(ledger.inDoubt().size());
                }
                if (!await(
                        ledger,
                        entry -> nextHop.wasTried(entry, startNanos),
                        FIRST_ATTEMPT_TIMEOUT)) {
                    return "a new message was not tried within " + FIRST_ATTEMPT_TIMEOUT.toSeconds()
                            + " s";
                }
                return step(clock, ledger, nextHop, random, patient);
            }
        }
    }

    /** Steps the hub's clock; the machine's stays. */
    private static void step(FaultControl clock, Duration offset) throws IOException {
        clock.set(FaultControl.CLOCK_OFFSET_NS, offset.toNanos());
    }

    private @Nullable String step(
            FaultControl clock,
            Ledger ledger,
            DeferringSink nextHop,
            Random random,
            boolean patient)
            throws IOException, InterruptedException {
        long firstNanos = System.nanoTime();
        long highest = 0;
        int steps = 1 + random.nextInt(STEPS_MAX);
        for (int i = 0; i < steps; i++) {
            long seconds =
                    (long) ((random.nextDouble() * 2 - 1) * TimeUnit.DAYS.toSeconds(STEP_DAYS_MAX));
            highest = Math.max(highest, seconds);
            step(clock, Duration.ofSeconds(seconds));
            TimeUnit.MICROSECONDS.sleep(random.nextInt(PAUSE_MICROS_MAX));
        }
        // A message given up at an earlier step is not tried again.
        long sinceNanos = patient ? System.nanoTime() : firstNanos;
        step(clock, Duration.ofSeconds(highest).plus(LAST_STEP));
        boolean tried =
                await(ledger, entry -> nextHop.wasTried(entry, sinceNanos), NEXT_ATTEMPT_TIMEOUT);
        if (clock.struck() > 0) {
            tally.crashed();
        } else {
            tally.unfelt("the hub did not look at its clock through the library");
        }
        if (!tried) {
            return "a deferred message was not tried within " + NEXT_ATTEMPT_TIMEOUT.toSeconds()
                    + " s after the clock was stepped ahead of its time";
        }
        if (random.nextBoolean()) {
            nextHop.accept();
            TimeUnit.MICROSECONDS.sleep(random.nextInt(PAUSE_MICROS_MAX));
        }
        return null;
    }

    private static boolean await(Ledger ledger, Predicate<Ledger.Entry> done, Duration timeout)
            throws InterruptedException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        while (!ledger.entries().stream().filter(entry -> entry.acked).allMatch(done)) {
            if (System.nanoTime() - deadlineNanos > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return true;
    }

    private @Nullable String check(Path data, Ledger ledger, boolean patient)
            throws IOException, InterruptedException {
        long crashNanos = System.nanoTime();
        ledger.flush();
        Survivors survivors = new Survivors(ledger, false);
        Path left = folder.resolve("check");
        Folders.copy(data, left);
        tally.recovered(target.recover(left, tally.durability(), folder, survivors));
        Tally.requireUninterrupted();
        String failure = tally.judge(ledger, survivors, crashNanos, LossWindow.NOTHING);
        AtomicLong dead = new AtomicLong();
        try (QueueReader reader = QueueReader.open(HubTarget.log(left), HubTarget.queue(left))) {
            reader.forEach(
                    message -> dead.addAndGet(message.state() == QueuedMessage.State.DEAD ? 1 : 0));
        }
        if (failure == null && patient && dead.get() > 0) {
            failure = dead + " messages were given up before their time";
        }
        if (failure == null) {
            Folders.delete(left);
        }
        return failure;
    }
}
