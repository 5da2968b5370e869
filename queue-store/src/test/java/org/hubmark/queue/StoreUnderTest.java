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
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * A store on two folders of its own with a clock that the test moves. Closing it closes the store
 * and checks it: whatever a test did, the queue must be sound and all memory given back.
 */
final class StoreUnderTest implements AutoCloseable {
    static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    /** When every message is received; what is due at once is due since then. */
    static final Instant RECEIVED = START.plusNanos(123_456_789);

    final ContentBudget budget = new ContentBudget(256L << 20);
    private volatile Instant now = START;
    private final Durability durability;
    private Map<String, String> settings;
    private final @Nullable LogSettings logSettings;
    private final StoreStart.Segments segments;
    private Path folder;
    private QueueStore store;

    private StoreUnderTest(
            Path folder,
            Durability durability,
            Map<String, String> settings,
            @Nullable LogSettings logSettings,
            StoreStart.Segments segments)
            throws IOException {
        this.folder = folder;
        this.durability = durability;
        this.settings = settings;
        this.logSettings = logSettings;
        this.segments = segments;
        this.store = openStore();
    }

    static StoreUnderTest open(Path folder) throws IOException {
        return new StoreUnderTest(
                folder, new Durability.Synced(), Map.of(), null, StoreStart::segments);
    }

    /** With segments of a size that no operator may set. */
    static StoreUnderTest open(Path folder, LogSettings logSettings) throws IOException {
        return new StoreUnderTest(
                folder, new Durability.Synced(), Map.of(), logSettings, StoreStart::segments);
    }

    /** With its segments on a simulated volume, which {@link #close} can't check. */
    static StoreUnderTest open(Path folder, Volume segments) throws IOException {
        return open(folder, Map.of(), segments);
    }

    static StoreUnderTest open(Path folder, Map<String, String> settings, Volume segments)
            throws IOException {
        LogSettings logSettings = new LogSettings(1 << 20, 4, 0);
        return new StoreUnderTest(
                folder, new Durability.Synced(), settings, logSettings, path -> segments);
    }

    static StoreUnderTest open(Path folder, LogSettings logSettings, Volume segments)
            throws IOException {
        return new StoreUnderTest(
                folder, new Durability.Synced(), Map.of(), logSettings, path -> segments);
    }

    static StoreUnderTest open(Path folder, Durability durability) throws IOException {
        return new StoreUnderTest(folder, durability, Map.of(), null, StoreStart::segments);
    }

    static StoreUnderTest open(Path folder, Map<String, String> settings) throws IOException {
        return new StoreUnderTest(
                folder, new Durability.Synced(), settings, null, StoreStart::segments);
    }

    QueueStore store() {
        return store;
    }

    Path log() {
        return folder.resolve("log");
    }

    Path queue() {
        return folder.resolve("queue");
    }

    StoreConfiguration configuration() {
        // Small, so that ordinary tests meet checkpoints and recycled segments.
        Map<String, String> all = new TreeMap<>(settings);
        all.putIfAbsent("store.log.segment-size", "4MiB");
        return new StoreConfiguration(
                log(), queue(), durability, 16 << 20, new Settings(all), () -> now);
    }

    Instant now() {
        return now;
    }

    void step(Duration duration) {
        now = now().plus(duration);
    }

    /** Sets what the next opening reads. */
    void set(Map<String, String> next) {
        settings = next;
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
        copyAtRest(folder, copy);
        close();
        delete(folder);
        folder = copy;
        store = openStore();
    }

    private QueueStore openStore() throws StoreException {
        return logSettings == null
                ? QueueStore.open(configuration())
                : QueueStore.open(configuration(), logSettings, segments);
    }

    QueueId enqueue(byte[] octets) {
        return queued(offer(content(octets), List.of("to@example.org")));
    }

