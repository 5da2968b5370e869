package org.hubmark.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Durability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** Proves that a history that is interrupted leaves no store behind that is still at work. */
class SimulatedHistoryTest {
    private static final int ROUNDS = 12;
    private static final int MILLIS_MAX = 400;
    /** Those of a store; RocksDB has its own, which end with them. */
    private static final List<String> OF_A_STORE =
            List.of("committer", "checkpointer", "reclaimer", "simulated-hub");

    @TempDir
    Path folder;

    @Test
    void anInterruptedHistoryClosesItsStore() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            Path home = Files.createDirectory(folder.resolve("history-" + round));
            Tally tally = new Tally("test", new Durability.Synced(), Kind.SIMULATED);
            CountDownLatch begun = new CountDownLatch(1);
            AtomicReference<Throwable> end = new AtomicReference<>();
            Thread history = Thread.ofPlatform().start(() -> {
                try {
                    SimulatedHistory made = new SimulatedHistory(tally, random.nextLong(), home);
                    begun.countDown();
                    var unused = made.run(Integer.MAX_VALUE);
                } catch (Exception e) {
                    end.set(e);
                }
            });
            begun.await();
            history.join(random.nextInt(MILLIS_MAX));
            history.interrupt();
            history.join();
            // Interrupted, or a channel that was closed by that.
            assertThat(end.get()).as("seed %d", seed).isNotNull();
            assertThat(Thread.getAllStackTraces().keySet())
                    .as("seed %d, round %d", seed, round)
                    .noneMatch(thread -> OF_A_STORE.contains(thread.getName()));
        }
    }
}
