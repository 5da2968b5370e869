package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Durability;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.core.StoreException;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.simulation.SimulatedDatabase;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.hubmark.queue.table.ContentFiles;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A store on two volumes of its own, which may be simulated, with a clock that the test moves. Closing it
 * closes the store and checks it: whatever a test did, the queue must be sound and all memory given back.
 */
final class StoreUnderTest implements AutoCloseable {
    static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    /** When every message is received; what is due at once is due since then. */
    static final Instant RECEIVED = START.plusNanos(123_456_789);

    /** To whom messages go of which a test says nothing else. */
    static final List<String> TO = List.of("to@example.org");

    final ContentBudget budget = new ContentBudget(256L << 20);

    /** What was handed over whole, and how long it is. */
    final Map<QueueId, Long> offered = new ConcurrentSkipListMap<>();

    private final Setup setup;
    private volatile Instant now = START;
    private QueueStore store;

    /** What a store is made of. */
    static final class Setup {
        private Path log;
        private Path queue;
        private Durability durability = new Durability.Synced();
        private Map<String, String> settings = Map.of();
        private @Nullable LogSettings logSettings;
        private @Nullable Volume segments;
        private @Nullable SimulatedLogVolume simulated;
        private FreeSpace.@Nullable Gauge queueFree;
        private boolean existingOnly;

        private Setup(Path log, Path queue) {
            this.log = log;
            this.queue = queue;
        }

        Setup durability(Durability value) {
            durability = value;
            return this;
        }

        Setup settings(Map<String, String> value) {
            settings = value;
            return this;
        }

        /** Segments of a size that no operator may set. */
        Setup log(int segmentBytes, int depthSegments) {
            return log(new LogSettings(segmentBytes, depthSegments, 0));
        }

        Setup log(LogSettings value) {
            logSettings = value;
            return this;
        }

        Setup segments(Volume value) {
            segments = value;
            return logSettings == null ? log(1 << 20, 4) : this;
        }

        /** Its segments and contents are simulated, and so are power cuts of its database. */
        Setup simulated(SimulatedLogVolume value) {
            simulated = value;
            return this;
        }

        Setup queueFree(FreeSpace.Gauge value) {
            queueFree = value;
            return this;
        }

        Setup existingOnly() {
            existingOnly = true;
            return this;
        }

        StoreUnderTest open() throws IOException {
            return new StoreUnderTest(this);
        }
    }

    private StoreUnderTest(Setup setup) throws IOException {
        this.setup = setup;
        this.store = openStore();
    }

    static Setup at(Path folder) {
        return at(folder.resolve("log"), folder.resolve("queue"));
    }

    static Setup at(Path log, Path queue) {
        return new Setup(log, queue);
    }

    static StoreUnderTest open(Path folder) throws IOException {
        return at(folder).open();
    }

    QueueStore store() {
        return store;
    }

    Path log() {
        return setup.log;
    }

    Path queue() {
        return setup.queue;
    }

    Instant now() {
        return now;
    }

    void step(Duration duration) {
        now = now().plus(duration);
    }

    /** Sets what the next opening reads. */
    void set(Map<String, String> next) {
        setup.settings = next;
    }

    /** Closes and opens again. */
    void reopen() throws IOException {
        close();
        store = openStore();
    }

    /** Opens again what the test has closed, and may have damaged. */
    void openAgain() throws IOException {
        store = openStore();
    }

    /** What a killed process leaves: the files as they are now, opened in a place of their own. */
    void crash(Path copy) throws IOException {
        Path folder = Objects.requireNonNull(log().getParent());
        copyAtRest(folder, copy);
        close();
        SimulatedDatabase.delete(folder);
        setup.log = copy.resolve("log");
        setup.queue = copy.resolve("queue");
        store = openStore();
    }

    /** Ends the use of simulated segments as the end of a process does; nothing is lost. */
    void kill() throws IOException {
        if (setup.segments instanceof SimulatedVolume volume) {
            volume.kill();
        }
        store.closeBroken(new IOException("killed"));
    }

