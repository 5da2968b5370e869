package org.hubmark.bench.durability;

import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.core.Durability;
import org.hubmark.core.ForeignText;
import org.hubmark.smtp.client.SmtpClient;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What is done to a running server before it is killed, by kind. One thread. */
final class InjectedFaults implements AutoCloseable {
    private static final int TORN_WRITES_MAX = 60;
    private static final int FULL_BYTES_MAX = 3 << 20;
    /** A start or an end in good order writes less. */
    private static final int EDGE_WRITES_MAX = 20;

    private static final int EDGE_FULL_BYTES_MAX = 64 << 10;
    /** How long a device that goes away is not there, at most. */
    private static final int AWAY_MILLIS_MAX = 200;

    private static final int CLOCK_DAYS_MAX = 10;
    private static final int CLOCK_STEPS_MAX = 6;
    private static final int SPARE_DESCRIPTORS_MAX = 6;
    private static final int EXTRA_CONNECTIONS = 16;
    /** Least heap with which the hub starts with the options of serve. */
    private static final int HEAP_MEGABYTES_MIN = 12;

    private static final int HEAP_MEGABYTES_RANGE = 8;
    private static final int DIRECT_MEGABYTES_MIN = 9;
    private static final int DIRECT_MEGABYTES_RANGE = 6;
    /** Enough for a segment of the log to be moved, which takes new files. */
    private static final int MESSAGES_PER_SEGMENT = 800;
    /**
     * Number of connections that use up the direct memory of our own hub, each with mail that is
     * begun.
     */
    private static final int MEMORY_CONNECTIONS = 200;

    /** Mail that is begun and not ended, on each of the connections that there are more. */
    private static final int BEGUN_OCTETS = 48 << 10;
    /** Another server gets no more than that beyond the data it has. */
    private static final int SPARE_MEMORY_BYTES_MAX = 64 << 10;

    private static final Duration FAULT_TIMEOUT = Duration.ofSeconds(3);
    /** When the nth write or sync has not come by then, the next one will do. */
    private static final Duration NTH_TIMEOUT = Duration.ofSeconds(1);

    private static final String UNENDED = "begun, and never to be ended\r\n";
    private static final long POLL_MILLIS = 2;

