package org.hubmark.bench.durability;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
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
final class Faults implements AutoCloseable {
    private static final int TORN_WRITES_MAX = 60;
    private static final int FULL_BYTES_MAX = 3 << 20;
    private static final int CLOCK_DAYS_MAX = 10;
    private static final int CLOCK_STEPS_MAX = 6;
    private static final int SPARE_DESCRIPTORS_MAX = 6;
    private static final int EXTRA_CONNECTIONS = 16;
    private static final int FLIPPED_BITS_MAX = 4;
    private static final int HEAP_MEGABYTES_MIN = 8;
    private static final int HEAP_MEGABYTES_RANGE = 8;
    private static final long LONG_STOP_SECONDS = 60;

    private final Kind kind;
    private final @Nullable FaultLibrary library;

    Faults(Kind kind, @Nullable Path builtLibrary, Path folder) throws IOException {
        this.kind = kind;
        this.library = builtLibrary == null
                ? null
                : FaultLibrary.open(builtLibrary, folder.resolve("faults"));
    }

    /** {@return whether the kind needs the library that is preloaded} */
    static boolean needsLibrary(Kind kind) {
        return switch (kind) {
            case TORN, FULL, EIO, CLOCK -> true;
            case KILL, POWER, FLIP, STOP, FDS, MEMORY, SIMULATED -> false;
        };
    }

    /** {@return how the server is to be started} */
    Target.Conditions conditions(Path data, Random random) {
        Map<String, String> environment = library == null ? Map.of() : library.environment(data);
        if (kind == Kind.MEMORY) {
            int megabytes = HEAP_MEGABYTES_MIN + random.nextInt(HEAP_MEGABYTES_RANGE);
            return new Target.Conditions(
                    List.of("prlimit", "--data=" + ((long) megabytes << 20)),
                    List.of("-Xmx" + megabytes + "m", "-XX:MaxDirectMemorySize=" + megabytes + "m"),
                    environment);
        }
        return new Target.Conditions(List.of(), List.of(), environment);
    }

    /** Does it, and returns when the server is to be killed. */
    void act(CrashedServer server, Random random, boolean longForm)
            throws IOException, InterruptedException {
        switch (kind) {
            case KILL, FLIP, MEMORY -> pause(random, 0, 60);
            case TORN -> {
                library().tear(1 + random.nextInt(TORN_WRITES_MAX), random.nextInt(1000));
                server.awaitEnd(Duration.ofSeconds(3));
            }
            case FULL -> full(random);
            case EIO -> {
                boolean forGood = random.nextBoolean();
                long nth = 1L + random.nextInt(TORN_WRITES_MAX);
                if (random.nextBoolean()) {
                    library().failWrite(nth, forGood);
                } else {
                    library().failSync(nth, forGood);
                }
                pause(random, 100, 300);
            }
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
                if (longForm) {
                    TimeUnit.SECONDS.sleep(LONG_STOP_SECONDS);
                } else {
                    pause(random, 100, 900);
                }
                server.signal("CONT");
                pause(random, 20, 100);
            }
            case FDS -> starveOfDescriptors(server, random);
            case POWER, SIMULATED ->
                throw new IllegalStateException("no server is killed for " + kind.text());
        }
    }

    /** Changes some bits of what a killed server left, where there is anything. */
    static String flip(Path data, Random random) throws IOException {
        List<Path> files = new ArrayList<>();
        long total = 0;
        for (Path file : Folders.files(data)) {
            if (Files.size(file) > 0 && !file.toString().contains("/tracking/")) {
                files.add(file);
                total += Files.size(file);
            }
        }
        StringBuilder said = new StringBuilder();
        int bits = 1 + random.nextInt(FLIPPED_BITS_MAX);
        for (int i = 0; i < bits; i++) {
            long at = (long) (random.nextDouble() * total);
            for (Path file : files) {
                if (at < Files.size(file)) {
                    flip(file, at, random.nextInt(8));
                    said.append(' ').append(data.relativize(file)).append('@').append(at);
                    break;
                }
                at -= Files.size(file);
            }
        }
        return said.toString().trim();
    }

    @Override
    public void close() throws IOException {
        if (library != null) {
            library.close();
        }
    }

    private static void flip(Path file, long at, int bit) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(at);
            int octet = open.read();
            open.seek(at);
            open.write(octet ^ 1 << bit);
        }
    }

    private void full(Random random) throws IOException, InterruptedException {
        library().fill(random.nextInt(FULL_BYTES_MAX));
        pause(random, 50, 250);
        if (random.nextBoolean()) {
            library().makeRoom();
            pause(random, 50, 150);
        }
    }

    private static void starveOfDescriptors(CrashedServer server, Random random)
            throws IOException, InterruptedException {
        long open;
        try (Stream<Path> descriptors =
                Files.list(Path.of("/proc/" + server.processId() + "/fd"))) {
            open = descriptors.count();
        }
        long limit = open + random.nextInt(SPARE_DESCRIPTORS_MAX);
        prlimit(server.processId(), Long.toString(limit));
        List<MailConnection> extra = new ArrayList<>();
        try {
            for (int i = 0; i < EXTRA_CONNECTIONS; i++) {
                connect(server, extra);
            }
            pause(random, 50, 200);
        } finally {
            extra.forEach(MailConnection::close);
        }
        if (random.nextBoolean() && server.isAlive()) {
            prlimit(server.processId(), "4096");
            pause(random, 20, 100);
        }
    }

    private static void connect(CrashedServer server, List<MailConnection> extra) {
        try {
            extra.add(MailConnection.open(server.address(), Duration.ofMillis(50)));
        } catch (IOException e) {
            // It has no descriptor for it: that is what is wanted.
            return;
        }
    }

    private static void prlimit(long processId, String soft)
            throws IOException, InterruptedException {
        Process limiter = new ProcessBuilder(
                        "prlimit", "--pid", Long.toString(processId), "--nofile=" + soft + ":")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        limiter.waitFor();
    }

    private static void pause(Random random, int fromMillis, int toMillis)
            throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep(
                1000L * fromMillis + random.nextInt(1000 * (toMillis - fromMillis)));
    }

    private FaultLibrary library() {
        return Objects.requireNonNull(library);
    }
}