    private QueueStore openStore() throws StoreException {
        // Small, so that ordinary tests meet checkpoints and recycled segments.
        Map<String, String> settings = new TreeMap<>(setup.settings);
        settings.putIfAbsent("store.log.segment-size", "4MiB");
        StoreConfiguration configuration = new StoreConfiguration(
                log(),
                queue(),
                setup.durability,
                16 << 20,
                new Settings(settings),
                this::now,
                setup.existingOnly);
        if (setup.simulated != null) {
            return setup.simulated.openStore(configuration);
        }
        return setup.logSettings == null
                ? QueueStore.open(configuration)
                : QueueStore.open(configuration, setup.logSettings, new StoreStart.Segments() {
                    @Override
                    public Volume open(Path logVolume) throws IOException {
                        return setup.segments == null
                                ? StoreStart.segments(logVolume)
                                : setup.segments;
                    }

                    @Override
                    public FreeSpace.Gauge queueFree(Path queueVolume) throws IOException {
                        return setup.queueFree == null
                                ? StoreStart.Segments.super.queueFree(queueVolume)
                                : setup.queueFree;
                    }
                });
    }

    QueueId enqueue(byte[] octets) {
        return queued(offer(content(octets), TO));
    }

    QueueId enqueue(String text) {
        return enqueue(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Enqueues so many octets, which the id tells. */
    QueueId enqueue(int lengthBytes) {
        return queued(offer(lengthBytes, TO));
    }

    CompletableFuture<Receipt> offer(int lengthBytes, List<String> to) {
        return offer(lengthBytes, Math.max(1, lengthBytes), to);
    }

    /** Stores all but the rest in extents of that length, then offers the message. */
    CompletableFuture<Receipt> offer(int lengthBytes, int extentBytes, List<String> to) {
        Content content = open(Math.min(lengthBytes, extentBytes));
        byte[] octets = octets(content.id().value(), lengthBytes);
        int at = 0;
        for (; lengthBytes - at > extentBytes; at += extentBytes) {
            content.append(octets, at, extentBytes);
            Optional<Receipt.Refused> refused = storeExtent(content);
            if (refused.isPresent()) {
                store.abandon(content);
                return CompletableFuture.completedFuture(refused.get());
            }
        }
        content.append(octets, at, lengthBytes - at);
        return offer(content, to);
    }

    CompletableFuture<Receipt> offer(Content content, List<String> to) {
        offered.put(content.id(), content.sizeBytes());
        CompletableFuture<Receipt> answer = new CompletableFuture<>();
        store.enqueue(envelope(to), content, answer::complete);
        return answer;
    }

    /** {@return how many messages it has enqueued} Their envelopes take the place of earlier ones in memory. */
    int pushEnvelopesOutOfMemory() {
        List<String> forwardPaths = IntStream.range(0, 3000)
                .mapToObj(i -> "a-recipient-with-a-rather-long-name-" + i + "@example.net")
                .toList();
        int messages = 30;
        for (int i = 0; i < messages; i++) {
            queued(offer(100, forwardPaths));
        }
        return messages;
    }

    /** Enqueues until so many parts of the log have been moved; {@return how many messages that took} */
    int fill(int checkpoints) {
        int messages = 0;
        for (; store.statistics().database().checkpoints() < checkpoints; messages++) {
            enqueue(50_000);
        }
        return messages;
    }

    /** Enqueues until the store has no more room; {@return how many messages that took} */
    int fillUp(int lengthBytes, List<String> to) {
        int messages = 0;
        while (offer(lengthBytes, to).join() instanceof Receipt.Queued) {
            messages++;
            assertThat(messages).isLessThan(1000);
        }
        return messages;
    }

    Content open(long expectedBytes) {
        Content content = Content.open(store.nextId(), budget, expectedBytes);
        assertThat(content).as("the budget has room").isNotNull();
        return Objects.requireNonNull(content);
    }

    Content content(byte[] octets) {
        Content content = open(octets.length);
        assertThat(content.append(octets, 0, octets.length)).isTrue();
        return content;
    }

    Optional<Receipt.Refused> storeExtent(Content content) {
        CompletableFuture<Optional<Receipt.Refused>> answer = new CompletableFuture<>();
        store.storeExtent(content, answer::complete);
        return answer.join();
    }

    static Envelope envelope(List<String> to) {
        return new Envelope(
                "from@example.org", to, BodyType.EIGHT_BIT_MIME, RECEIVED, "[192.0.2.1]");
    }

    static QueueId queued(CompletableFuture<Receipt> answer) {
        Receipt receipt = answer.join();
        assertThat(receipt).isInstanceOf(Receipt.Queued.class);
        return ((Receipt.Queued) receipt).id();
    }

    static Receipt.Reason refused(CompletableFuture<Receipt> answer) {
        Receipt receipt = answer.join();
        assertThat(receipt).isInstanceOf(Receipt.Refused.class);
        return ((Receipt.Refused) receipt).reason();
    }

    /** Waits until the store refuses mail, or takes it again. */
    void awaitRefusal(boolean refuses) {
        while ((store.refusal() != null) != refuses) {
            Thread.onSpinWait();
        }
    }

    /** Waits until what was handed over before is committed. */
    void awaitCommit() {
        assertThat(store.find(new QueueId(0))).isEmpty();
    }

    /** Leases exactly one message. */
    Lease leaseOne() {
        List<Lease> leases = store.lease(1);
        assertThat(leases).hasSize(1);
        return leases.getFirst();
    }

    QueuedMessage message(QueueId id) {
        return store.find(id).orElseThrow();
    }

    QueuedMessage.State state(QueueId id) {
        return message(id).state();
    }

    StoreStatistics.Length length() {
        return store.statistics().length();
    }

    /** Acknowledges all that is leased and due until nothing is left. */
    void drain() {
        while (length().messages() > 0) {
            ids(store.lease(Integer.MAX_VALUE)).forEach(store::acknowledge);
        }
    }

    static List<QueueId> ids(List<Lease> leases) {
        return leases.stream().map(Lease::id).toList();
    }

    static byte[] read(Lease lease) throws IOException {
        try (InputStream in = lease.openContent()) {
            return in.readAllBytes();
        }
    }

    /** Reads the content of a message that was offered by its length. */
    void requireContent(Lease lease) throws IOException {
        assertThat(lease.sizeBytes()).as("%s", lease.id()).isEqualTo(offered.get(lease.id()));
        assertThat(read(lease)).as("%s", lease.id()).isEqualTo(octets(lease.id().value(), (int)
                lease.sizeBytes()));
    }

    static byte[] octets(long seed, int lengthBytes) {
        byte[] octets = new byte[lengthBytes];
        new Random(seed).nextBytes(octets);
        return octets;
    }

    /** {@return a reader of both volumes, simulated or not} */
    QueueReader reader() throws IOException {
        Volume segments = setup.simulated == null ? setup.segments : setup.simulated.volume();
        if (segments == null) {
            return QueueReader.open(log(), queue());
        }
        Volume contents = setup.simulated == null
                ? ContentFiles.readOnly(queue())
                : setup.simulated.turnOn(queue()).content();
        StoreIdentity identity = StoreIdentity.require(log(), queue());
        return QueueReader.open(new QueueReader.Source(identity, segments, contents, queue()));
    }

    CheckReport check() throws IOException {
        try (QueueReader reader = reader()) {
            return reader.check();
        }
    }

    @Override
    public void close() throws IOException {
        store.close();
        CheckReport report = check();
        assertThat(report.problems()).isEmpty();
        // More are there where the log had no room for what says that they have left.
        assertThat(report.messages()).isGreaterThanOrEqualTo(store.queuedMessages());
        assertThat(budget.bytesUsed()).as("content memory left behind").isZero();
    }

    /** {@return the files and folders in one that a store may be changing} */
    static List<Path> walk(Path folder) throws IOException {
        while (true) {
            try (Stream<Path> files = Files.walk(folder)) {
                return files.toList();
            } catch (UncheckedIOException e) {
                // One was deleted or renamed meanwhile.
                assertThat(e).hasCauseInstanceOf(NoSuchFileException.class);
            }
        }
    }

    static Map<Path, Long> sizes(Path folder) throws IOException {
        Map<Path, Long> sizes = new TreeMap<>();
        for (Path file : walk(folder)) {
            try {
                if (Files.isRegularFile(file)) {
                    sizes.put(file, Files.size(file));
                }
            } catch (NoSuchFileException e) {
                assertThat(file).doesNotExist();
            }
        }
        return sizes;
    }

    /** Copies what a store is writing to: again, until nothing was made, moved or grew meanwhile. */
    static void copyAtRest(Path from, Path to) throws IOException {
        Map<Path, Long> before;
        do {
            before = sizes(from);
            SimulatedDatabase.delete(to);
            copy(from, to);
        } while (!before.equals(sizes(from)));
    }

    static void copy(Path from, Path to) throws IOException {
        for (Path file : walk(from)) {
            Path target = to.resolve(from.relativize(file).toString());
            try {
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            } catch (NoSuchFileException e) {
                // Gone meanwhile; the caller sees that the folder has changed and copies again.
                assertThat(file).doesNotExist();
            }
        }
    }
}
