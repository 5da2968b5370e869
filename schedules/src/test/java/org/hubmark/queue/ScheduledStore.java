package org.hubmark.queue;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Durability;
import org.hubmark.core.Envelope;
import org.hubmark.core.Intake;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.queue.log.DirectIo;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.simulation.SimulatedDatabase;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.hubmark.queue.table.DatabaseFiles;
import org.rocksdb.AbstractEventListener;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * A store whose log and contents lie on simulated volumes and whose database is RocksDB's; it outlives the
 * stores that are opened on it. Its segments hold three or four messages, and what is beyond one of them is
 * moved. Remembers what was promised, and checks that it is there. Any thread.
 */
public final class ScheduledStore implements AutoCloseable {
    /** Octets of an ordinary message: three or four fill a segment. */
    public static final int MESSAGE_BYTES = 3_000;

    private static final long TABLE_BYTES = 1 << 10;

    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    private static final LogSettings LOG = new LogSettings(
            16 << 10,
            1,
            0,
            Duration.ZERO,
            Duration.ofMinutes(1),
            LogSettings.indexBytes(),
            DirectIo.AUTO);

    /** Where the few files lie that are not simulated. */
    private static final Path HOME = Path.of(System.getProperty("schedules.home", "/dev/shm"));

    private static int numbers;

    private final Path home;
    private final SimulatedVolume segments = new SimulatedVolume("segments");
    private final SimulatedVolume contents = new SimulatedVolume("contents");
    private final ContentBudget budget = new ContentBudget(64 << 20);
    private final Set<QueueId> promised = new TreeSet<>();
    private final Set<QueueId> settled = new HashSet<>();
    private final Map<QueueId, Integer> offered = new TreeMap<>();
    private volatile Instant now = START;
    private QueueStore store;
    private boolean broken;

    /** Makes an empty store, and opens it. */
    public ScheduledStore() throws IOException {
        home = Files.createDirectories(HOME.resolve("store-" + numbers++));
        store = open();
    }

    /** {@return a folder for what is not simulated either} It goes with the store. */
    public Path folder(String name) throws IOException {
        return Files.createDirectory(home.resolve(name));
    }

    /** {@return the store that is open} */
    public QueueStore store() {
        return store;
    }

    SimulatedVolume segments() {
        return segments;
    }

    SimulatedVolume contents() {
        return contents;
    }

    /** {@return what time it is} */
    public Instant now() {
        return now;
    }

    /** Offers a message, and notes that it is promised when it is. */
    public CompletableFuture<Receipt> offer(int lengthBytes) {
        return offer(store, lengthBytes);
    }

    /** Does the same by an intake that stands before the store. */
    public CompletableFuture<Receipt> offer(Intake intake, int lengthBytes) {
        Content content = Objects.requireNonNull(
                Content.open(store.nextId(), budget, lengthBytes), "no memory");
        QueueId id = content.id();
        content.append(octets(id, lengthBytes), 0, lengthBytes);
        synchronized (this) {
            offered.put(id, lengthBytes);
        }
        CompletableFuture<Receipt> answer = new CompletableFuture<>();
        Envelope envelope = new Envelope(
                "from@example.org", List.of("to@example.org"), BodyType.SEVEN_BIT, START, "");
        intake.enqueue(envelope, content, receipt -> {
            if (receipt instanceof Receipt.Queued) {
                synchronized (this) {
                    promised.add(id);
                }
            }
            answer.complete(receipt);
        });
        return answer;
    }

    /** Enqueues one, which has to be taken. */
    public QueueId enqueue() {
        if (offer(MESSAGE_BYTES).join() instanceof Receipt.Queued queued) {
            return queued.id();
        }
        throw new AssertionError("mail was refused");
    }

    /** Acknowledges a lease: from now on the message may be gone. */
    public void acknowledge(QueueId id) {
        settle(id);
        store.acknowledge(id);
    }

    /** From now on a message may be gone. */
    public synchronized void settle(QueueId id) {
        settled.add(id);
    }

    /** {@return what was promised and not settled} */
    public synchronized Set<QueueId> kept() {
        Set<QueueId> kept = new TreeSet<>(promised);
        kept.removeAll(settled);
        return kept;
    }

