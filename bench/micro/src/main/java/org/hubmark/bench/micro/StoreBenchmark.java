package org.hubmark.bench.micro;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.core.Durability;
import org.hubmark.core.Lease;
import org.hubmark.core.Settings;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.StoreConfiguration;
import org.hubmark.queue.StoreStatistics;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * Enqueue and settle through the store: one thread enqueues with up to 64 messages waiting for
 * their commit, another leases what is committed and acknowledges it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
public class StoreBenchmark {
    /** Octets of a message. */
    @Param({"4000", "57000", "80000", "1000000"})
    public int messageBytes;

    /** What a 250 promises. */
    @Param({"synced", "periodic", "none"})
    public String durability = "";

    /** An existing folder, on the volume that is written to; empty for that of temporary files. */
    @Param("")
    public String volume = "";

    private Path folder = Path.of("");
    /** Opened by {@link #open}, which JMH calls first. */
    @SuppressWarnings("NullAway.Init")
    private QueueStore store;

    @SuppressWarnings("NullAway.Init")
    private Enqueuer enqueuer;

    private Thread settler = new Thread();
    private volatile boolean stopping;

    /** Opens a store in a fresh folder. */
    @Setup
    public void open() throws IOException {
        folder = BenchmarkFolder.make(volume);
        store = QueueStore.open(new StoreConfiguration(
                folder.resolve("log"),
                folder.resolve("queue"),
                Durability.parse(durability),
                512L << 20,
                Settings.defaults(),
                InstantSource.system()));
        enqueuer = new Enqueuer(store, messageBytes);
        stopping = false;
        settler = Thread.ofPlatform().name("settler").start(this::settle);
        Costs.meterWith(this::counts);
    }

    /** Closes the store and removes the folder. */
    @TearDown
    public void close() throws IOException, InterruptedException {
        enqueuer.awaitAll();
        Costs.unmeter();
        stopping = true;
        settler.join();
        store.close();
        Folders.delete(folder);
    }

    /** One message in; the thread that settles takes it out again. */
    @Benchmark
    public void enqueueAndSettle() throws InterruptedException {
        enqueuer.enqueue();
    }

    private void settle() {
        try {
            while (!stopping) {
                if (store.awaitDue(Duration.ofMillis(50))) {
                    for (Lease lease : store.lease(Enqueuer.IN_FLIGHT_MAX)) {
                        store.acknowledge(lease.id());
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Costs.Counts counts() {
        StoreStatistics statistics = store.statistics();
        return new Costs.Counts(
                statistics.arrivals().messages(),
                statistics.arrivals().bytes(),
                statistics.log().writes(),
                statistics.database().writes(),
                statistics.log().bytesWritten() + statistics.database().bytesWritten());
    }
}
