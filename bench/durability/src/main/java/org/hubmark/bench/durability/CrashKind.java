package org.hubmark.bench.durability;

import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** What is done to a server under load. */
public enum CrashKind {
    /** SIGKILL at a random moment. */
    KILL(false, false),
    /** The power goes at a random moment: a device forgets what was not flushed to it. */
    POWER(true, false),
    /** SIGKILL in the middle of a write, of which a part of the sectors is done. */
    TORN(false, true) {
        @Override
        void arm(FaultControl faults, Random random) throws IOException {
            faults.tear(nth(random), random.nextInt(1000));
        }

        @Override
        void follow(CrashServer server, FaultControl faults, Random random)
                throws InterruptedException {
            // Of several processes the others live on, and are killed with the rest.
            server.awaitEnd(Duration.ofMillis(random.nextInt(100)));
        }
    },
    /**
     * SIGKILL, then some bits of the files are changed. In the last group of messages, when nothing
     * was written after its sync, that can't be told from a write that was not finished.
     */
    FLIP(true, false),
    /** The volumes are full, then SIGKILL. */
    FULL(false, true) {
        @Override
        void arm(FaultControl faults, Random random) throws IOException {
            faults.fill(random.nextInt(BYTES_MAX));
        }

        @Override
        void follow(CrashServer server, FaultControl faults, Random random)
                throws IOException, InterruptedException {
            pause(random, 20, 200);
            if (random.nextBoolean()) {
                faults.makeRoom();
                pause(random, 50, 150);
            }
        }
    },
    /** Writes or syncs fail with EIO, once or from then on, then SIGKILL. */
    EIO(true, true) {
        @Override
        void arm(FaultControl faults, Random random) throws IOException {
            boolean forGood = random.nextBoolean();
            boolean write = random.nextBoolean();
            faults.fail(write, nth(random), forGood);
        }

        @Override
        void follow(CrashServer server, FaultControl faults, Random random)
                throws InterruptedException {
            pause(random, 20, 200);
        }
    },
    /** The process is stopped for a time (SIGSTOP) and goes on, then SIGKILL. */
    STOP(false, false) {
        @Override
        void follow(CrashServer server, FaultControl faults, Random random)
                throws IOException, InterruptedException {
            server.signal("STOP");
            pause(random, 100, 900);
            server.signal("CONT");
            pause(random, 20, 100);
        }
    };

    private static final int WRITES_MAX = 60;
    private static final int BYTES_MAX = 3 << 20;

    private final boolean losesUnsynced;
    private final boolean needsLibrary;

    CrashKind(boolean losesUnsynced, boolean needsLibrary) {
        this.losesUnsynced = losesUnsynced;
        this.needsLibrary = needsLibrary;
    }

    /** {@return whether what was written and not synced may be gone afterwards} */
    boolean losesUnsynced() {
        return losesUnsynced;
    }

    /**
     * {@return whether the medium itself changes} Then mail may be gone, as long as the store says so, and
     * what changed can look like a last write that was not finished.
     */
    boolean changesMedium() {
        return this == FLIP;
    }

    /** {@return whether it takes the library that is preloaded} */
    boolean needsLibrary() {
        return needsLibrary;
    }

    /** {@return why it can't be tested on this machine; null if it can} */
    @Nullable
    String obstacle() throws IOException {
        if (this == POWER) {
            return Recorder.obstacle();
        }
        return needsLibrary ? PreloadLibrary.obstacle() : null;
    }

    /**
     * Sets it off at one of the next writes or syncs, and does not wait for that. Nothing is set off
     * where the kill that follows is all.
     */
    void arm(FaultControl faults, Random random) throws IOException {}

    /** What else is done once the fault was set off under load, up to the kill. */
    void follow(CrashServer server, FaultControl faults, Random random)
            throws IOException, InterruptedException {
        pause(random, 0, 60);
    }

    /**
     * Does it to a server under load, and returns when that is to be killed.
     *
     * @return why the server did not feel it; null if it did
     */
    @Nullable
    String act(CrashServer server, FaultControl faults, Random random)
            throws IOException, InterruptedException {
        if (needsLibrary) {
            arm(faults, random);
            faults.awaitStruck();
            follow(server, faults, random);
            return faults.unfelt();
        }
        follow(server, faults, random);
        return server.isAlive() ? null : "the server had ended before it was killed";
    }

    private static long nth(Random random) {
        return 1L + random.nextInt(WRITES_MAX);
    }

    private static void pause(Random random, int fromMillis, int toMillis)
            throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep(
                1000L * fromMillis + random.nextInt(1000 * (toMillis - fromMillis)));
    }

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
