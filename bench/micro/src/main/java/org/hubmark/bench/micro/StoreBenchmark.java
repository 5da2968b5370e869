package org.hubmark.bench.micro;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Durability;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.Receipt;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Semaphore;
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
    private static final int IN_FLIGHT_MAX = 64;

    /** Octets of a message. */
    @Param({"4000", "57000", "80000", "1000000"})
    public int messageBytes;

    /** What a 250 promises. */
    @Param({"synced", "periodic", "none"})
    public String durability = "";

    private final Semaphore inFlight = new Semaphore(IN_FLIGHT_MAX);
    private final ContentBudget budget = new ContentBudget(1L << 30);
    private final Envelope envelope = new Envelope(
            "sender@example.org",
            List.of("recipient@example.com"),
            BodyType.SEVEN_BIT,
            Instant.EPOCH,
            "127.0.0.1");
    private byte[] octets = {};
    private Path folder = Path.of("");
    /** Opened by {@link #open}, which JMH calls first. */
    @SuppressWarnings("NullAway.Init")
    private QueueStore store;

    private Thread settler = new Thread();
    private volatile boolean stopping;

    /** Opens a store in a fresh temporary folder. */
    @Setup
    public void open() throws IOException {
        octets = new byte[messageBytes];
        new Random(1).nextBytes(octets);
        folder = Files.createTempDirectory("hubmark-micro");
        store = QueueStore.open(new StoreConfiguration(
                folder.resolve("log"),
                folder.resolve("queue"),
                Durability.parse(durability),
                512L << 20,
                Settings.defaults(),
                InstantSource.system()));
        stopping = false;
        settler = Thread.ofPlatform().name("settler").start(this::settle);
        Costs.meterWith(this::counts);
    }

    /** Closes the store and removes the folder. */
    @TearDown
    public void close() throws IOException, InterruptedException {
        inFlight.acquire(IN_FLIGHT_MAX);
        inFlight.release(IN_FLIGHT_MAX);
        Costs.unmeter();
        stopping = true;
        settler.join();
        store.close();
        Folders.delete(folder);
    }

    /** One message in; the thread that settles takes it out again. */
    @Benchmark
    public void enqueueAndSettle() throws InterruptedException {
        inFlight.acquire();
        Content content =
                Objects.requireNonNull(Content.open(store.nextId(), budget, messageBytes));
        content.append(octets, 0, octets.length);
        store.enqueue(envelope, content, this::answered);
    }

    private void answered(Receipt receipt) {
        inFlight.release();
        if (receipt instanceof Receipt.Refused refused) {
            throw new IllegalStateException(refused.detail());
        }
    }

    private void settle() {
        try {
            while (!stopping) {
                if (store.awaitDue(Duration.ofMillis(50))) {
                    for (Lease lease : store.lease(IN_FLIGHT_MAX)) {
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
                statistics.acceptedMessages(),
                statistics.acceptedBytes(),
                statistics.logWrites(),
                statistics.queueWrites(),
                statistics.logBytesWritten() + statistics.queueBytesWritten());
    }
}
