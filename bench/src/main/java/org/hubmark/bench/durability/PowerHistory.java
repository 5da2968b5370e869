package org.hubmark.bench.durability;

import org.hubmark.bench.folders.Folders;
import org.hubmark.bench.volumes.SystemTool;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * One server on a device whose power is cut at some moments under load. Each time the device is kept
 * as the cut leaves it while the server goes on; afterwards each is repaired, mounted and compared with
 * what the ledger held at its moment. One seed, one thread.
 */
final class PowerHistory {
    private static final Duration FIRST_MAIL_TIMEOUT = Duration.ofSeconds(20);
    private static final int FIRST_MAIL_MAX = 60;
    private static final int PAUSE_MICROS_MAX = 250_000;

    private final Target target;
    private final Tally tally;
    private final long seed;
    private final Path folder;
    private final int connections;

    private final @Nullable Path faultLibrary;

    /** A moment at which the device was kept; the window is null where nobody saw the syncs. */
    private record Cut(int number, long nanos, @Nullable Window window) {}

    PowerHistory(
            Target target,
            Tally tally,
            long seed,
            Path folder,
            int connections,
            @Nullable Path faultLibrary) {
        this.faultLibrary = faultLibrary;
        this.target = target;
        this.tally = tally;
        this.seed = seed;
        this.folder = folder;
        this.connections = connections;
    }

    /** Cuts the power that often. The folder is removed unless a promise was broken. */
    History.Outcome run(int count) throws IOException, InterruptedException {
        Random random = Seeds.random(seed);
        String failure = null;
        int checked = 0;
        // By turns, so that a short run meets both.
        String filesystem = seed % 2 == 0 ? "ext4" : "xfs";
        try (Recorder recorder = Recorder.create(folder.resolve("device"), filesystem);
                Ledger ledger = new Ledger(folder.resolve("ledger.csv"), seed)) {
            Path data = Files.createDirectories(recorder.live().resolve("data"));
            // The folder itself is no mail.
            SystemTool.run(List.of("sync", "-f", data.toString()));
            List<Cut> cuts = new ArrayList<>();
            long longestDelayNanos = load(recorder, data, ledger, random, count, cuts);
            for (Cut cut : cuts) {
                tally.crashed();
                Window window = cut.window();
                failure = check(
                        recorder,
                        cut,
                        ledger,
                        window == null ? window(null, cut.nanos(), longestDelayNanos) : window);
                checked++;
                if (failure != null) {
                    failure = filesystem + ": " + failure;
                    break;
                }
            }
        }
        if (failure == null) {
            Folders.delete(folder);
        }
        return new History.Outcome(checked, failure);
    }

    private long load(
            Recorder recorder, Path data, Ledger ledger, Random random, int count, List<Cut> cuts)
            throws IOException, InterruptedException {
        FaultLibrary watch = faultLibrary == null
                ? null
                : FaultLibrary.open(faultLibrary, folder.resolve("faults"));
        Target.Conditions conditions = watch == null
                ? Target.Conditions.PLAIN
                : new Target.Conditions(List.of(), watch.environment(data, HubTarget.log(data)));
        CrashedServer.Launch launch =
                target.launch(data, tally.durability(), conditions, folder.resolve("server.txt"));
        try (watch;
                CrashedServer server = CrashedServer.start(launch);
                Load load = new Load(ledger, server.address(), connections, target.anyLineEnds())) {
            load.awaitAcknowledged(random.nextInt(FIRST_MAIL_MAX), FIRST_MAIL_TIMEOUT);
            for (int i = 0; i < count; i++) {
                TimeUnit.MICROSECONDS.sleep(random.nextInt(PAUSE_MICROS_MAX));
                long nanos = System.nanoTime();
                // After that moment and before the cut: what is synced by then is on the device.
                Window window = watch == null ? null : window(watch, nanos, 0);
                cuts.add(new Cut(recorder.cut(random.nextLong()), nanos, window));
            }
            server.kill();
            load.stop();
            tally.acknowledged(load.acknowledged());
            tally.inDoubt(ledger.inDoubt().size());
            ledger.flush();
            return load.longestDelayNanos();
        }
    }

    private Window window(@Nullable FaultLibrary watch, long nanos, long delayNanos)
            throws IOException {
        return Window.of(tally.durability(), tally.kind(), watch, nanos, delayNanos);
    }

    private @Nullable String check(Recorder recorder, Cut cut, Ledger ledger, Window window)
            throws IOException, InterruptedException {
        Survivors survivors = new Survivors(ledger, target.anyLineEnds());
        boolean mounted = false;
        try {
            Path data = recorder.mount(cut.number()).resolve("data");
            mounted = true;
            tally.recovered(target.recover(data, tally.durability(), folder, survivors));
        } catch (IOException e) {
            survivors.report((mounted ? "" : "the file system: ") + e.getMessage());
        }
        Tally.requireUninterrupted();
        String failure = tally.judge(ledger, survivors, cut.nanos(), window);
        if (failure != null) {
            recorder.save(cut.number(), folder.resolve("device-" + cut.number() + ".img"));
        }
        recorder.unmount(cut.number());
        return failure;
    }
}
