package org.hubmark.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/** Proves what each class forgives: the ledger is written by hand, and so is what survived. */
class TallyTest {
    private static final Durability SYNCED = new Durability.Synced();
    private static final Durability PERIODIC = new Durability.Periodic(Duration.ofMillis(10));
    private static final Durability NONE = new Durability.None();
    private static final long WINDOW_NANOS = Duration.ofMillis(10).toNanos();
    private static final LossWindow WINDOW = new LossWindow(WINDOW_NANOS, null, 0);

    @TempDir
    Path folder;

    private Ledger ledger;

    @BeforeEach
    void open() throws IOException {
        ledger = new Ledger(folder.resolve("ledger.csv"), 7);
    }

    @AfterEach
    void close() throws IOException {
        ledger.close();
    }

    @Test
    void nothingIsWrongWhenAllIsThere() {
        Survivors survivors = survivors(acknowledged(), acknowledged());
        Tally tally = tally(SYNCED, Kind.KILL);
        assertThat(tally.judge(ledger, survivors, System.nanoTime(), LossWindow.NOTHING))
                .isNull();
        assertThat(tally.verdict().lostMsgs()).isZero();
        assertThat(tally.verdict().lossWindowMs()).isNull();
    }

    @Test
    void aLostMessageBreaksEveryPromiseWhereTheSystemLived() {
        acknowledged();
        for (Durability durability : new Durability[] {SYNCED, PERIODIC, NONE}) {
            ledger.entries().forEach(entry -> entry.lost = false);
            Tally tally = tally(durability, Kind.KILL);
            assertThat(tally.judge(ledger, survivors(), System.nanoTime(), WINDOW))
                    .contains("1 acknowledged messages lost");
            assertThat(tally.verdict().lostMsgs()).isOne();
        }
    }

    @Test
    void periodicMayLoseItsWindowAndNoneMayLoseAll() {
        Ledger.Entry entry = acknowledged();
        long withinNanos = entry.ackedNanos + WINDOW_NANOS;
        assertThat(judge(SYNCED, Kind.EIO, withinNanos)).contains("lost");
        assertThat(judge(PERIODIC, Kind.EIO, withinNanos)).isNull();
        assertThat(judge(PERIODIC, Kind.EIO, withinNanos + 1)).contains("more than the window");
        assertThat(judge(NONE, Kind.EIO, withinNanos + 1)).isNull();
    }

    @Test
    void periodicPromisesTwoPeriodsAndTheLongestSyncWhateverIsMeasured() {
        Ledger.Entry entry = acknowledged();
        Durability.Periodic periodic = new Durability.Periodic(Duration.ofMillis(10));
        long syncNanos = WINDOW_NANOS / 2;
        long promisedNanos = 2 * WINDOW_NANOS + syncNanos;
        Tally tally = tally(periodic, Kind.POWER);
        long lastNanos = entry.ackedNanos + promisedNanos;
        LossWindow inTime = LossWindow.since(periodic, entry.ackedNanos, lastNanos, syncNanos);
        assertThat(judgeAgain(tally, lastNanos, inTime)).isNull();
        LossWindow late = LossWindow.since(periodic, entry.ackedNanos, lastNanos + 1, syncNanos);
        assertThat(judgeAgain(tally, lastNanos + 1, late))
                .contains("two periods and the longest sync are 25.0 ms");
        // What the machine did is not the store's, and after a failed sync there is none to wait
        // for.
        assertThat(judgeAgain(tally, lastNanos + 1, late.stalledFor(1))).isNull();
        assertThat(judgeAgain(tally, lastNanos + 1, late.withoutSyncs())).isNull();
        assertThat(tally.verdict().crashesWithLoss()).isEqualTo(4);
    }

    @Test
    void aFlipMayTakeWhatNothingSaysWasSynced() {
        Ledger.Entry entry = acknowledged();
        assertThat(judge(SYNCED, Kind.FLIP, entry.ackedNanos + WINDOW_NANOS)).isNull();
        assertThat(judge(SYNCED, Kind.FLIP, entry.ackedNanos + WINDOW_NANOS + 1))
                .contains("lost");
    }

    @Test
    void aFaultThatWasNeverFeltHasNoVerdict() {
        Tally tally = tally(SYNCED, Kind.EIO);
        assertThat(tally.skipped()).isEqualTo("not tried before the end");
        tally.unfelt("it writes nothing");
        assertThat(tally.skipped()).isEqualTo("never felt, in 1 attempt: it writes nothing");
        assertThat(tally.crashes()).isZero();
        tally.crashed();
        assertThat(tally.skipped()).contains("nothing was acknowledged, in 1 crash");
        tally.acknowledged(1);
        assertThat(tally.skipped()).isNull();
        assertThat(tally.verdict().crashes()).isOne();
        assertThat(tally.attempts()).isEqualTo(2);
    }

