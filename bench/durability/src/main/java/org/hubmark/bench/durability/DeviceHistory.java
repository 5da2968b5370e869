package org.hubmark.bench.durability;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
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
 * One server on recorded devices whose power is cut at some moments of its life. Each time the devices are
 * kept as the cut leaves them, while the server goes on; afterwards each state is mounted and compared with
 * what the ledger held at its moment. One seed, one thread.
 */
final class DeviceHistory {
    private static final Duration FIRST_MAIL_TIMEOUT = Duration.ofSeconds(20);
    private static final int FIRST_MAIL_MAX = 60;
    private static final int PAUSE_MICROS_MAX = 250_000;
    /** A start on empty volumes makes about that many writes and flushes, a later one fewer. */
    private static final int START_REQUESTS_MAX = 60;

    private static final int CLOSE_REQUESTS_MAX = 24;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(60);

    private final Target target;
    private final Tally tally;
    private final long seed;
    private final Path folder;
    private final int connections;
    private final @Nullable PreloadLibrary faultLibrary;
    private final boolean ignoreFlushes;
    private final Layout layout;
    private final List<Cut> cuts = new ArrayList<>();
    private int numbers;

    /**
     * A state of the devices that was kept.
     *
     * @param what was going on
     * @param nanos mail acknowledged before that must be there
     * @param window what may be lost; null where nobody saw the syncs
     */
    private record Cut(
            int number, String what, long nanos, @Nullable LossWindow window) {}

    /**
     * Prepares.
     *
     * @param faultLibrary sees the syncs; null where nobody does
     * @param ignoreFlushes whether the devices lie about flushes, so that mail must be lost
     */
    DeviceHistory(
            Target target,
            Tally tally,
            long seed,
            Path folder,
            int connections,
            @Nullable PreloadLibrary faultLibrary,
            boolean ignoreFlushes) {
        this.target = target;
        this.tally = tally;
        this.seed = seed;
        this.folder = folder;
        this.connections = connections;
        this.faultLibrary = faultLibrary;
        this.ignoreFlushes = ignoreFlushes;
        this.layout = Layout.of(seed, target instanceof HubTarget);
    }

    /**
     * Keeps so many states, or fewer where the server ended before. The folder is removed unless a
     * promise was broken.
     */
    History.Outcome run(int count) throws IOException, InterruptedException {
        Random random = Seeds.random(seed);
        String failure;
        int checked = 0;
        try (Recorder recorder = Recorder.create(folder.resolve("device"), layout);
                Ledger ledger = new Ledger(folder.resolve("ledger.csv"), seed)) {
            if (ignoreFlushes) {
                recorder.ignoreFlushes();
            }
            FaultControl watch = faultLibrary == null
                    ? null
                    : FaultControl.open(faultLibrary, folder.resolve("faults"));
            long longestDelayNanos;
            try (watch) {
                Life life = new Life(recorder, ledger, random, watch);
                failure = life.cutPower(count);
                longestDelayNanos = life.longestDelayNanos;
            }
            for (Cut cut : cuts) {
                if (failure == null) {
                    failure = check(recorder, cut, ledger, longestDelayNanos);
                    checked++;
                }
            }
        }
        if (failure == null) {
            Folders.delete(folder);
            return new History.Outcome(checked, null);
        }
        // The moments are drawn for so many: fewer would not repeat it.
        return new History.Outcome(count, layout + ": " + failure);
    }

    /** The server's life, up to its end. */
    private final class Life {
        private final Recorder recorder;
        private final Ledger ledger;
        private final Random random;
        private final @Nullable FaultControl watch;
        private long longestDelayNanos;

        Life(Recorder recorder, Ledger ledger, Random random, @Nullable FaultControl watch) {
            this.recorder = recorder;
            this.ledger = ledger;
            this.random = random;
            this.watch = watch;
        }

        /** Most cuts are under load; some are during the first start, and some during the close. */
        @Nullable
        String cutPower(int count) throws IOException, InterruptedException {
            int atStart = 0;
            int atClose = 0;
            for (int i = 0; i < count; i++) {
                int moment = random.nextInt(8);
                atStart += moment == 0 ? 1 : 0;
                atClose += moment == 1 || moment == 2 ? 1 : 0;
            }
            List<Integer> armed = arm(atStart, START_REQUESTS_MAX);
            try (CrashedServer server = start();
                    Load load = load(server)) {
                take(armed, "during the first start");
                load.awaitAcknowledged(random.nextInt(FIRST_MAIL_MAX), FIRST_MAIL_TIMEOUT);
                for (int i = atStart + atClose; i < count; i++) {
                    TimeUnit.MICROSECONDS.sleep(random.nextInt(PAUSE_MICROS_MAX));
                    cut("under load");
                }
                String failure = atClose == 0 ? null : close(server, atClose);
                server.kill();
                end(load);
                return failure;
            }
        }

