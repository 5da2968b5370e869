package org.hubmark.bench.durability;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/**
 * One server on fresh volumes over some crashes: started, loaded, crashed, and what it left is
 * compared with the ledger. One seed, one thread.
 *
 * @param library sees the syncs and lets writes fail; null where nobody does
 * @param ignoreFlushes whether recorded devices lie about flushes, so that mail must be lost
 */
record History(
        Target target,
        Tally tally,
        long seed,
        Path folder,
        int connections,
        @Nullable PreloadLibrary library,
        boolean ignoreFlushes) {
    private static final Duration FIRST_MAIL_TIMEOUT = Duration.ofSeconds(20);
    private static final int FIRST_MAIL_MAX = 120;

    /**
     * What happened.
     *
     * @param crashes so many
     * @param failure what broke the promise, or null
     */
    record Outcome(int crashes, @Nullable String failure) {}

    /** Crashes the server some times. The folder is removed unless a promise was broken. */
    Outcome run(int count) throws IOException, InterruptedException {
        Random random = Seeds.random(seed);
        Outcome outcome;
        try (Ledger ledger = new Ledger(folder.resolve("ledger.csv"), seed)) {
            outcome = tally.kind() == CrashKind.POWER
                    ? PowerCuts.run(this, count, ledger, random)
                    : crash(count, ledger, random);
        }
        if (outcome.failure() == null) {
            Folders.delete(folder);
        }
        return outcome;
    }

    private Outcome crash(int count, Ledger ledger, Random random)
            throws IOException, InterruptedException {
        Path data = Files.createDirectories(folder.resolve("data"));
        String failure = null;
        int crashes = 0;
        while (crashes < count && failure == null) {
            try (FaultControl faults = faults()) {
                failure = live(data, ledger, random, faults);
            } catch (CrashServer.StartException e) {
                failure = String.valueOf(e.getMessage());
            }
            crashes++;
        }
        return new Outcome(crashes, failure);
    }

    boolean ownHub() {
        return target instanceof HubTarget;
    }

    FaultControl faults() throws IOException {
        return FaultControl.open(library, folder.resolve("faults"));
    }

    /** {@return how the server is started on the folder of its files} */
    CrashServer.Launch launch(Path data, FaultControl faults) throws IOException {
        Path watched = ownHub() ? HubTarget.log(data) : null;
        return target.launch(
                data,
                tally.durability(),
                faults.environment(data, watched),
                folder.resolve("server.txt"));
    }

    Load load(CrashServer server, Ledger ledger) {
        return new Load(ledger, server.address(), connections, target.anyLineEnds());
    }

    /** {@return the faults where they see what our own hub has synced; else null} */
    @Nullable
    FaultControl watched(FaultControl faults) {
        return library != null && ownHub() ? faults : null;
    }

    /**
     * {@return what a crash may take}
     *
     * @param delayNanos the longest that a sync may have been kept from beginning
     */
    LossWindow window(@Nullable FaultControl watched, long crashNanos, long delayNanos)
            throws IOException {
        return LossWindow.of(tally.durability(), tally.kind(), watched, crashNanos, delayNanos);
    }

    /** Notes what a server that is started on what a crash left finds there. */
    void recover(Path left, Survivors survivors) throws IOException, InterruptedException {
        try {
            tally.recovered(target.recover(left, tally.durability(), folder, survivors));
        } catch (CrashServer.StartException e) {
            survivors.report(String.valueOf(e.getMessage()));
        }
    }

    private @Nullable String live(Path data, Ledger ledger, Random random, FaultControl faults)
            throws IOException, InterruptedException {
        LossWindow window;
        long crashNanos;
        String unfelt;
        try (CrashServer server = CrashServer.start(launch(data, faults));
                Load load = load(server, ledger)) {
            load.awaitAcknowledged(random.nextInt(FIRST_MAIL_MAX), FIRST_MAIL_TIMEOUT);
            unfelt = tally.kind().act(server, faults, random);
            long starvedNanos = Starvation.nanos(server.processIds().getFirst());
            server.close();
            load.stop();
            crashNanos = System.nanoTime();
            window = window(watched(faults), crashNanos, load.longestDelayNanos())
                    .stalledFor(Math.max(load.longestStallNanos(), starvedNanos));
            tally.acknowledged(load.acknowledged());
        }
        return check(data, ledger, random, crashNanos, window, unfelt);
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
        if (ownHub()) {
            // Its store is opened here, which changes it.
            left = folder.resolve("check");
            Folders.copy(data, left);
        }
        String flipped = tally.kind() == CrashKind.FLIP ? BitFlips.flip(left, random) : "";
        Survivors survivors = new Survivors(ledger, target.anyLineEnds());
        recover(left, survivors);
        Tally.requireUninterrupted();
        long lostBefore = tally.lost();
        String failure = tally.judge(ledger, survivors, crashNanos, window);
        String unfelt = unfeltByServer;
        if (unfelt == null
                && tally.kind() == CrashKind.FLIP
                && failure == null
                && survivors.damage().isEmpty()
                && tally.lost() == lostBefore) {
            unfelt = flipped.isEmpty() ? "there was nothing to flip" : "it hit no data in use";
        }
        if (unfelt == null) {
            tally.crashed();
        } else {
            tally.unfelt(unfelt);
        }
        if (failure == null && ownHub()) {
            Folders.delete(left);
        }
        return failure == null || flipped.isEmpty() ? failure : failure + "; flipped: " + flipped;
    }
}
