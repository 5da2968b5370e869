package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Durability;
import org.hubmark.core.Lease;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Settings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Proves that what version 0.1.0 has stored can be read, opened, changed and delivered, with stores that it
 * wrote: one was closed, one copied as a kill leaves it. The program that made them lies beside them.
 */
class StoredStoreTest {
    private static final LogSettings LOG_SETTINGS = new LogSettings(64 << 10, 2, 0);
    private static final Instant WRITTEN = Instant.parse("2026-11-20T12:00:00Z");

    @TempDir
    Path folder;

    private Path home = Path.of("");

    @BeforeEach
    void unpack() throws IOException {
        try (ZipInputStream in = new ZipInputStream(Objects.requireNonNull(
                StoredStoreTest.class.getResourceAsStream("/stores-of-0.1.0.zip")))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                Path file = folder.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.copy(in, file);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"closed", "killed"})
    void whatVersion010HasStoredIsReadAndDelivered(String name) throws IOException {
        home = folder.resolve(name);
        List<String> expected = Files.readAllLines(folder.resolve("expected.txt"));
        assertThat(read()).isEqualTo(expected);

        List<Lease> leases = new ArrayList<>();
        try (QueueStore store = open(WRITTEN)) {
            assertThat(read()).isEqualTo(expected);
            store.lease(expected.size()).forEach(lease -> store.release(lease.id()));
        }
        assertThat(Files.readString(home.resolve("queue/hubmark-store"))).startsWith("format 4\n");
        assertThat(Files.readString(home.resolve("log/hubmark-store"))).startsWith("format 4\n");
        assertThat(read()).isEqualTo(expected);

        Instant later = WRITTEN.plus(Duration.ofDays(1));
        try (QueueStore store = open(later)) {
            leases.addAll(store.lease(expected.size()));
            for (Lease lease : leases) {
                String line =
                        line(store.find(lease.id()).orElseThrow(), StoreUnderTest.read(lease));
                assertThat(expected).contains(line);
                store.defer(lease.id(), later, "once more");
            }
            assertThat(leases).hasSize((int) expected.stream()
                    .filter(line -> line.contains(" QUEUED ") || line.contains(" DEFERRED "))
                    .count());
        }
        try (QueueStore store = open(later)) {
            for (Lease lease : store.lease(expected.size())) {
                Lease before = leases.stream()
                        .filter(one -> one.id().equals(lease.id()))
                        .findAny()
                        .orElseThrow();
                assertThat(lease.attempts()).isEqualTo(before.attempts() + 1);
                assertThat(lease.results()).isEqualTo(before.results());
                store.acknowledge(lease.id());
            }
        }
        assertThat(read()).hasSize(expected.size() - leases.size()).isSubsetOf(expected);
    }

    /** The volumes are converted one after the other, and the column family is made after that. */
    @Test
    void aConversionThatWasCutOffIsCompleted() throws IOException {
        home = folder.resolve("killed");
        Path queue = home.resolve("queue");
        StoreIdentity.require(home.resolve("log"), queue).convert(home.resolve("log"), queue);
        Path identity = home.resolve("log/hubmark-store");
        Files.writeString(identity, Files.readString(identity).replace("format 4", "format 3"));
        List<String> before = read();
        open(WRITTEN).close();
        assertThat(Files.readString(identity)).startsWith("format 4\n");
        assertThat(read()).isEqualTo(before);
    }

    private QueueStore open(Instant now) throws IOException {
        Settings settings = new Settings(Map.of("store.free-space-min", "0B"));
        return QueueStore.open(
                new StoreConfiguration(
                        home.resolve("log"),
                        home.resolve("queue"),
                        new Durability.Synced(),
                        1 << 20,
                        settings,
                        () -> now),
                LOG_SETTINGS,
                StoreStart::segments);
    }

    /** {@return a line for each message, as the program that made the stores wrote it} */
    private List<String> read() throws IOException {
        try (QueueReader reader = QueueReader.open(home.resolve("log"), home.resolve("queue"))) {
            assertThat(reader.check().problems()).isEmpty();
            List<QueuedMessage> messages = new ArrayList<>();
            reader.forEach(messages::add);
            List<String> lines = new ArrayList<>();
            for (QueuedMessage message : messages) {
                try (InputStream content = reader.content(message.id()).open()) {
                    lines.add(line(message, content.readAllBytes()));
                }
            }
            return lines;
        }
    }

    private static String line(QueuedMessage message, byte[] content) {
        return String.format(
                Locale.ROOT,
                "%s %s due %s, %d attempts, %d octets (%x) from %s to %s of %s: %s %s",
                message.id(),
                message.state(),
                message.dueAt(),
                message.attempts(),
                message.sizeBytes(),
                Arrays.hashCode(content),
                message.envelope().reversePath(),
                message.envelope().forwardPaths(),
                message.envelope().receivedAt(),
                message.reason(),
                message.results().stream()
                        .map(result -> result.state() + " " + result.reply())
                        .toList());
    }
}
