package org.hubmark.bench.durability;

import org.hubmark.bench.folders.Folders;
import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Durability;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.SimulatedLogVolume;
import org.hubmark.queue.StoreConfiguration;
import org.hubmark.queue.StoreException;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The store alone, in this process, on a log volume in memory that loses, tears and reorders what was
 * not synced, and whose writes and syncs fail; the queue database lies in a folder and loses what was
 * not flushed. Some hundred crashes a second where a machine would manage one. One seed; the
 * power goes on the committer's thread, at the very moment of an answer, or from outside at any other.
 */
final class SimulatedHistory {
    private static final int MAIL_MIN = 150;
    private static final int MAIL_RANGE = 150;
    private static final int ONE_IN_SPOOLED = 10;
    private static final int FAULTY_OPERATIONS_MAX = 120;
    private static final int LEASES_MAX = 100_000;
    private static final long ANSWER_SECONDS_MAX = 30;
    private static final long BUDGET_BYTES = 64 << 20;
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-11-21T12:00:00Z"));

    private final Tally tally;
    private final long seed;
    private final Path folder;
    private final SimulatedLogVolume volume = new SimulatedLogVolume("simulated");
    private final ContentBudget budget = new ContentBudget(BUDGET_BYTES);
    private final Random random;
    private volatile Window window = Window.NOTHING;

    /** When the power goes. */
    private enum Moment {
        /** Right after the nth answer, before the committer does anything else. */
        ANSWER,
        /** At some moment while mail is handed over. */
        ANY,
        /** After a sync has failed. */
        FAILED_SYNC,
        /** After a write has failed in part. */
        FAILED_WRITE,
        /** Not at all: only the process ends. */
        NEVER
    }

    SimulatedHistory(Tally tally, long seed, Path folder) {
        this.tally = tally;
        this.seed = seed;
        this.folder = folder;
        this.random = Seeds.random(seed);
    }

    /** Lives some times. The folder is removed unless a promise was broken. */
    History.Outcome run(int lives) throws IOException, InterruptedException {
        String failure = null;
        int crashes = 0;
        try (Ledger ledger = new Ledger(folder.resolve("ledger.csv"), seed)) {
            QueueStore store = open();
            while (crashes < lives && failure == null) {
                long crashNanos = live(store, ledger);
                crashes++;
                tally.crashed();
                tally.inDoubt(ledger.inDoubt().size());
                ledger.flush();
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
                failure = tally.judge(
                        ledger,
                        survivors,
                        crashNanos,
                        tally.durability() instanceof Durability.Periodic
                                ? window
                                : Window.NOTHING);
                settle(store, ledger, leases);
            }
            store.closeBroken(new IOException("the history is over"));
            if (failure != null) {
                volume.copyTo(folder.resolve("log"));
            }
        }
        if (failure == null) {
            Folders.delete(folder);
        }
        return new History.Outcome(crashes, failure);
    }

    private QueueStore open() throws IOException {
        return volume.openStore(new StoreConfiguration(
                folder.resolve("log"),
                folder.resolve("queue"),
                tally.durability(),
                1 << 20,
                new Settings(Map.of("store.direct-flush", "false", "store.free-space-min", "1MiB")),
                CLOCK));
    }

