package org.hubmark.bench.durability;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Durability;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.core.StoreException;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.SimulatedLogVolume;
import org.hubmark.queue.StoreConfiguration;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/**
 * The store alone, in this process, on a log volume in memory that loses, tears and reorders what was
 * not synced, and whose writes and syncs fail; of the files of the queue database a power cut leaves
 * what RocksDB has synced and any part of the rest. Some hundred crashes a second where a machine would
 * manage one. With errors, one is thrown somewhere in it before the power goes. One seed; the power goes on the committer's thread, at the very moment of an answer, or
 * at any other, also while the store is opened or closed.
 */
final class SimulatedHistory {
    private static final int MAIL_MIN = 40;
    private static final int MAIL_RANGE = 80;
    private static final int ONE_IN_EXTENTS = 10;
    private static final int FAULTY_OPERATIONS_MAX = 120;
    /** An opening or a closing has fewer. */
    private static final int EDGE_OPERATIONS_MAX = 24;

    private static final int OPENING_MICROS_MAX = 8000;
    private static final int LEASES_MAX = 100_000;
    private static final int PERIODS_WAITED = 50;
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final long BUDGET_BYTES = 64 << 20;
    /** A log of so small segments wraps in each life, with messages that are shorter as well. */
    private static final int SEGMENT_BYTES = 128 << 10;

    private static final int MESSAGES_SHORTER = 8;
    private static final long MEMTABLE_BYTES = 1 << 10;
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-11-21T12:00:00Z"));
    private static final Executor THREADS =
            task -> Thread.ofPlatform().daemon().name("simulated-hub").start(task);
    private final Tally tally;
    private final long seed;
    private final Path folder;
    private final SimulatedLogVolume volume =
            new SimulatedLogVolume("simulated", SEGMENT_BYTES, MEMTABLE_BYTES);
    private final ContentBudget budget = new ContentBudget(BUDGET_BYTES);
    private final Random random;
    private final boolean errors;
    private @Nullable ThrownError error;
    /** The last one that was opened. */
    private volatile @Nullable QueueStore opened;

    private volatile LossWindow window = LossWindow.NOTHING;

    /** When the power goes. */
    private enum Moment {
        /** Right after the nth answer, before the committer does anything else. */
        ANSWER,
        /** At some moment while mail is handed over. */
        ANY,
        /** Before some write, sync or change of names. */
        OPERATION,
        /** After a sync has failed. */
        FAILED_SYNC,
        /** After a write has failed in part. */
        FAILED_WRITE,
        /** After an error was thrown somewhere. */
        ERROR,
        /** The same, but only the process ends. */
        ERROR_ALONE,
        /** While the store is closed in good order, or after a write or a sync of that has failed. */
        CLOSING,
        /** Not at all: only the process ends. */
        NEVER
    }

    /** Something did not come to an end in time. */
    private static final class OverdueException extends Exception {
        private static final long serialVersionUID = 1L;

        OverdueException(String what) {
            super(what + " did not come within " + DEADLINE.toSeconds() + " s");
        }
    }

    /**
     * Prepares.
     *
     * @param folder best in memory, where syncs of the queue database cost no more than those of the log here
     * @param errors whether an Error is thrown somewhere before each crash
     */
    SimulatedHistory(Tally tally, long seed, Path folder, boolean errors) {
        this.tally = tally;
        this.seed = seed;
        this.folder = folder;
        this.random = Seeds.random(seed);
        this.errors = errors;
    }

    /** Lives some times. The folder is removed unless a promise was broken. */
    History.Outcome run(int lives) throws IOException, InterruptedException {
        String failure = null;
        int crashes = 0;
        try (Ledger ledger = new Ledger(folder.resolve("ledger.csv"), seed);
                StallMeter stalls = new StallMeter()) {
            try {
                QueueStore store = open();
                while (crashes < lives && failure == null) {
                    stalls.reset();
                    long crashNanos = live(store, ledger);
                    crashes++;
                    tally.inDoubt(ledger.inDoubt().size());
                    if (random.nextInt(4) == 0) {
                        crashWhileOpening(crashNanos);
                    }
                    Survivors survivors = new Survivors(ledger, false);
                    List<Lease> leases = List.of();
                    long startNanos = System.nanoTime();
                    try {
                        store = open();
                        tally.recovered(System.nanoTime() - startNanos);
                        leases = readAll(store, survivors);
                    } catch (StoreException | UncheckedIOException e) {
                        survivors.report(String.valueOf(e.getMessage()));
                    }
                    Tally.requireUninterrupted();
                    LossWindow taken = window.stalledFor(stalls.longestNanos());
                    failure = tally.judge(ledger, survivors, crashNanos, taken);
                    if (error == null || error.end()) {
                        tally.crashed();
                    } else {
                        tally.unfelt("the store was closed before the error");
                    }
                    if (failure == null) {
                        settle(store, ledger, leases);
                    }
                }
                closeBroken(store, "the history is over");
            } catch (OverdueException e) {
                failure = e.getMessage();
            }
            if (failure != null) {
                volume.copyTo(folder.resolve("log"));
            }
        } finally {
            closeLast();
        }
        if (failure == null) {
            Folders.delete(folder);
        }
        return new History.Outcome(crashes, failure);
    }

