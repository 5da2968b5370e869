package org.hubmark.bench.durability;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
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
    /** Recovering a log of this length takes that long, and so does closing. */
    private static final int EDGE_MICROS_MAX = 200_000;

    private static final int ONE_IN_STARTS = 8;
    private static final int ONE_IN_CLOSES = 5;

    private final Target target;
    private final Tally tally;
    private final long seed;
    private final Path folder;
    private final int connections;
    private final @Nullable PreloadLibrary faultLibrary;

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
            @Nullable PreloadLibrary faultLibrary) {
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
                // The last one never, so that there is always mail at stake.
                failure = crashes < lives - 1 && edge(random, ONE_IN_STARTS)
                        ? start(data, ledger, random)
                        : live(data, ledger, random, crashes == 0 ? firstStop : null);
                crashes++;
            }
        }
        if (failure == null) {
            Folders.delete(folder);
        }
        return new Outcome(crashes, failure);
    }

    private boolean edge(Random random, int oneIn) {
        return target instanceof HubTarget
                && InjectedFaults.reachesEdges(tally.kind())
                && random.nextInt(oneIn) == 0;
    }

    /** The fault comes while the server starts, for the first time or on what was left. */
    private @Nullable String start(Path data, Ledger ledger, Random random)
            throws IOException, InterruptedException {
        String unfelt;
        try (InjectedFaults faults = new InjectedFaults(tally.kind(), true, faultLibrary, folder)) {
            faults.arm(random);
            CrashedServer.Launch launch = target.launch(
                    data,
                    tally.durability(),
                    faults.conditions(data),
                    folder.resolve("server.txt"));
            // RocksDB begins a file for its messages each time.
            Path messages = HubTarget.queue(data).resolve("database/LOG");
            FileTime before = lastModified(messages);
            unfelt = CrashedServer.startAndKill(
                    launch,
                    () -> !lastModified(messages).equals(before),
                    Duration.ofNanos(1000L * random.nextInt(EDGE_MICROS_MAX)));
            if (InjectedFaults.needsLibrary(tally.kind())) {
                // It may well have ended by itself.
                unfelt = faults.unfeltAtEdge();
            }
        }
        return check(data, ledger, random, System.nanoTime(), LossWindow.NOTHING, unfelt);
    }

    private static FileTime lastModified(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            // Not there yet, or just being renamed.
            return FileTime.fromMillis(0);
        }
    }

    private @Nullable String live(Path data, Ledger ledger, Random random, @Nullable Duration stop)
            throws IOException, InterruptedException {
        LossWindow window = LossWindow.NOTHING;
        long crashNanos;
        String unfelt = null;
        try (InjectedFaults faults = new InjectedFaults(
                tally.kind(), target instanceof HubTarget, faultLibrary, folder)) {
            CrashedServer.Launch launch = target.launch(
                    data,
                    tally.durability(),
                    faults.conditions(data),
                    folder.resolve("server.txt"));
            try (CrashedServer server = CrashedServer.start(launch);
                    Load load =
                            new Load(ledger, server.address(), connections, target.anyLineEnds())) {
                load.awaitAcknowledged(random.nextInt(FIRST_MAIL_MAX), FIRST_MAIL_TIMEOUT);
                if (edge(random, ONE_IN_CLOSES)) {
                    unfelt = close(faults, server, random);
                } else {
                    faults.act(server, random, stop);
                    unfelt = faults.unfelt(server);
                }
                long starvedNanos = Starvation.nanos(server.processIds().getFirst());
                server.kill();
                load.stop();
                crashNanos = System.nanoTime();
                window = faults.window(tally.durability(), crashNanos, load.longestDelayNanos())
                        .stalledFor(Math.max(load.longestStallNanos(), starvedNanos));
                tally.acknowledged(load.acknowledged());
            } catch (CrashedServer.StartException e) {
                requireNotTold();
                return e.getMessage();
            }
        }
        return check(data, ledger, random, crashNanos, window, unfelt);
    }

    /** SIGTERM, and the fault while it drains, syncs and writes its index down. */
    private @Nullable String close(InjectedFaults faults, CrashedServer server, Random random)
            throws IOException, InterruptedException {
        faults.arm(random);
        server.signal("TERM");
        boolean ended = server.awaitEnd(Duration.ofNanos(1000L * random.nextInt(EDGE_MICROS_MAX)));
        if (InjectedFaults.needsLibrary(tally.kind())) {
            return faults.unfeltAtEdge();
        }
        return ended ? "the server had closed before it was killed" : null;
    }

    /** Ctrl-C reaches the server too, and may do so before it reaches us. */
    private static void requireNotTold() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(TOLD_MILLIS_MAX);
    }

    private @Nullable String check(
            Path data,
            Ledger ledger,
            Random random,
            long crashNanos,
            LossWindow window,
            @Nullable String unfeltByServer)
            throws IOException, InterruptedException {
        tally.inDoubt(ledger.inDoubt().size());
        ledger.flush();
        Path left = data;
        if (target.recoversOnCopy()) {
            left = folder.resolve("check");
            Folders.copy(data, left);
        }
        String flipped = tally.kind() == CrashKind.FLIP ? BitFlips.flip(left, random) : "";
        Survivors survivors = new Survivors(ledger, target.anyLineEnds());
        try {
            tally.recovered(target.recover(left, tally.durability(), folder, survivors));
        } catch (CrashedServer.StartException e) {
            survivors.report(String.valueOf(e.getMessage()));
        }
        Tally.requireUninterrupted();
        long lostBefore = tally.lost();
        String failure = tally.judge(ledger, survivors, crashNanos, window);
        String unfelt = unfeltByServer;
        if (unfelt == null
                && tally.kind() == CrashKind.FLIP
                && failure == null
                && survivors.damage().isEmpty()
                && tally.lost() == lostBefore) {
            unfelt = flipped.isEmpty()
                    ? "there was nothing to flip"
                    : "it hit nothing that is in use";
        }
        if (unfelt == null) {
            tally.crashed();
        } else {
            tally.unfelt(unfelt);
        }
        if (failure == null && target.recoversOnCopy()) {
            Folders.delete(left);
        }
        return failure == null || flipped.isEmpty() ? failure : failure + "; flipped: " + flipped;
    }
}