    private final CrashKind kind;
    private final boolean ownHub;
    private final @Nullable FaultControl library;
    private boolean stopped;
    private long failuresBefore;
    private long seenBefore;
    private long turnedAway;

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
            case TORN, FULL, QUOTA, EIO, GONE, CLOCK -> true;
            case KILL, POWER, FLIP, STOP, FDS, MEMORY -> false;
            case HANG, LOST_WRITE, MISDIRECTED, UNREADABLE -> false;
        };
    }

    /** {@return whether it can meet a server that is being started or ended in good order} */
    static boolean reachesEdges(CrashKind kind) {
        return switch (kind) {
            case KILL, TORN, FULL, QUOTA, EIO, GONE -> true;
            case CLOCK, POWER, FLIP, STOP, FDS, MEMORY -> false;
            case HANG, LOST_WRITE, MISDIRECTED, UNREADABLE -> false;
        };
    }

    /** Sets it off at one of the next writes or syncs, and does not wait for that. */
    void arm(Random random) throws IOException {
        int thousandths = random.nextInt(1000);
        long nth = 1L + random.nextInt(EDGE_WRITES_MAX);
        switch (kind) {
            case TORN -> library().tear(nth, thousandths);
            case FULL -> library().fill(random.nextInt(EDGE_FULL_BYTES_MAX));
            case QUOTA -> library().limit(random.nextInt(EDGE_FULL_BYTES_MAX));
            case EIO -> failNth(random.nextBoolean(), nth, random.nextBoolean());
            case GONE -> library().goAway(nth, away(random), random.nextBoolean());
            case KILL,
                    CLOCK,
                    POWER,
                    FLIP,
                    STOP,
                    FDS,
                    MEMORY,
                    HANG,
                    LOST_WRITE,
                    MISDIRECTED,
                    UNREADABLE -> {
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
    Target.LaunchOptions conditions(Path data, Random random) throws IOException {
        Map<String, String> environment = library == null
                ? Map.of()
                : library.environment(data, ownHub ? HubTarget.log(data) : null);
        if (kind == CrashKind.MEMORY && ownHub) {
            int heap = HEAP_MEGABYTES_MIN + random.nextInt(HEAP_MEGABYTES_RANGE);
            int direct = DIRECT_MEGABYTES_MIN + random.nextInt(DIRECT_MEGABYTES_RANGE);
            return new Target.LaunchOptions(
                    List.of("-Xmx" + heap + "m", "-XX:MaxDirectMemorySize=" + direct + "m"),
                    environment);
        }
        return new Target.LaunchOptions(List.of(), environment);
    }

    /**
     * Does it, and returns when the server is to be killed.
     *
     * @param stop how long it is stopped, where it is; null for some moments
     */
    void act(CrashedServer server, Load load, Random random, @Nullable Duration stop)
            throws IOException, InterruptedException {
        failuresBefore = load.refused() + load.broken();
        seenBefore = library == null ? 0 : library.seen();
        switch (kind) {
            case KILL, FLIP -> pause(random, 0, 60);
            case TORN -> tear(server, random);
            case FULL, QUOTA -> full(random);
            case EIO -> fail(random);
            case GONE -> goAway(random);
            case CLOCK -> {
                int steps = 1 + random.nextInt(CLOCK_STEPS_MAX);
                for (int i = 0; i < steps; i++) {
                    long seconds = (long) ((random.nextDouble() * 2 - 1) * CLOCK_DAYS_MAX * 86_400);
                    library().stepClock(Duration.ofSeconds(seconds));
                    pause(random, 10, 60);
                }
            }
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
            case FDS -> starveOfDescriptors(server, load, random);
            case MEMORY -> {
                if (ownHub) {
                    // It has been short of memory from the start; now it gets more to keep.
                    failuresBefore = 0;
                    crowd(server, random, MEMORY_CONNECTIONS, BEGUN_OCTETS);
                } else {
                    starveOfMemory(server, random);
                }
            }
            case POWER, HANG, LOST_WRITE, MISDIRECTED, UNREADABLE ->
                throw new IllegalStateException("no server is killed for " + kind);
        }
    }

    /** {@return why the server did not feel the fault, before it is killed; null if it did} */
    @Nullable
    String unfelt(CrashedServer server, Load load) throws IOException {
        boolean failed = load.refused() + load.broken() > failuresBefore;
        return switch (kind) {
            case KILL, FLIP ->
                server.isAlive() ? null : "the server had ended before it was killed";
            case TORN, FULL, QUOTA, EIO, GONE, CLOCK -> library().struck() > 0 ? null : unseen();
            case STOP -> stopped ? null : "the server's processes did not stop";
            case FDS ->
                failed || turnedAway > 0 || !server.isAlive()
                        ? null
                        : "it went on without a refusal under the limit on open files";
            case MEMORY ->
                failed || turnedAway > 0 || !server.isAlive()
                        ? null
                        : "it went on without a refusal under the limit on memory";
            case POWER, HANG, LOST_WRITE, MISDIRECTED, UNREADABLE ->
                throw new IllegalStateException("no server is killed for " + kind);
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

    private static Duration away(Random random) {
        return Duration.ofMillis(random.nextInt(AWAY_MILLIS_MAX));
    }

    private void goAway(Random random) throws IOException, InterruptedException {
        Duration time = away(random);
        boolean syncsAnswered = random.nextBoolean();
        library().goAway(1L + random.nextInt(TORN_WRITES_MAX), time, syncsAnswered);
        if (!awaitStruck(NTH_TIMEOUT) && library().seen() > seenBefore) {
            library().goAway(1, time, syncsAnswered);
            awaitStruck(FAULT_TIMEOUT);
        }
        // Most servers have ended by then, and one that has not meets the device that is back.
        pause(random, AWAY_MILLIS_MAX, AWAY_MILLIS_MAX + 200);
    }

    private void full(Random random) throws IOException, InterruptedException {
        int bytes = random.nextInt(FULL_BYTES_MAX);
        if (kind == CrashKind.QUOTA) {
            library().limit(bytes);
        } else {
            library().fill(bytes);
        }
        if (!awaitStruck(NTH_TIMEOUT) && library().seen() > seenBefore) {
            awaitStruck(FAULT_TIMEOUT);
        }
        pause(random, 20, 200);
        if (random.nextBoolean()) {
            library().makeRoom();
            pause(random, 50, 150);
        }
    }

    /** {@return whether a write, a sync or a look at the clock got a fault in time} */
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

    /** No process of it gets more data than it has, and a little. */
    private void starveOfMemory(CrashedServer server, Random random)
            throws IOException, InterruptedException {
        int spare = random.nextInt(SPARE_MEMORY_BYTES_MAX);
        for (long process : server.processIds()) {
            long data = dataBytes(process);
            if (data > 0) {
                prlimit(process, "--data=" + (data + spare) + ":");
            }
        }
        // Processes that are started for them inherit the limit.
        crowd(server, random, EXTRA_CONNECTIONS, BEGUN_OCTETS);
        if (random.nextBoolean()) {
            for (long process : server.processIds()) {
                prlimit(process, "--data=unlimited:");
            }
            pause(random, 20, 100);
        }
    }

    private static long dataBytes(long process) throws IOException {
        try {
            for (String line : ForeignText.read(Path.of("/proc/" + process + "/status"))
                    .lines()
                    .toList()) {
                if (line.startsWith("VmData:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) << 10;
                }
            }
        } catch (NoSuchFileException e) {
            // It has ended meanwhile.
            return 0;
        }
        return 0;
    }

    private void starveOfDescriptors(CrashedServer server, Load load, Random random)
            throws IOException, InterruptedException {
        int spare = random.nextInt(SPARE_DESCRIPTORS_MAX);
        for (long process : server.processIds()) {
            long open = openFiles(process);
            if (open > 0) {
                prlimit(process, "--nofile=" + (open + spare) + ":");
            }
        }
        crowd(server, random, EXTRA_CONNECTIONS, 0);
        load.awaitAcknowledged(load.acknowledged() + MESSAGES_PER_SEGMENT, FAULT_TIMEOUT);
        if (random.nextBoolean()) {
            for (long process : server.processIds()) {
                prlimit(process, "--nofile=4096:");
            }
            pause(random, 20, 100);
        }
    }

    private static long openFiles(long process) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + process + "/fd"))) {
            return descriptors.count();
        } catch (NoSuchFileException e) {
            // It has ended meanwhile.
            return 0;
        }
    }

    /** More connections than there are already, each with mail that is begun and not ended. */
    private void crowd(CrashedServer server, Random random, int connections, int octets)
            throws InterruptedException {
        List<SmtpClient> extra = new ArrayList<>();
        try {
            for (int i = 0; i < connections; i++) {
                turnedAway += connect(server, extra, octets) ? 0 : 1;
            }
            pause(random, 50, 200);
        } finally {
            extra.forEach(SmtpClient::close);
        }
    }

    private static boolean connect(CrashedServer server, List<SmtpClient> extra, int octets) {
        try {
            SmtpClient client = Load.connect(server.address(), Duration.ofMillis(50));
            extra.add(client);
            if (octets > 0) {
                if (!Load.begin(client).asksForContent()) {
                    return false;
                }
                client.write(UNENDED.repeat(octets / UNENDED.length())
                        .getBytes(StandardCharsets.US_ASCII));
            }
            return true;
        } catch (IOException e) {
            // It has nothing left for it: that is what is wanted.
            return false;
        }
    }

    private static void prlimit(long processId, String limit) throws IOException {
        SystemTool.attempt(List.of("prlimit", "--pid", Long.toString(processId), limit));
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