        private CrashedServer start() throws IOException, InterruptedException {
            Path data = recorder.data();
            Target.LaunchOptions conditions = watch == null
                    ? Target.LaunchOptions.PLAIN
                    : new Target.LaunchOptions(watch.environment(data, HubTarget.log(data)));
            return CrashedServer.start(
                    target.launch(data, tally.durability(), conditions, output()));
        }

        private Path output() {
            return folder.resolve("server.txt");
        }

        private Load load(CrashedServer server) {
            return new Load(ledger, server.address(), connections, target.anyLineEnds());
        }

        /** {@return cuts that come with a write or flush from now on} */
        private List<Integer> arm(int count, int requestsMax) throws IOException {
            List<Integer> armed = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                recorder.arm(++numbers, random.nextLong(), 1 + random.nextInt(requestsMax));
                armed.add(numbers);
            }
            return armed;
        }

        /** Those that have not come by now come now. */
        private void take(List<Integer> armed, String what) throws IOException {
            for (int number : armed) {
                if (recorder.cutNanos(number) == 0) {
                    recorder.cut(number, random.nextLong());
                }
                cuts.add(new Cut(number, what, recorder.cutNanos(number), null));
            }
        }

        private void cut(String what) throws IOException {
            cuts.add(keep(what));
        }

        private Cut keep(String what) throws IOException {
            long nanos = System.nanoTime();
            // After that moment and before the cut: what is synced by then is on the device.
            LossWindow window = window(nanos);
            int number = ++numbers;
            recorder.cut(number, random.nextLong());
            return new Cut(number, what, nanos, window);
        }

        private @Nullable String close(CrashedServer server, int count)
                throws IOException, InterruptedException {
            List<Integer> armed = arm(count - 1, CLOSE_REQUESTS_MAX);
            Path snapshot = HubTarget.unfinishedSnapshot(recorder.data());
            server.signal("TERM");
            boolean seen = false;
            long deadlineNanos = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
            while (server.isAlive() && System.nanoTime() < deadlineNanos) {
                if (!seen && Files.exists(snapshot)) {
                    seen = true;
                    cut("while the snapshot is written");
                }
                Thread.onSpinWait();
            }
            if (server.isAlive()) {
                return "the server did not end within " + CLOSE_TIMEOUT.toSeconds()
                        + " s of SIGTERM";
            }
            take(armed, "during a clean close");
            if (!seen) {
                cut("after a clean close");
            }
            return null;
        }

        private void end(Load load) throws IOException, InterruptedException {
            load.stop();
            tally.acknowledged(load.acknowledged());
            tally.inDoubt(ledger.inDoubt().size());
            ledger.flush();
            longestDelayNanos = load.longestDelayNanos();
        }

        private @Nullable LossWindow window(long nanos) throws IOException {
            return watch == null
                    ? null
                    : LossWindow.of(tally.durability(), tally.kind(), watch, nanos, 0);
        }
    }

    private @Nullable String check(
            Recorder recorder, Cut cut, Ledger ledger, long longestDelayNanos)
            throws IOException, InterruptedException {
        Survivors survivors = new Survivors(ledger, target.anyLineEnds());
        boolean mounted = false;
        String filesystemLost = null;
        try {
            Path data = recorder.mount(cut.number);
            mounted = true;
            tally.recovered(target.recover(data, tally.durability(), folder, survivors));
        } catch (CrashedServer.StartException e) {
            survivors.report(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            // Nobody can go on with what is there, and everybody is told.
            if (mounted || ignoreFlushes) {
                survivors.reportUnreadable((mounted ? "" : "the file system: ") + e.getMessage());
            } else {
                // Nothing that a server does can prevent that: it says nothing about the server.
                filesystemLost = "the file system did not survive: " + e.getMessage();
            }
        }
        Tally.requireUninterrupted();
        if (filesystemLost == null) {
            tally.crashed();
        } else {
            tally.unfelt(filesystemLost);
        }
        LossWindow window = cut.window != null
                ? cut.window
                : LossWindow.of(
                        tally.durability(), tally.kind(), null, cut.nanos, longestDelayNanos);
        String failure =
                filesystemLost == null ? tally.judge(ledger, survivors, cut.nanos, window) : null;
        if (failure != null) {
            recorder.save(cut.number, folder);
        }
        recorder.unmount();
        recorder.drop(cut.number);
        return failure == null ? null : cut.what + ": " + failure;
    }
}
