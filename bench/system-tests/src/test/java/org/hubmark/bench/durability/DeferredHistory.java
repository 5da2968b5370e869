package org.hubmark.bench.durability;

import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.core.QueuedMessage;
import org.hubmark.queue.QueueReader;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Our own hub with mail that its next hop does not take yet, while its clock is stepped back and forth by
 * days. The last step is ahead of all others, so everything is due then: each message must be tried again
 * soon, and with an expiry that is longer than the steps none may be given up. Then the hub is killed,
 * before or while the next hop takes the mail.
 *
 * @param clock steps the hub's clock; the machine's stays
 * @param patient whether the expiry is longer than all steps, and not shorter than most of them
 */
record DeferredHistory(HubLife life, FaultControl clock, DeferringSink nextHop, boolean patient) {
    private static final int MAIL_MIN = 20;
    private static final int MAIL_RANGE = 60;
    private static final int STEPS_MAX = 5;
    private static final int STEP_DAYS_MAX = 10;
    private static final Duration LAST_STEP = Duration.ofDays(1);
    private static final int PAUSE_MICROS_MAX = 300_000;

    static @Nullable String run(HubLife life) throws IOException, InterruptedException {
        boolean patient = life.random().nextBoolean();
        String failure;
        PreloadLibrary library = PreloadLibrary.load(life.folder());
        try (FaultControl clock = FaultControl.open(library, life.folder().resolve("faults"));
                DeferringSink nextHop = new DeferringSink(life.ledger())) {
            failure = new DeferredHistory(life, clock, nextHop, patient).live();
            failure = failure == null ? nextHop.failure() : failure;
        } catch (CrashServer.StartException e) {
            failure = String.valueOf(e.getMessage());
            life.tally().unfelt(failure);
        }
        return failure == null ? check(life, patient) : failure;
    }

    private @Nullable String live() throws IOException, InterruptedException {
        long startNanos = System.nanoTime();
        Map<String, String> settings = new HashMap<>(DeferringSink.RETRIES);
        settings.put("delivery.expire-after", patient ? "9600h" : "48h");
        // What is given up is a dead letter then, and stays.
        settings.put("delivery.notifications", "false");
        CrashServer.Launch launch =
                life.launch(clock.environment(life.data(), null), nextHop.delivery(), settings);
        try (CrashServer server = CrashServer.start(launch)) {
            life.send(
                    server,
                    load -> HubLife.awaitMail(load, MAIL_MIN + life.random().nextInt(MAIL_RANGE)));
            return nextHop.awaitTried(startNanos)
                    ? step()
                    : "a new message was not tried within " + HubLife.WAIT.toSeconds() + " s";
        }
    }

    private @Nullable String step() throws IOException, InterruptedException {
        Random random = life.random();
        long firstNanos = System.nanoTime();
        long highest = 0;
        int steps = 1 + random.nextInt(STEPS_MAX);
        for (int i = 0; i < steps; i++) {
            long seconds =
                    (long) ((random.nextDouble() * 2 - 1) * TimeUnit.DAYS.toSeconds(STEP_DAYS_MAX));
            highest = Math.max(highest, seconds);
            clock.set(FaultControl.CLOCK_OFFSET_NS, TimeUnit.SECONDS.toNanos(seconds));
            TimeUnit.MICROSECONDS.sleep(random.nextInt(PAUSE_MICROS_MAX));
        }
        // A message given up at an earlier step is not tried again.
        long sinceNanos = patient ? System.nanoTime() : firstNanos;
        clock.set(
                FaultControl.CLOCK_OFFSET_NS,
                TimeUnit.SECONDS.toNanos(highest) + LAST_STEP.toNanos());
        boolean tried = nextHop.awaitTried(sinceNanos);
        if (clock.struck() > 0) {
            life.tally().crashed();
        } else {
            life.tally().unfelt("the hub did not look at its clock through the library");
        }
        if (!tried) {
            return "a deferred message was not tried within " + HubLife.WAIT.toSeconds()
                    + " s after the clock was stepped ahead of its time";
        }
        if (random.nextBoolean()) {
            nextHop.accept();
            TimeUnit.MICROSECONDS.sleep(random.nextInt(PAUSE_MICROS_MAX));
        }
        return null;
    }

    private static @Nullable String check(HubLife life, boolean patient)
            throws IOException, InterruptedException {
        long crashNanos = System.nanoTime();
        Path left = life.left();
        String failure =
                life.judge(left, new Survivors(life.ledger(), false), List.of(), crashNanos);
        AtomicLong dead = new AtomicLong();
        try (QueueReader reader = QueueReader.open(HubTarget.log(left), HubTarget.queue(left))) {
            reader.forEach(
                    message -> dead.addAndGet(message.state() == QueuedMessage.State.DEAD ? 1 : 0));
        }
        return failure == null && patient && dead.get() > 0
                ? dead + " messages were given up before their time"
                : failure;
    }
}
