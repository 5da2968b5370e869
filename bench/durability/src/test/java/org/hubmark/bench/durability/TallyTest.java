package org.hubmark.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.durability.result.CrashResult;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** Proves what each class forgives: the ledger is written by hand, and so is what survived. */
class TallyTest {
    private static final Durability SYNCED = new Durability.Synced();
    private static final Durability.Periodic PERIODIC =
            new Durability.Periodic(Duration.ofMillis(10));
    private static final long WINDOW_NANOS = Duration.ofMillis(10).toNanos();
    private static final LossWindow WINDOW = new LossWindow(WINDOW_NANOS, null, 0);

    @TempDir
    Path folder;

    @AutoClose
    private Ledger ledger;

    @BeforeEach
    void open() throws IOException {
        ledger = new Ledger(folder.resolve("ledger.csv"), 7);
    }

    @Test
    void nothingIsWrongWhenAllIsThere() {
        Survivors survivors = survivors(acknowledged(), acknowledged());
        Tally tally = tally(SYNCED, CrashKind.KILL);
        assertThat(tally.judge(ledger, survivors, System.nanoTime(), LossWindow.NOTHING))
                .isNull();
        assertThat(count(tally, CrashResult.LOST)).isZero();
        assertThat(count(tally, CrashResult.LOSS_WINDOW_NS)).isNaN();
    }

