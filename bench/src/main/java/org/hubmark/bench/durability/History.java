package org.hubmark.bench.durability;

import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/**
 * One server on fresh volumes over some crashes: started, loaded, crashed, and what it left is
 * compared with the ledger, again and again. One seed, one thread.
 */
final class History {
    private static final Duration FIRST_MAIL_TIMEOUT = Duration.ofSeconds(20);
    private static final int FIRST_MAIL_MAX = 120;
    private static final double NANOS_PER_MILLI = 1e6;

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
     * @param longForm whether the first stop of a process is a minute
     */
    Outcome run(int lives, boolean longForm) throws IOException, InterruptedException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Random random = Seeds.random(seed);
        String failure = null;
        int crashes = 0;
        try (Ledger ledger = new Ledger(folder.resolve("ledger.csv"), seed)) {
            while (crashes < lives && failure == null) {
                failure = live(data, ledger, random, longForm && crashes == 0);
                crashes++;
            }
        }
        if (failure == null) {
            Folders.delete(folder);
        }
        return new Outcome(crashes, failure);
    }

    private @Nullable String live(Path data, Ledger ledger, Random random, boolean longForm)
            throws IOException, InterruptedException {
        long longestDelayNanos;
        boolean felt;
        try (Faults faults = new Faults(tally.kind(), faultLibrary, folder)) {
            CrashedServer.Launch launch = target.launch(
                    data,
                    tally.durability(),
                    faults.conditions(data, random),
                    folder.resolve("server.txt"));
            try (CrashedServer server = CrashedServer.start(launch);
                    Load load =
                            new Load(ledger, server.address(), connections, target.anyLineEnds())) {
                load.awaitAcknowledged(random.nextInt(FIRST_MAIL_MAX), FIRST_MAIL_TIMEOUT);
                faults.act(server, random, longForm);
                felt = !server.isAlive() || load.refused() > 0 || load.broken() > 0;
                server.kill();
                load.stop();
                longestDelayNanos = load.longestDelayNanos();
                tally.acknowledged(load.acknowledged());
            } catch (CrashedServer.StartException e) {
                if (tally.kind() != Kind.MEMORY) {
                    return e.getMessage();
                }
                longestDelayNanos = 0;
                felt = true;
            }
        }
        tally.crashed(felt);
        tally.inDoubt(ledger.inDoubt().size());
        ledger.flush();
        return check(data, ledger, random, longestDelayNanos);
    }

    private @Nullable String check(Path data, Ledger ledger, Random random, long longestDelayNanos)
            throws IOException, InterruptedException {
        long crashNanos = System.nanoTime();
        Path left = data;
        if (target.recoversOnCopy()) {
            left = folder.resolve("check");
            Folders.copy(data, left);
        }
        String flipped = tally.kind() == Kind.FLIP ? Faults.flip(left, random) : "";
        Survivors survivors = new Survivors(ledger, target.anyLineEnds());
        try {
            tally.recovered(target.recover(left, tally.durability(), folder, survivors));
        } catch (CrashedServer.StartException e) {
            survivors.report(String.valueOf(e.getMessage()));
        }
        Tally.requireUninterrupted();
        String failure = tally.judge(
                ledger, survivors, crashNanos, allowedNanos(tally.durability(), longestDelayNanos));
        if (failure == null && target.recoversOnCopy()) {
            Folders.delete(left);
        }
        return failure == null || flipped.isEmpty() ? failure : failure + "; flipped: " + flipped;
    }

    /**
     * {@return how old a lost message of the class periodic may be at the crash: the period and, since
     * a sync that was under way may have been one that took long, the longest reply and stall seen}
     */
    static long allowedNanos(Durability durability, long longestDelayNanos) {
        return durability instanceof Durability.Periodic periodic
                ? periodic.period().toNanos() + longestDelayNanos
                : 0;
    }

    static double millis(long nanos) {
        return nanos / NANOS_PER_MILLI;
    }
}
