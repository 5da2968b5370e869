package org.hubmark.bench.durability;

import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** What is done to a running server before it is killed, by kind. One thread. */
final class InjectedFaults implements AutoCloseable {
    private static final int TORN_WRITES_MAX = 60;
    private static final int FULL_BYTES_MAX = 3 << 20;
    /** A start or an end in good order writes less. */
    private static final int EDGE_WRITES_MAX = 20;

    private static final int EDGE_FULL_BYTES_MAX = 64 << 10;
    private static final Duration FAULT_TIMEOUT = Duration.ofSeconds(3);
    /** When the nth write or sync has not come by then, the next one will do. */
    private static final Duration NTH_TIMEOUT = Duration.ofSeconds(1);

    private static final long POLL_MILLIS = 2;

    private final CrashKind kind;
    private final boolean ownHub;
    private final @Nullable FaultControl library;
    private boolean stopped;
    private long seenBefore;

    InjectedFaults(
            CrashKind kind, boolean ownHub, @Nullable PreloadLibrary builtLibrary, Path folder)
            throws IOException {
        this.kind = kind;
        this.ownHub = ownHub;
        this.library = builtLibrary == null
                ? null
                : FaultControl.open(builtLibrary, folder.resolve("faults"));
    }

    /** {@return whether the kind needs the library that is preloaded} */
    static boolean needsLibrary(CrashKind kind) {
        return switch (kind) {
            case TORN, FULL, EIO -> true;
            case KILL, POWER, FLIP, STOP -> false;
        };
    }

    /** {@return whether it can meet a server that is being started or ended in good order} */
    static boolean reachesEdges(CrashKind kind) {
        return switch (kind) {
            case KILL, TORN, FULL, EIO -> true;
            case POWER, FLIP, STOP -> false;
        };
    }

    /** Sets it off at one of the next writes or syncs, and does not wait for that. */
    void arm(Random random) throws IOException {
        int thousandths = random.nextInt(1000);
        long nth = 1L + random.nextInt(EDGE_WRITES_MAX);
        switch (kind) {
            case TORN -> library().tear(nth, thousandths);
            case FULL -> library().fill(random.nextInt(EDGE_FULL_BYTES_MAX));
            case EIO -> failNth(random.nextBoolean(), nth, random.nextBoolean());
            case KILL, POWER, FLIP, STOP -> {
                // The kill that follows is all.
            }
        }
    }

    /** {@return why a server that was started or ended meanwhile did not feel it; null if it did} */
    @Nullable
    String unfeltAtEdge() throws IOException {
        return needsLibrary(kind) && library().struck() == 0 ? unseen() : null;
    }

    /** {@return how the server is to be started} */
    Target.LaunchOptions conditions(Path data) throws IOException {
        Map<String, String> environment = library == null
                ? Map.of()
                : library.environment(data, ownHub ? HubTarget.log(data) : null);
        return new Target.LaunchOptions(environment);
    }

    /**
     * Does it, and returns when the server is to be killed.
     *
     * @param stop how long it is stopped, where it is; null for some moments
     */
    void act(CrashedServer server, Random random, @Nullable Duration stop)
            throws IOException, InterruptedException {
        seenBefore = library == null ? 0 : library.seen();
        switch (kind) {
            case KILL, FLIP -> pause(random, 0, 60);
            case TORN -> tear(server, random);
            case FULL -> full(random);
            case EIO -> fail(random);
            case STOP -> {
                server.signal("STOP");
                if (stop != null) {
                    TimeUnit.NANOSECONDS.sleep(stop.toNanos());
                } else {
                    pause(random, 100, 900);
                }
                stopped = server.isStopped();
                server.signal("CONT");
                pause(random, 20, 100);
            }
            case POWER -> throw new IllegalStateException("no server is killed for " + kind);
        }
    }

    /** {@return why the server did not feel the fault, before it is killed; null if it did} */
    @Nullable
    String unfelt(CrashedServer server) throws IOException {
        return switch (kind) {
            case KILL, FLIP ->
                server.isAlive() ? null : "the server had ended before it was killed";
            case TORN, FULL, EIO -> library().struck() > 0 ? null : unseen();
            case STOP -> stopped ? null : "the server's processes did not stop";
            case POWER -> throw new IllegalStateException("no server is killed for " + kind);
        };
    }

    /** {@return what a crash may have taken} The server has ended. */
    LossWindow window(Durability durability, long crashNanos, long delayNanos) throws IOException {
        return LossWindow.of(durability, kind, ownHub ? library : null, crashNanos, delayNanos);
    }

    @Override
    public void close() throws IOException {
        if (library != null) {
            library.close();
        }
    }

    private String unseen() throws IOException {
        long seen = library().seen() - seenBefore;
        if (seen == 0) {
            return "no write of the server below {data} passed the library that makes writes fail (it"
                    + " drops LD_PRELOAD, is linked statically, or writes nothing)";
        }
        return "the library saw " + seen + " writes and syncs of the server below {data}, but none"
                + " that was to fail";
    }

    private void tear(CrashedServer server, Random random)
            throws IOException, InterruptedException {
        int thousandths = random.nextInt(1000);
        library().tear(1 + random.nextInt(TORN_WRITES_MAX), thousandths);
        if (!awaitStruck(NTH_TIMEOUT) && library().seen() > seenBefore) {
            library().tear(1, thousandths);
            awaitStruck(FAULT_TIMEOUT);
        }
        // Of several processes the others live on, and are killed with the rest.
        server.awaitEnd(Duration.ofMillis(random.nextInt(100)));
    }

    private void fail(Random random) throws IOException, InterruptedException {
        boolean forGood = random.nextBoolean();
        boolean write = random.nextBoolean();
        failNth(write, 1L + random.nextInt(TORN_WRITES_MAX), forGood);
        if (!awaitStruck(NTH_TIMEOUT) && library().seen() > seenBefore) {
            failNth(write, 1, forGood);
            awaitStruck(FAULT_TIMEOUT);
        }
        pause(random, 20, 200);
    }

    private void failNth(boolean write, long nth, boolean forGood) throws IOException {
        if (write) {
            library().failWrite(nth, forGood);
        } else {
            library().failSync(nth, forGood);
        }
    }

    private void full(Random random) throws IOException, InterruptedException {
        library().fill(random.nextInt(FULL_BYTES_MAX));
        if (!awaitStruck(NTH_TIMEOUT) && library().seen() > seenBefore) {
            awaitStruck(FAULT_TIMEOUT);
        }
        pause(random, 20, 200);
        if (random.nextBoolean()) {
            library().makeRoom();
            pause(random, 50, 150);
        }
    }

    /** {@return whether a write or a sync got a fault in time} */
    private boolean awaitStruck(Duration timeout) throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        while (library().struck() == 0) {
            if (System.nanoTime() > deadlineNanos) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return true;
    }

    private static void pause(Random random, int fromMillis, int toMillis)
            throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep(
                1000L * fromMillis + random.nextInt(1000 * (toMillis - fromMillis)));
    }

    private FaultControl library() {
        return Objects.requireNonNull(library);
    }
}