    QueueId enqueue(String text) {
        return enqueue(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Stores all but the rest, in extents of at least an extent's size, then enqueues. */
    QueueId enqueueInExtents(byte[] octets, int extentBytes) {
        Content content = open(extentBytes);
        int position = 0;
        while (octets.length - position > extentBytes) {
            content.append(octets, position, extentBytes);
            position += extentBytes;
            assertThat(storeExtent(content)).isEmpty();
        }
        content.append(octets, position, octets.length - position);
        assertThat(content.sizeBytes()).isEqualTo(octets.length);
        return queued(offer(content, List.of("to@example.org")));
    }

    /** {@return how many messages it has enqueued} Their envelopes take the place of earlier ones in memory. */
    int pushEnvelopesOutOfMemory() {
        List<String> forwardPaths = IntStream.range(0, 3000)
                .mapToObj(i -> "a-recipient-with-a-rather-long-name-" + i + "@example.net")
                .toList();
        int messages = 30;
        for (int i = 0; i < messages; i++) {
            queued(offer(content(new byte[100]), forwardPaths));
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

    CompletableFuture<Receipt> offer(Content content, List<String> to) {
        CompletableFuture<Receipt> answer = new CompletableFuture<>();
        store.enqueue(envelope(to), content, answer::complete);
        return answer;
    }

    Envelope envelope(List<String> to) {
        return new Envelope(
                "from@example.org", to, BodyType.EIGHT_BIT_MIME, RECEIVED, "[192.0.2.1]");
    }

    /** {@return from when on a message is due, for comparing; at once is before every time} */
    static Instant dueFrom(Instant dueAt) {
        return dueAt.equals(RECEIVED) ? Instant.MIN : dueAt;
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

    /** Leases exactly one message. */
    Lease leaseOne() {
        List<Lease> leases = store.lease(1);
        assertThat(leases).hasSize(1);
        return leases.get(0);
    }

    QueuedMessage message(QueueId id) {
        return store.find(id).orElseThrow();
    }

    static byte[] read(Lease lease) throws IOException {
        try (InputStream in = lease.openContent()) {
            return in.readAllBytes();
        }
    }

    static byte[] octets(long seed, int lengthBytes) {
        byte[] octets = new byte[lengthBytes];
        new Random(seed).nextBytes(octets);
        return octets;
    }

    CheckReport check() throws IOException {
        try (QueueReader reader = QueueReader.open(log(), queue())) {
            return reader.check();
        }
    }

    @Override
    public void close() throws IOException {
        StoreStatistics length = store.statistics();
        store.close();
        CheckReport report = check();
        assertThat(report.problems()).isEmpty();
        assertThat(report.messages()).isGreaterThanOrEqualTo(0);
        assertThat(budget.bytesUsed()).as("content memory left behind").isZero();
        assertThat(length.length().messages())
                .isGreaterThanOrEqualTo(length.length().deadMessages());
    }

    static Map<Path, Long> sizes(Path folder) throws IOException {
        Map<Path, Long> sizes = new TreeMap<>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                sizes.put(file, attributes.size());
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE;
            }
        });
        return sizes;
    }

    /** Copies what a store is writing to: again, until nothing was made, moved or grew meanwhile. */
    static void copyAtRest(Path from, Path to) throws IOException {
        Map<Path, Long> before;
        do {
            before = sizes(from);
            delete(to);
            copy(from, to);
        } while (!before.equals(sizes(from)));
    }

    static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                Files.createDirectories(target(directory));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                    throws IOException {
                try {
                    Files.copy(file, target(file));
                } catch (NoSuchFileException e) {
                    // Gone meanwhile; the caller sees that the folder has changed and copies again.
                    assertThat(file).doesNotExist();
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE;
            }

            private Path target(Path source) {
                return to.resolve(from.relativize(source).toString());
            }
        });
    }

    static void delete(Path folder) throws IOException {
        while (Files.exists(folder)) {
            try (var files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (DirectoryNotEmptyException | UncheckedIOException e) {
                // A store that is still running has made or renamed a file meanwhile.
                assertThat(folder).exists();
            }
        }
    }
}