    /** One that was acknowledged so long before the crash, of which 10 ms may take it. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "synced, KILL, 0, 1 acknowledged messages lost",
                "periodic=10ms, KILL, 0, 1 acknowledged messages lost",
                "none, KILL, 0, 1 acknowledged messages lost",
                "synced, EIO, 10000000, lost",
                "periodic=10ms, EIO, 10000000, -",
                "periodic=10ms, EIO, 10000001, more than the window",
                "none, EIO, 10000001, -",
                // A flip may take what nothing says was synced.
                "synced, FLIP, 10000000, -",
                "synced, FLIP, 10000001, lost",
                // Acknowledged after the power had gone.
                "synced, EIO, -1, -",
            })
    void aLostMessageBreaksThePromiseOfItsClass(
            String durability, CrashKind kind, long ageNanos, @Nullable String said) {
        Ledger.Entry entry = acknowledged();
        Tally tally = tally(Durability.parse(durability), kind);
        String broken = tally.judge(ledger, survivors(), entry.ackedNanos + ageNanos, WINDOW);
        assertThat(String.valueOf(broken)).contains(String.valueOf(said));
        assertThat(count(tally, CrashResult.LOST)).isEqualTo(ageNanos < 0 ? 0 : 1);
    }

    @Test
    void periodicPromisesTwoPeriodsAndTheLongestSyncWhateverIsMeasured() {
        Ledger.Entry entry = acknowledged();
        long syncNanos = WINDOW_NANOS / 2;
        long promisedNanos = 2 * WINDOW_NANOS + syncNanos;
        Tally tally = tally(PERIODIC, CrashKind.POWER);
        long lastNanos = entry.ackedNanos + promisedNanos;
        LossWindow inTime = LossWindow.known(PERIODIC, entry.ackedNanos, lastNanos, syncNanos);
        assertThat(judgeAgain(tally, lastNanos, inTime)).isNull();
        LossWindow late = LossWindow.known(PERIODIC, entry.ackedNanos, lastNanos + 1, syncNanos);
        assertThat(judgeAgain(tally, lastNanos + 1, late))
                .contains("two periods and the longest sync are 25.0 ms");
        // What the machine did is not the store's, and after a failed sync there is none to wait
        // for.
        assertThat(judgeAgain(tally, lastNanos + 1, late.stalledFor(1))).isNull();
        assertThat(judgeAgain(tally, lastNanos + 1, late.withoutSyncs())).isNull();
    }

    @Test
    void aFaultThatWasNeverFeltHasNoVerdict() {
        Tally tally = tally(SYNCED, CrashKind.EIO);
        assertThat(tally.skipped()).isEqualTo("not tried before the end");
        tally.unfelt("it writes nothing");
        assertThat(tally.skipped()).isEqualTo("never felt, in 1 attempt: it writes nothing");
        assertThat(tally.crashes()).isZero();
        tally.crashed();
        assertThat(tally.skipped()).contains("nothing was acknowledged, in 1 crash");
        tally.acknowledged(1);
        assertThat(tally.skipped()).isNull();
        assertThat(count(tally, CrashResult.CRASHES)).isOne();
        assertThat(tally.attempts()).isEqualTo(2);
    }

    @Test
    void reportedDamageForgivesTheMessagesThatItNames() {
        Ledger.Entry named = acknowledged();
        named.queueId = "01JQZZZZZZZZ1";
        Survivors survivors = survivors();
        survivors.report("01JQZZZZZZZZ1: extent 0 of its content can't be read");
        assertThat(judge(CrashKind.FLIP, survivors)).isNull();
        assertThat(judge(CrashKind.KILL, survivors)).contains("the queue is damaged");
        Ledger.Entry other = acknowledged();
        other.queueId = "01JQZZZZZZZZ2";
        assertThat(judge(CrashKind.FLIP, survivors)).contains("1 acknowledged messages lost");
        survivors.reportUnreadable("can't open the queue");
        assertThat(judge(CrashKind.FLIP, survivors)).isNull();
    }

    @Test
    void anotherContentBreaksEveryPromise() {
        Ledger.Entry entry = acknowledged();
        byte[] content = LedgerMessage.content(entry.token);
        content[content.length - 3] ^= 1;
        for (CrashKind kind : CrashKind.values()) {
            Survivors survivors = new Survivors(ledger, false);
            survivors.add(content);
            entry.corrupted = false;
            Tally tally = tally(new Durability.None(), kind);
            assertThat(tally.judge(ledger, survivors, System.nanoTime(), LossWindow.NOTHING))
                    .contains("1 messages came back with another content");
            assertThat(count(tally, CrashResult.CORRUPTED)).isOne();
        }
    }

    @Test
    void copiesAndOrderAreCountedOnce() {
        Ledger.Entry first = acknowledged();
        Ledger.Entry second = acknowledged();
        Tally tally = tally(SYNCED, CrashKind.KILL);
        for (int check = 0; check < 2; check++) {
            Survivors survivors = survivors(second, first, first);
            assertThat(tally.judge(ledger, survivors, System.nanoTime(), LossWindow.NOTHING))
                    .isNull();
        }
        assertThat(count(tally, CrashResult.DUPLICATED)).isOne();
        assertThat(count(tally, CrashResult.REORDERED)).isOne();
    }

    @Test
    void whatWasCountedIsCountedOn() {
        acknowledged();
        Tally first = tally(SYNCED, CrashKind.KILL);
        first.crashed();
        first.acknowledged(3);
        first.recovered(1_000_000);
        assertThat(first.judge(ledger, survivors(), System.nanoTime(), LossWindow.NOTHING))
                .isNotNull();
        first.failed(7, "lost");
        Tally second = tally(SYNCED, CrashKind.KILL);
        second.add(first.counted());
        assertThat(second.counted()).isEqualTo(first.counted());
        second.add(first.counted());
        assertThat(count(second, CrashResult.ACKNOWLEDGED)).isEqualTo(6);
        assertThat(count(second, CrashResult.LOSS_WINDOW_NS))
                .isEqualTo(count(first, CrashResult.LOSS_WINDOW_NS));
        assertThat(second.counted().texts(CrashResult.SEEDS_OF_FAILURES)).containsExactly("7", "7");
    }

    private static double count(Tally tally, Counter counter) {
        return tally.counted().count(counter);
    }

    private @Nullable String judge(CrashKind kind, Survivors survivors) {
        ledger.entries().forEach(entry -> entry.lost = false);
        return tally(SYNCED, kind).judge(ledger, survivors, System.nanoTime(), LossWindow.NOTHING);
    }

    private @Nullable String judgeAgain(Tally tally, long crashNanos, LossWindow window) {
        ledger.entries().forEach(entry -> entry.lost = false);
        return tally.judge(ledger, survivors(), crashNanos, window);
    }

    private static Tally tally(Durability durability, CrashKind kind) {
        return new Tally("test", durability, kind);
    }

    private Ledger.Entry acknowledged() {
        return MadeEntries.acknowledged(ledger);
    }

    private Survivors survivors(Ledger.Entry... entries) {
        Survivors survivors = new Survivors(ledger, false);
        for (Ledger.Entry entry : entries) {
            survivors.add(("Received: from x\r\n"
                            + new String(
                                    LedgerMessage.content(entry.token), StandardCharsets.US_ASCII))
                    .getBytes(StandardCharsets.US_ASCII));
        }
        return survivors;
    }
}