    @Test
    void whatWasAcknowledgedAfterThePowerHadGoneIsNotCounted() {
        Ledger.Entry entry = acknowledged();
        assertThat(judge(SYNCED, Kind.EIO, entry.ackedNanos - 1)).isNull();
    }

    @Test
    void reportedDamageForgivesTheMessagesThatItNames() {
        Ledger.Entry named = acknowledged();
        named.queueId = "01JQZZZZZZZZ1";
        Survivors survivors = survivors();
        survivors.report("01JQZZZZZZZZ1: extent 0 of its content can't be read");
        assertThat(judge(Kind.FLIP, survivors)).isNull();
        assertThat(judge(Kind.KILL, survivors)).contains("the queue is damaged");
        Ledger.Entry other = acknowledged();
        other.queueId = "01JQZZZZZZZZ2";
        assertThat(judge(Kind.FLIP, survivors)).contains("1 acknowledged messages lost");
        survivors.reportUnreadable("can't open the queue");
        assertThat(judge(Kind.FLIP, survivors)).isNull();
    }

    @Test
    void theChanceOfALossIsBoundedByTheCount() {
        assertThat(LossBound.of(0, 0)).isEqualTo(new LossBound(null, null));
        assertThat(LossBound.of(60, 0)).isEqualTo(new LossBound(0.05, "rule of three"));
        assertThat(LossBound.of(2, 0).upper()).isEqualTo(1.0);
        // Clopper and Pearson, one-sided: 1 of 20 is below 21.6 %, 20 of 20 says nothing.
        LossBound one = LossBound.of(20, 1);
        assertThat(one.method()).isEqualTo("exact binomial");
        assertThat(Objects.requireNonNull(one.upper())).isCloseTo(0.216, within(0.001));
        assertThat(LossBound.of(20, 20).upper()).isEqualTo(1.0);
    }

    @Test
    void anotherContentBreaksEveryPromise() {
        Ledger.Entry entry = acknowledged();
        byte[] content = LedgerMessage.content(entry.token);
        content[content.length - 3] ^= 1;
        for (Kind kind : Kind.values()) {
            Survivors survivors = new Survivors(ledger, false);
            survivors.add(content);
            entry.corrupted = false;
            Tally tally = tally(NONE, kind);
            assertThat(tally.judge(ledger, survivors, System.nanoTime(), LossWindow.NOTHING))
                    .contains("1 messages came back with another content");
            assertThat(tally.verdict().corruptedMsgs()).isOne();
        }
    }

    @Test
    void copiesAndOrderAreCountedOnce() {
        Ledger.Entry first = acknowledged();
        Ledger.Entry second = acknowledged();
        Tally tally = tally(SYNCED, Kind.KILL);
        for (int check = 0; check < 2; check++) {
            Survivors survivors = survivors(second, first, first);
            assertThat(tally.judge(ledger, survivors, System.nanoTime(), LossWindow.NOTHING))
                    .isNull();
        }
        assertThat(tally.verdict().duplicatedMsgs()).isOne();
        assertThat(tally.verdict().reorderedMsgs()).isOne();
    }

    private @Nullable String judge(Kind kind, Survivors survivors) {
        ledger.entries().forEach(entry -> entry.lost = false);
        return tally(SYNCED, kind).judge(ledger, survivors, System.nanoTime(), LossWindow.NOTHING);
    }

    private @Nullable String judgeAgain(Tally tally, long crashNanos, LossWindow window) {
        ledger.entries().forEach(entry -> entry.lost = false);
        return tally.judge(ledger, survivors(), crashNanos, window);
    }

    private @Nullable String judge(Durability durability, Kind kind, long crashNanos) {
        ledger.entries().forEach(entry -> entry.lost = false);
        return tally(durability, kind).judge(ledger, survivors(), crashNanos, WINDOW);
    }

    private static Tally tally(Durability durability, Kind kind) {
        return new Tally("test", durability, kind);
    }

    private Ledger.Entry acknowledged() {
        long token = ledger.newToken();
        byte[] digest =
                Objects.requireNonNull(LedgerMessage.digest(LedgerMessage.content(token), false));
        Ledger.Entry entry = ledger.add(token, 0, digest);
        ledger.sending(entry);
        ledger.acknowledged(entry);
        return entry;
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