    private QueueStore open() throws IOException {
        contents.turnOn();
        segments.turnOn();
        StoreConfiguration configuration = new StoreConfiguration(
                home.resolve("log"),
                home.resolve("queue"),
                new Durability.Synced(),
                StoreConfiguration.CHECKPOINT_DEPTH_BYTES_MIN,
                new Settings(Map.of("store.free-space-min", "0B")),
                this::now);
        return QueueStore.open(configuration, LOG, new StoreStart.Segments() {
            @Override
            public Volume open(Path logVolume) {
                return segments;
            }

            @Override
            public FreeSpace.Gauge queueFree(Path queueVolume) {
                return () -> Long.MAX_VALUE / 2;
            }

            @Override
            public DatabaseFiles database() {
                return new SmallTables(contents);
            }
        });
    }

    /** Closes it in order, unless it is broken. */
    public void closeStore() throws IOException {
        if (!broken) {
            store.close();
        }
    }

    void closeBroken(Throwable cause) throws IOException {
        broken = true;
        store.closeBroken(cause);
    }

    /** What a kill leaves of the files. */
    void kill() {
        segments.kill();
        contents().kill();
    }

    /**
     * Opens it again, when nothing of it runs any more: all that was promised must be there, and nothing that
     * nobody has sent; both volumes must agree, and all memory be given back.
     */
    public void checkAfterReopening() throws IOException {
        QueueStore before = store;
        kill();
        store = open();
        now = now.plus(Duration.ofDays(1));
        Set<QueueId> found = new TreeSet<>();
        for (Lease lease : store.lease(Integer.MAX_VALUE)) {
            requireContent(lease);
            found.add(lease.id());
        }
        StoreStatistics statistics = store.statistics();
        Set<QueueId> missing = kept();
        missing.removeAll(found);
        missing.removeIf(id -> store.find(id).isPresent());
        require(missing.isEmpty(), "promised, not settled, gone: " + missing);
        require(
                found.size() + statistics.length().deadMessages()
                        == statistics.length().messages(),
                "leased " + found.size() + " of " + statistics.length());
        store.close();
        require(
                broken || !before.failure().isDone(),
                "the store failed while or after it was closed");
        kill();
        StoreIdentity identity = StoreIdentity.require(home.resolve("log"), home.resolve("queue"));
        try (QueueReader reader = QueueReader.open(
                new QueueReader.Source(identity, segments, contents(), home.resolve("queue")))) {
            List<String> problems = new QueueCheck(reader).run().problems();
            require(problems.isEmpty(), "the check found " + problems);
        }
        require(
                budget.bytesUsed() == 0,
                budget.bytesUsed() + " octets of memory are not given back");
    }

    /** Reads a leased message, which must be as it was sent. */
    public void requireContent(Lease lease) throws IOException {
        int lengthBytes;
        synchronized (this) {
            lengthBytes = Objects.requireNonNull(offered.get(lease.id()), "nobody has sent it");
        }
        try (InputStream in = lease.openContent()) {
            require(
                    Arrays.equals(in.readAllBytes(), octets(lease.id(), lengthBytes)),
                    lease.id() + " has another content");
        }
    }

    private static byte[] octets(QueueId id, int lengthBytes) {
        byte[] octets = new byte[lengthBytes];
        Arrays.fill(octets, (byte) ('a' + id.value() % 26));
        return octets;
    }

    /** Fails if something isn't so. */
    public static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }

    @Override
    public void close() throws IOException {
        SimulatedDatabase.delete(home);
    }

    /**
     * The database: in a folder in memory, where what is not flushed is gone when it is closed. Its calls are
     * steps that no other thread sees a part of; what it does in the background nobody leads.
     */
    private static final class SmallTables implements DatabaseFiles {
        private final SimulatedVolume content;
        private long bytes;

        SmallTables(SimulatedVolume content) {
            this.content = content;
        }

        @Override
        public Volume content() {
            return content;
        }

        @Override
        public AbstractEventListener listener() {
            // It is told of nothing: it would be on threads of RocksDB, which nobody leads.
            return new AbstractEventListener(new AbstractEventListener.EnabledEventCallback[0]) {};
        }

        @Override
        public void beginOpen() {}

        @Override
        public void opened() {}

        @Override
        public void beginOperation() {}

        /** After a row or two, so that this happens in the middle of a checkpoint. */
        @Override
        public boolean fillsMemtable(long more) {
            bytes = (bytes % TABLE_BYTES) + more;
            return bytes >= TABLE_BYTES;
        }
    }
}
