package org.hubmark.bench.durability;

import org.hubmark.bench.folders.Folders;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * One server on fresh volumes over some crashes: started, loaded, crashed, and what it left is
 * compared with the ledger, again and again. One seed, one thread.
 */
final class History {
    private static final Duration FIRST_MAIL_TIMEOUT = Duration.ofSeconds(20);
    private static final int FIRST_MAIL_MAX = 120;
    private static final long TOLD_MILLIS_MAX = 500;

    private final Target target;
    private final Tally tally;
    private final long seed;
    private final Path folder;
    private final int connections;
    private final @Nullable Path faultLibrary;

    /**
     * What happened.
     *
     * @param crashes so many
     * @param failure what broke the promise, or null
     */
    record Outcome(int crashes, @Nullable String failure) {}

    History(
            Target target,
            Tally tally,
            long seed,
            Path folder,
            int connections,
            @Nullable Path faultLibrary) {
        this.target = target;
        this.tally = tally;
        this.seed = seed;
        this.folder = folder;
        this.connections = connections;
        this.faultLibrary = faultLibrary;
    }

    /**
     * Lives some times. The folder is removed unless a promise was broken.
     *
     * @param firstStop how long a stopped process stands still the first time; null for some moments
     */
    Outcome run(int lives, @Nullable Duration firstStop) throws IOException, InterruptedException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Random random = Seeds.random(seed);
        String failure = null;
        int crashes = 0;
        try (Ledger ledger = new Ledger(folder.resolve("ledger.csv"), seed)) {
            while (crashes < lives && failure == null) {
                failure = live(data, ledger, random, crashes == 0 ? firstStop : null);
                crashes++;
            }
        }
        if (failure == null) {
            Folders.delete(folder);
        }
        return new Outcome(crashes, failure);
    }

    private @Nullable String live(Path data, Ledger ledger, Random random, @Nullable Duration stop)
            throws IOException, InterruptedException {
        Window window = Window.NOTHING;
        long crashNanos;
        String unfelt = null;
        try (Faults faults =
                new Faults(tally.kind(), target instanceof HubTarget, faultLibrary, folder)) {
            CrashedServer.Launch launch = target.launch(
                    data,
                    tally.durability(),
                    faults.conditions(data, random),
                    folder.resolve("server.txt"));
            try (CrashedServer server = CrashedServer.start(launch);
                    Load load =
                            new Load(ledger, server.address(), connections, target.anyLineEnds())) {
                load.awaitAcknowledged(random.nextInt(FIRST_MAIL_MAX), FIRST_MAIL_TIMEOUT);
                faults.act(server, load, random, stop);
                unfelt = faults.unfelt(server, load);
                server.kill();
                load.stop();
                crashNanos = System.nanoTime();
                window = faults.window(tally.durability(), crashNanos, load.longestDelayNanos());
                tally.acknowledged(load.acknowledged());
            } catch (CrashedServer.StartException e) {
                requireNotTold();
                if (tally.kind() != Kind.MEMORY) {
                    return e.getMessage();
                }
                crashNanos = System.nanoTime();
            }
        }
        if (unfelt == null) {
            tally.crashed();
        } else {
            tally.unfelt(unfelt);
        }
        tally.inDoubt(ledger.inDoubt().size());
        ledger.flush();
        return check(data, ledger, random, crashNanos, window);
    }

    /** Ctrl-C reaches the server too, and may do so before it reaches us. */
    private static void requireNotTold() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(TOLD_MILLIS_MAX);
    }

    private @Nullable String check(
            Path data, Ledger ledger, Random random, long crashNanos, Window window)
            throws IOException, InterruptedException {
        Path left = data;
        if (target.recoversOnCopy()) {
            left = folder.resolve("check");
            Folders.copy(data, left);
        }
        String flipped = tally.kind() == Kind.FLIP ? BitFlips.flip(left, random) : "";
        Survivors survivors = new Survivors(ledger, target.anyLineEnds());
        try {
            tally.recovered(target.recover(left, tally.durability(), folder, survivors));
        } catch (CrashedServer.StartException e) {
            survivors.report(String.valueOf(e.getMessage()));
        }
        Tally.requireUninterrupted();
        String failure = tally.judge(ledger, survivors, crashNanos, window);
        if (failure == null && target.recoversOnCopy()) {
            Folders.delete(left);
        }
        return failure == null || flipped.isEmpty() ? failure : failure + "; flipped: " + flipped;
    }
}
