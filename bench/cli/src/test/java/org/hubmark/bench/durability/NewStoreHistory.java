package org.hubmark.bench.durability;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.queue.ForgetfulFiles;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.StoreConfiguration;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stores made anew in this process, in folders below a root that is simulated: a power cut takes each name
 * whose folder was not synced since, with all that lies below it. The power goes before one of the first
 * changes of names, or after some of the first messages. What was acknowledged must be there, and the
 * store must open. One seed.
 */
final class NewStoreHistory {
    private static final int MAIL_MAX = 24;
    /** A start on empty folders changes or syncs names about that often. */
    private static final int OPERATIONS_MAX = 40;

    private static final int LEVELS_MAX = 3;
    private static final long BUDGET_BYTES = 16 << 20;
    private static final long DEADLINE_SECONDS = 30;

    private final Tally tally;
    private final long seed;
    private final Path folder;
    private final Random random;
    private final ContentBudget budget = new ContentBudget(BUDGET_BYTES);

    NewStoreHistory(Tally tally, long seed, Path folder) {
        this.tally = tally;
        this.seed = seed;
        this.folder = folder;
        this.random = Seeds.random(seed);
    }

    /** So many stores, one after the other. The folder is removed unless a promise was broken. */
    History.Outcome run(int stores) throws IOException, InterruptedException {
        String failure = null;
        int crashes = 0;
        while (crashes < stores && failure == null) {
            crashes++;
            Path root = Files.createDirectories(folder.resolve("root-" + crashes));
            try (Ledger ledger =
                    new Ledger(folder.resolve("ledger-" + crashes + ".csv"), seed + crashes)) {
                failure = live(root, ledger);
            }
            if (failure == null) {
                Folders.delete(root);
            }
        }
        if (failure == null) {
            Folders.delete(folder);
        }
        return new History.Outcome(crashes, failure);
    }

    private @Nullable String live(Path root, Ledger ledger)
            throws IOException, InterruptedException {
        ForgetfulFiles files = new ForgetfulFiles();
        Path home = root;
        for (int level = random.nextInt(LEVELS_MAX + 1); level > 0; level--) {
            home = home.resolve("level-" + level);
        }
        int mail = 1 + random.nextInt(MAIL_MAX);
        if (random.nextBoolean()) {
            files.cutBefore(1 + random.nextInt(OPERATIONS_MAX));
        }
        AtomicLong acknowledged = new AtomicLong();
        try {
            QueueStore store = QueueStore.open(configuration(files.path(home)));
            try {
                CountDownLatch answers = new CountDownLatch(mail);
                for (int i = 0; i < mail; i++) {
                    byte[] octets = LedgerMessage.content(ledger.newToken());
                    SimulatedHistory.hand(store, budget, ledger, octets, 0, (entry, receipt) -> {
                        // An answer that comes after the cut does not count: nobody hears it.
                        if (receipt instanceof Receipt.Queued && !files.isOff()) {
                            ledger.acknowledged(entry);
                            acknowledged.incrementAndGet();
                        }
                        answers.countDown();
                    });
                }
                if (!answers.await(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                    return "the answer to mail did not come within " + DEADLINE_SECONDS + " s";
                }
            } finally {
                files.cut();
                store.closeBroken(new IOException("the power is gone (simulated)"));
            }
        } catch (IOException e) {
            if (!files.isOff()) {
                return "a new store can't be made: " + e.getMessage();
            }
        }
        long crashNanos = System.nanoTime();
        files.forget();
        tally.acknowledged(acknowledged.get());
        tally.inDoubt(ledger.inDoubt().size());
        ledger.flush();
        Survivors survivors = new Survivors(ledger, false);
        tally.recovered(StoreCheck.read(home.resolve("log"), home.resolve("queue"), survivors));
        Tally.requireUninterrupted();
        tally.crashed();
        return tally.judge(ledger, survivors, crashNanos, LossWindow.NOTHING);
    }

    private StoreConfiguration configuration(Path home) {
        Map<String, String> settings = new HashMap<>(StoreCheck.SETTINGS);
        // Files that are opened past the page cache are opened by other means.
        settings.put("store.log.direct", "off");
        return new StoreConfiguration(
                home.resolve("log"),
                home.resolve("queue"),
                tally.durability(),
                StoreCheck.CHECKPOINT_DEPTH_BYTES,
                new Settings(settings),
                InstantSource.system());
    }
}