    /** Hands over mail until the power goes. {@return when that was} */
    private long live(QueueStore store, Ledger ledger) throws IOException, InterruptedException {
        Moment moment = moment();
        window = Window.NOTHING;
        int count = MAIL_MIN + random.nextInt(MAIL_RANGE);
        int crashAt = 1 + random.nextInt(count);
        long crashSeed = random.nextLong();
        AtomicLong crashNanos = new AtomicLong();
        CountDownLatch answers = new CountDownLatch(count);
        AtomicLong acknowledged = new AtomicLong();
        switch (moment) {
            case FAILED_SYNC ->
                volume.failSync(1 + random.nextInt(FAULTY_OPERATIONS_MAX), crashSeed);
            case FAILED_WRITE ->
                volume.failWrite(1 + random.nextInt(FAULTY_OPERATIONS_MAX), crashSeed);
            case ANSWER, ANY, NEVER -> {
                // Nothing fails before the power goes.
            }
        }
        for (int i = 0; i < count; i++) {
            if (moment == Moment.ANY && i == crashAt) {
                cutPower(crashNanos, crashSeed);
            }
            Ledger.Entry entry = add(ledger);
            hand(store, ledger, entry, receipt -> {
                if (receipt instanceof Receipt.Queued && acknowledge(ledger, entry, crashNanos)) {
                    if (acknowledged.incrementAndGet() == crashAt && moment == Moment.ANSWER) {
                        cutPower(crashNanos, crashSeed);
                    }
                }
                answers.countDown();
            });
        }
        if (!answers.await(ANSWER_SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new IOException("mail was left without an answer for " + ANSWER_SECONDS_MAX
                    + " s, seed " + seed);
        }
        tally.acknowledged(acknowledged.get());
        if (crashNanos.get() == 0 && moment != Moment.NEVER) {
            cutPower(crashNanos, crashSeed);
            // After a failure there is no sync any more: that it did not come says nothing.
            window = new Window(window.nanos(), null);
        }
        crashNanos.compareAndSet(0, System.nanoTime());
        store.closeBroken(new IOException("the power is gone (simulated)"));
        return crashNanos.get();
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

    /** At any moment, also while the committer writes. */
    private void cutPower(AtomicLong crashNanos, long crashSeed) {
        long nanos;
        synchronized (crashNanos) {
            nanos = System.nanoTime();
            crashNanos.set(nanos);
        }
        // Looked at after that moment: what was acknowledged before it and is synced by now is
        // safe.
        window = Window.since(volume.unsyncedSinceNanos().orElse(0), nanos);
        volume.cutPower(crashSeed);
    }

    private Moment moment() {
        int chance = random.nextInt(20);
        if (chance < 9) {
            return Moment.ANSWER;
        }
        if (chance < 13) {
            return Moment.ANY;
        }
        if (chance < 15) {
            return Moment.FAILED_SYNC;
        }
        return chance < 17 ? Moment.FAILED_WRITE : Moment.NEVER;
    }

    private static Ledger.Entry add(Ledger ledger) {
        long token = ledger.newToken();
        byte[] digest = Objects.requireNonNull(Letter.digest(Letter.content(token), false));
        return ledger.add(token, 0, digest);
    }

    private void hand(
            QueueStore store, Ledger ledger, Ledger.Entry entry, Consumer<Receipt> listener) {
        byte[] octets = Letter.content(entry.token);
        Content content = Content.open(store.nextId(), budget, octets.length);
        if (content == null) {
            listener.accept(new Receipt.Refused(Receipt.Reason.BYTES_IN_FLIGHT, "simulated"));
            return;
        }
        ledger.sending(entry);
        Envelope envelope = new Envelope(
                "ledger@sender.example",
                List.of("ledger@recipient.example"),
                BodyType.SEVEN_BIT,
                CLOCK.instant(),
                "");
        int spooled = random.nextInt(ONE_IN_SPOOLED) == 0 ? random.nextInt(octets.length) : 0;
        if (spooled == 0) {
            content.append(octets, 0, octets.length);
            store.enqueue(envelope, content, listener);
            return;
        }
        content.append(octets, 0, spooled);
        store.spool(content, refused -> {
            if (refused.isPresent()) {
                store.abandon(content);
                listener.accept(refused.get());
            } else {
                content.append(octets, spooled, octets.length - spooled);
                store.enqueue(envelope, content, listener);
            }
        });
    }

    /** Takes all mail out, as delivery does. */
    private static List<Lease> readAll(QueueStore store, Survivors survivors) throws IOException {
        List<Lease> leases = store.lease(LEASES_MAX);
        for (Lease lease : leases) {
            try (InputStream in = lease.openContent()) {
                survivors.add(in.readAllBytes());
            }
        }
        return leases;
    }

    /** Delivers some of it for good. */
    private void settle(QueueStore store, Ledger ledger, List<Lease> leases) throws IOException {
        for (Lease lease : leases) {
            Ledger.Entry entry;
            try (InputStream in = lease.openContent()) {
                entry = ledger.find(Letter.token(in.readNBytes(Letter.TOKEN_BYTES_MAX)));
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