    /**
     * A history that was interrupted leaves a store behind, whose database would still be busy when the
     * process ends: RocksDB waits then for its threads, and they for the JVM, which is gone.
     */
    private void closeLast() {
        QueueStore last = opened;
        if (last == null) {
            return;
        }
        try {
            last.closeBroken(new IOException("the history is over"));
        } catch (IOException | UncheckedIOException e) {
            // Of a store that was cut off nothing else is to be expected.
            return;
        }
    }

    private QueueStore open() throws IOException {
        volume.shortenWrites(random.nextLong());
        QueueStore store = volume.openStore(new StoreConfiguration(
                folder.resolve("log"),
                folder.resolve("queue"),
                tally.durability(),
                1 << 20,
                new Settings(Map.of("store.free-space-min", "1MiB")),
                CLOCK));
        opened = store;
        return store;
    }

    /**
     * Opens the store and cuts the power meanwhile, or lets a write or a sync fail: it may open or say
     * why not, and the next opening must find everything all the same. Nothing is acknowledged here.
     */
    private void crashWhileOpening(long crashNanos)
            throws IOException, OverdueException, InterruptedException {
        if (!volume.isOff()) {
            // Only the process had ended before: what it had not synced goes now.
            window = windowAt(crashNanos);
        }
        long crashSeed = random.nextLong();
        int operation = 1 + random.nextInt(EDGE_OPERATIONS_MAX);
        int choice = errors ? -1 : random.nextInt(4);
        ThrownError thrown = errors ? new ThrownError(volume, random, EDGE_OPERATIONS_MAX) : null;
        disturb(choice, operation, crashSeed, () -> volume.cutPower(crashSeed));
        CompletableFuture<@Nullable QueueStore> opening = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return open();
                    } catch (IOException | VirtualMachineError e) {
                        return null;
                    }
                },
                THREADS);
        QueueStore store;
        try {
            if (choice == 3) {
                TimeUnit.MICROSECONDS.sleep(random.nextInt(OPENING_MICROS_MAX));
                volume.cutPower(crashSeed);
            }
            store = await(opening, "the end of an opening that was disturbed");
        } catch (InterruptedException e) {
            var unused = opening.join();
            throw e;
        }
        if (thrown != null) {
            var unused = thrown.end();
        }
        if (!volume.isOff()) {
            volume.cutPower(crashSeed);
        }
        if (store != null) {
            closeBroken(store, "the power is gone (simulated)");
        }
    }

    /** Hands over mail until the power goes. {@return when that was} */
    private long live(QueueStore store, Ledger ledger)
            throws IOException, InterruptedException, OverdueException {
        Moment moment = moment();
        window = LossWindow.NOTHING;
        error = null;
        int count = MAIL_MIN + random.nextInt(MAIL_RANGE);
        int crashAt = 1 + random.nextInt(count);
        long crashSeed = random.nextLong();
        AtomicLong crashNanos = new AtomicLong();
        CountDownLatch answers = new CountDownLatch(count);
        AtomicLong acknowledged = new AtomicLong();
        AtomicBoolean broken = new AtomicBoolean();
        int operation = 1 + random.nextInt(FAULTY_OPERATIONS_MAX);
        switch (moment) {
            case FAILED_SYNC -> volume.failSync(operation, crashSeed);
            case FAILED_WRITE -> volume.failWrite(operation, crashSeed);
            case OPERATION ->
                volume.beforeOperation(operation, () -> cutPower(crashNanos, crashSeed));
            case ERROR, ERROR_ALONE -> error = new ThrownError(volume, random, EDGE_OPERATIONS_MAX);
            case ANSWER, ANY, CLOSING, NEVER -> {
                // Nothing fails before the power goes.
            }
        }
        for (int i = 0; i < count; i++) {
            if (moment == Moment.ANY && i == crashAt) {
                waitPeriods();
                cutPower(crashNanos, crashSeed);
            }
            byte[] octets = LedgerMessage.content(ledger.newToken(), MESSAGES_SHORTER);
            int ahead = random.nextInt(ONE_IN_EXTENTS) == 0 ? random.nextInt(octets.length) : 0;
            hand(store, budget, ledger, octets, ahead, (entry, receipt) -> {
                if (receipt instanceof Receipt.Queued && acknowledge(ledger, entry, crashNanos)) {
                    if (acknowledged.incrementAndGet() == crashAt && moment == Moment.ANSWER) {
                        cutPower(crashNanos, crashSeed);
                    }
                }
                if (receipt instanceof Receipt.Refused refused
                        && refused.reason() == Receipt.Reason.BROKEN) {
                    broken.set(true);
                }
                answers.countDown();
            });
        }
        if (!answers.await(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
            throw new OverdueException("the answer to mail");
        }
        if (broken.get()) {
            await(store.failure(), "the failure of a store that says it is broken");
        }
        if (moment == Moment.CLOSING) {
            closeAndCrash(store, crashNanos, crashSeed);
        }
        tally.acknowledged(acknowledged.get());
        if (error != null) {
            var unused = error.end();
        }
        if (crashNanos.get() == 0 && moment != Moment.NEVER && moment != Moment.ERROR_ALONE) {
            cutPower(crashNanos, crashSeed);
            // After a failure there is no sync any more: that it did not come says nothing.
            window = window.withoutSyncs();
        }
        crashNanos.compareAndSet(0, System.nanoTime());
        closeBroken(store, "the power is gone (simulated)");
        return crashNanos.get();
    }

    private void closeAndCrash(QueueStore store, AtomicLong crashNanos, long crashSeed)
            throws OverdueException, InterruptedException {
        int operation = 1 + random.nextInt(EDGE_OPERATIONS_MAX);
        if (errors) {
            error = new ThrownError(volume, random, EDGE_OPERATIONS_MAX);
        }
        int choice = errors ? -1 : random.nextInt(3);
        disturb(choice, operation, crashSeed, () -> cutPower(crashNanos, crashSeed));
        // It says what fails, and the log holds all the same.
        end(store::close, "the end of a closing that was disturbed");
    }

    /** Has the power go before an operation, or a sync or a write fail; any other choice leaves all as it is. */
    private void disturb(int choice, int operation, long crashSeed, Runnable cut) {
        switch (choice) {
            case 0 -> volume.beforeOperation(operation, cut);
            case 1 -> volume.failSync(1 + operation / 4, crashSeed);
            case 2 -> volume.failWrite(operation, crashSeed);
            default -> {
                // The power goes at a time, not at an operation; or an error is thrown.
            }
        }
    }

    private void closeBroken(QueueStore store, String cause)
            throws OverdueException, InterruptedException {
        end(() -> store.closeBroken(new IOException(cause)), "the end of a store that is closed");
        await(store.failure(), "the failure of a store that was closed broken");
    }

    /** What closes a store. */
    private interface Closing {
        void run() throws IOException;
    }

    /** Waits for the end of what closes a store, good or not. */
    private static void end(Closing closing, String what)
            throws OverdueException, InterruptedException {
        await(
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                closing.run();
                            } catch (IOException | UncheckedIOException | VirtualMachineError e) {
                                // Nothing else is to be expected of what was disturbed.
                                return;
                            }
                        },
                        THREADS),
                what);
    }

    private static <T extends @Nullable Object> T await(CompletableFuture<T> future, String what)
            throws OverdueException, InterruptedException {
        try {
            return future.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new OverdueException(what);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /**
     * Notes an answer that came before the crash; false for one that came after it. What lies
     * between the two would be missed at the next crash only, as if that had taken it.
     */
    private static boolean acknowledge(Ledger ledger, Ledger.Entry entry, AtomicLong crashNanos) {
        synchronized (crashNanos) {
            if (crashNanos.get() != 0) {
                return false;
            }
            ledger.acknowledged(entry);
            return true;
        }
    }

    /**
     * Lets time go by in which a period ends many times: on a machine that is full, a life alone is too short
     * to tell a sync that did not come from one that the machine kept waiting.
     */
    private void waitPeriods() throws InterruptedException {
        if (tally.durability() instanceof Durability.Periodic periodic) {
            TimeUnit.NANOSECONDS.sleep(PERIODS_WAITED * periodic.period().toNanos());
        }
    }

    /** At any moment, also while the committer writes. */
    private void cutPower(AtomicLong crashNanos, long crashSeed) {
        long nanos;
        synchronized (crashNanos) {
            nanos = System.nanoTime();
            if (!crashNanos.compareAndSet(0, nanos)) {
                return;
            }
        }
        // Looked at after that moment: what was acknowledged before it and is synced by now is
        // safe.
        window = windowAt(nanos);
        volume.cutPower(crashSeed);
    }

    private LossWindow windowAt(long nanos) {
        return tally.durability() instanceof Durability.Periodic periodic
                ? LossWindow.known(periodic, volume.unsyncedSinceNanos().orElse(0), nanos, 0)
                        .stalledFor(Starvation.nanos(ProcessHandle.current().pid()))
                : LossWindow.NOTHING;
    }

    private Moment moment() {
        int chance = random.nextInt(20);
        if (errors) {
            return chance < 13 ? Moment.ERROR : chance < 17 ? Moment.ERROR_ALONE : Moment.CLOSING;
        }
        if (chance < 6) {
            return Moment.ANSWER;
        }
        if (chance < 9) {
            return Moment.ANY;
        }
        if (chance < 12) {
            return Moment.OPERATION;
        }
        if (chance < 14) {
            return Moment.FAILED_SYNC;
        }
        if (chance < 16) {
            return Moment.FAILED_WRITE;
        }
        return chance < 18 ? Moment.CLOSING : Moment.NEVER;
    }

    /**
     * Hands a message to a store, some octets of it as an extent ahead of the rest unless they are none.
     *
     * @param listener gets the answer to the message that the entry of the ledger is about
     */
    static void hand(
            QueueStore store,
            ContentBudget budget,
            Ledger ledger,
            byte[] octets,
            int ahead,
            BiConsumer<Ledger.Entry, Receipt> listener) {
        byte[] digest = Objects.requireNonNull(LedgerMessage.digest(octets, false));
        Ledger.Entry entry = ledger.add(LedgerMessage.token(octets), 0, digest);
        Content content = Content.open(store.nextId(), budget, octets.length);
        if (content == null) {
            listener.accept(
                    entry, new Receipt.Refused(Receipt.Reason.BYTES_IN_FLIGHT, "simulated"));
            return;
        }
        ledger.sending(entry);
        Envelope envelope = new Envelope(
                "ledger@sender.example",
                List.of("ledger@recipient.example"),
                BodyType.SEVEN_BIT,
                CLOCK.instant(),
                "");
        content.append(octets, 0, ahead == 0 ? octets.length : ahead);
        if (ahead == 0) {
            store.enqueue(envelope, content, receipt -> listener.accept(entry, receipt));
            return;
        }
        store.storeExtent(content, refused -> {
            if (refused.isPresent()) {
                store.abandon(content);
                listener.accept(entry, refused.get());
            } else {
                content.append(octets, ahead, octets.length - ahead);
                store.enqueue(envelope, content, receipt -> listener.accept(entry, receipt));
            }
        });
    }

    /** Takes all mail out, as delivery does. */
    private static List<Lease> readAll(QueueStore store, Survivors survivors) {
        List<Lease> leases = store.lease(LEASES_MAX);
        leases.forEach(lease -> StoreCheck.read(lease, survivors));
        return leases;
    }

    /** Delivers some of it for good. */
    private void settle(QueueStore store, Ledger ledger, List<Lease> leases) throws IOException {
        for (Lease lease : leases) {
            Ledger.Entry entry;
            try (InputStream in = lease.openContent()) {
                entry = ledger.find(
                        LedgerMessage.token(in.readNBytes(LedgerMessage.TOKEN_BYTES_MAX)));
            }
            if (entry != null && random.nextInt(3) == 0) {
                entry.delivered++;
                store.acknowledge(lease.id());
            } else {
                store.release(lease.id());
            }
        }
    }
}
