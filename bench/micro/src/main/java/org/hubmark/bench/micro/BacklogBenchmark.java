package org.hubmark.bench.micro;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.core.Durability;
import org.hubmark.core.Lease;
import org.hubmark.core.Settings;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.StoreConfiguration;
import org.hubmark.queue.StoreStatistics;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * How long a backlog takes to leave: a store is opened on it, and one thread leases every message,
 * reads its content and acknowledges it. One operation is one backlog.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
public class BacklogBenchmark {
    private static final int LEASES_MAX = 64;

    /** The least there is, so that nearly all of it lies in the queue database. */
    private static final long CHECKPOINT_DEPTH_BYTES = 4L << 20;

    private static final Duration DEFERRED_MAX = Duration.ofHours(1);

    /** How many there are. */
    @Param("50000")
    public int messages;

    /** Octets of a message. */
    @Param("4000")
    public int messageBytes;

    /** In which order it leaves: as it came, or each at a time of its own, to which it was deferred. */
    @Param({"arrival", "deferred"})
    public String order = "";

    /** An existing folder, on the volume that is read from; empty for that of temporary files. */
    @Param("")
    public String volume = "";

    private final Random random = new Random(1);
    private final Instant start = Instant.parse("2026-01-01T00:00:00Z");
    private volatile Instant now = start;
    private Path folder = Path.of("");
    /** Opened by {@link #fill}, which JMH calls first. */
    @SuppressWarnings("NullAway.Init")
    private QueueStore store;

    /** What JMH reports beside the time. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Drained {
        /** Read calls on the queue volume. */
        public long queueReads;

        /** Write calls to the queue volume. */
        public long queueWrites;

        /** Starts an iteration. */
        @Setup(Level.Iteration)
        public void reset() {
            queueReads = 0;
            queueWrites = 0;
        }
    }

    /** Makes the backlog in a fresh folder, and opens the store anew. */
    @Setup(Level.Iteration)
    public void fill() throws IOException, InterruptedException {
        folder = BenchmarkFolder.make(volume);
        now = start;
        store = open(Map.of());
        Enqueuer enqueuer = new Enqueuer(store, messageBytes);
        for (int i = 0; i < messages; i++) {
            enqueuer.enqueue();
        }
        enqueuer.awaitAll();
        if (order.equals("deferred")) {
            for (int left = messages; left > 0; ) {
                List<Lease> leases = store.lease(LEASES_MAX);
                for (Lease lease : leases) {
                    long afterMillis = 1 + random.nextLong(DEFERRED_MAX.toMillis());
                    store.defer(lease.id(), start.plusMillis(afterMillis), "451 4.3.0 later");
                }
                left -= leases.size();
            }
        }
        store.close();
        now = start.plus(DEFERRED_MAX);
        store = open(Map.of());
    }

    /** Closes the store and removes the folder. */
    @TearDown(Level.Iteration)
    public void close() throws IOException {
        store.close();
        Folders.delete(folder);
    }

    /** All of it leaves. */
    @Benchmark
    public void drain(Drained drained) throws IOException {
        StoreStatistics before = store.statistics();
        for (int left = messages; left > 0; ) {
            List<Lease> leases = store.lease(LEASES_MAX);
            for (Lease lease : leases) {
                try (InputStream content = lease.openContent()) {
                    content.transferTo(OutputStream.nullOutputStream());
                }
                store.acknowledge(lease.id());
            }
            left -= leases.size();
        }
        while (store.statistics().length().messages() > 0) {
            Thread.onSpinWait();
        }
        StoreStatistics after = store.statistics();
        drained.queueReads += after.database().reads() - before.database().reads();
        drained.queueWrites += after.database().writes() - before.database().writes();
    }

    private QueueStore open(Map<String, String> settings) throws IOException {
        InstantSource clock = () -> now;
        return QueueStore.open(new StoreConfiguration(
                folder.resolve("log"),
                folder.resolve("queue"),
                new Durability.Synced(),
                CHECKPOINT_DEPTH_BYTES,
                new Settings(settings),
                clock));
    }
}
