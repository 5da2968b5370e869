package org.hubmark.bench.durability;

import org.hubmark.bench.hub.Program;
import org.hubmark.bench.machine.folders.Folders;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * A hub of ours to which something happens while it runs and delivers: what all such histories do. One seed,
 * one thread.
 *
 * @param ledger what was sent
 * @param folder of all that the history writes; the files of the hub lie in {@link #data}
 */
record HubLife(Program program, Tally tally, Ledger ledger, Random random, Path folder) {
    /** How long a hub has to do what it must. */
    static final Duration WAIT = Duration.ofSeconds(60);

    /** How long mail is sent at most: a hub that has found its damage may have ended. */
    private static final Duration MAIL_MAX = Duration.ofSeconds(20);

    private static final int CONNECTIONS = 8;
    private static final long POLL_MILLIS = 10;

    /** What happens. */
    interface Story {
        /** {@return what breaks the promise, or null} */
        @Nullable
        String of(HubLife life) throws IOException, InterruptedException;
    }

    /** What is done while mail is sent. */
    interface Sending {
        void with(Load load) throws IOException, InterruptedException;
    }

    /** {@return what breaks the promise, or null} The folder is removed unless something did. */
    static @Nullable String run(Story story, Program program, Tally tally, long seed, Path folder)
            throws IOException, InterruptedException {
        String failure;
        try (Ledger ledger = new Ledger(folder.resolve("ledger.csv"), seed)) {
            HubLife life = new HubLife(program, tally, ledger, Seeds.random(seed), folder);
            Files.createDirectories(life.data());
            failure = story.of(life);
        }
        if (failure == null) {
            Folders.delete(folder);
        }
        return failure;
    }

    Path data() {
        return folder.resolve("data");
    }

    Path output() {
        return folder.resolve("server.txt");
    }

    CrashServer.Launch launch(
            Map<String, String> environment, String delivery, Map<String, String> settings)
            throws IOException {
        return new HubTarget(program)
                .launch(data(), tally.durability(), environment, output(), delivery, settings);
    }

    /** Sends mail. */
    void send(CrashServer server, Sending sending) throws IOException, InterruptedException {
        try (Load load = new Load(ledger, server.address(), CONNECTIONS, false)) {
            sending.with(load);
            load.stop();
            tally.acknowledged(load.acknowledged());
            tally.inDoubt(ledger.inDoubt().size());
        }
    }

    /** Waits until so many messages are acknowledged, or the time for it is over. */
    static void awaitMail(Load load, int count) throws InterruptedException {
        var unused = load.awaitAcknowledged(count, MAIL_MAX);
    }

    /** {@return whether it became so in time} */
    static boolean await(BooleanSupplier done) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + WAIT.toNanos();
        while (!done.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return true;
    }

    /** {@return whether a hub has ended, or delivered nothing more for a while, in time} */
    static boolean awaitQuiet(CrashServer server, LongSupplier delivered, Duration quiet)
            throws InterruptedException {
        long[] last = {-1, 0};
        return await(() -> {
            long now = delivered.getAsLong();
            if (now != last[0]) {
                last[0] = now;
                last[1] = System.nanoTime();
            }
            return !server.isAlive() || System.nanoTime() - last[1] > quiet.toNanos();
        });
    }

    /** {@return a copy of the hub's files as they are now} */
    Path left() throws IOException {
        ledger.flush();
        Path left = folder.resolve("check");
        Folders.copy(data(), left);
        return left;
    }

    /**
     * {@return what breaks the promise, or null}
     *
     * @param survivors to which what the hub's files hold is added
     * @param said what names messages
     * @param crashNanos when the hub was crashed
     */
    @Nullable
    String judge(Path files, Survivors survivors, List<String> said, long crashNanos)
            throws IOException, InterruptedException {
        said.forEach(survivors::report);
        tally.recovered(
                new HubTarget(program).recover(files, tally.durability(), folder, survivors));
        Tally.requireUninterrupted();
        return tally.judge(ledger, survivors, crashNanos, LossWindow.NOTHING);
    }
}
