package org.hubmark.bench.durability;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The cuts of a history on recorded devices whose power goes at some moments of a server's life. Each time
 * the devices are kept as the cut leaves them, while the server goes on; afterwards each state is mounted
 * and compared with what the ledger held at its moment. One thread.
 */
final class PowerCuts {
    private static final Duration FIRST_MAIL_TIMEOUT = Duration.ofSeconds(20);
    private static final int FIRST_MAIL_MAX = 60;
    private static final int PAUSE_MICROS_MAX = 250_000;
    private static final int CLOSE_PAUSE_MICROS_MAX = 100_000;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(60);
    private static final String AFTER_CLOSE = "after a clean close";

    private final History history;
    private final Tally tally;
    private final Ledger ledger;
    private final Random random;
    private final Recorder recorder;
    private final List<Cut> cuts = new ArrayList<>();
    private int numbers;
    private long longestDelayNanos;

    /**
     * A state of the devices that was kept.
     *
     * @param what was going on
     * @param nanos mail acknowledged before that must be there
     * @param window what may be lost; null where nobody saw the syncs
     */
    private record Cut(
            int number, String what, long nanos, @Nullable LossWindow window) {}

    private PowerCuts(History history, Ledger ledger, Random random, Recorder recorder) {
        this.history = history;
        this.tally = history.tally();
        this.ledger = ledger;
        this.random = random;
        this.recorder = recorder;
    }

    /** Keeps so many states, or fewer where the server ended before. */
    static History.Outcome run(History history, int count, Ledger ledger, Random random)
            throws IOException, InterruptedException {
        Layout layout = Layout.of(history.seed(), history.ownHub());
        int checked = 0;
        try (Recorder recorder = Recorder.create(history.folder().resolve("device"), layout)) {
            if (history.ignoreFlushes()) {
                recorder.ignoreFlushes();
            }
            PowerCuts cuts = new PowerCuts(history, ledger, random, recorder);
            String failure = cuts.cutPower(count);
            for (Cut cut : cuts.cuts) {
                if (failure == null) {
                    failure = cuts.check(cut);
                    checked++;
                }
            }
            // The moments are drawn for so many: fewer would not repeat it.
            return failure == null
                    ? new History.Outcome(checked, null)
                    : new History.Outcome(count, layout + ": " + failure);
        }
    }

    /** Most cuts are under load; some are during the close and after it. */
    private @Nullable String cutPower(int count) throws IOException, InterruptedException {
        int atClose = 0;
        for (int i = 0; i < count; i++) {
            atClose += random.nextInt(4) == 0 ? 1 : 0;
        }
        try (FaultControl faults = history.faults();
                CrashServer server = CrashServer.start(history.launch(recorder.data(), faults));
                Load load = history.load(server, ledger)) {
            FaultControl watched = history.watched(faults);
            load.awaitAcknowledged(random.nextInt(FIRST_MAIL_MAX), FIRST_MAIL_TIMEOUT);
            for (int i = atClose; i < count; i++) {
                TimeUnit.MICROSECONDS.sleep(random.nextInt(PAUSE_MICROS_MAX));
                cut(() -> "under load", watched);
            }
            String failure = atClose == 0 ? null : close(server, atClose, watched);
            server.close();
            load.stop();
            tally.acknowledged(load.acknowledged());
            tally.inDoubt(ledger.inDoubt().size());
            ledger.flush();
            longestDelayNanos = load.longestDelayNanos();
            return failure;
        }
    }

    /** Asks what was going on once the power is off: what still runs then ran all the time. */
    private void cut(Supplier<String> what, @Nullable FaultControl watched) throws IOException {
        long nanos = System.nanoTime();
        // After that moment and before the cut: what is synced by then is on the device.
        LossWindow window = watched == null ? null : history.window(watched, nanos, 0);
        int number = ++numbers;
        recorder.cut(number, random.nextLong());
        cuts.add(new Cut(number, what.get(), nanos, window));
    }

    private @Nullable String close(CrashServer server, int count, @Nullable FaultControl watched)
            throws IOException, InterruptedException {
        server.signal("TERM");
        for (int i = 1; i < count; i++) {
            TimeUnit.MICROSECONDS.sleep(random.nextInt(CLOSE_PAUSE_MICROS_MAX));
            boolean ran = server.isAlive();
            cut(
                    () -> server.isAlive()
                            ? "during a clean close"
                            : ran ? "as a clean close ended" : AFTER_CLOSE,
                    watched);
        }
        if (!server.awaitEnd(CLOSE_TIMEOUT)) {
            return "the server did not end within " + CLOSE_TIMEOUT.toSeconds() + " s of SIGTERM";
        }
        cut(() -> AFTER_CLOSE, watched);
        return null;
    }

    private @Nullable String check(Cut cut) throws IOException, InterruptedException {
        Survivors survivors = new Survivors(ledger, history.target().anyLineEnds());
        boolean mounted = false;
        String filesystemLost = null;
        try {
            Path data = recorder.mount(cut.number);
            mounted = true;
            history.recover(data, survivors);
        } catch (IOException e) {
            // Nobody can go on with what is there, and everybody is told.
            if (mounted || history.ignoreFlushes()) {
                survivors.reportUnreadable((mounted ? "" : "the file system: ") + e.getMessage());
            } else {
                // Nothing that a server does can prevent that: it says nothing about the server.
                filesystemLost = "the file system did not survive: " + e.getMessage();
            }
        }
        Tally.requireUninterrupted();
        String failure = null;
        if (filesystemLost == null) {
            tally.crashed();
            LossWindow window = cut.window != null
                    ? cut.window
                    : history.window(null, cut.nanos, longestDelayNanos);
            failure = tally.judge(ledger, survivors, cut.nanos, window);
        } else {
            tally.unfelt(filesystemLost);
        }
        recorder.unmount();
        recorder.drop(cut.number);
        return failure == null ? null : cut.what + ": " + failure;
    }
}
