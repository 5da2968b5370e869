package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.RecipientResult;
import org.hubmark.core.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Proves that what version 0.1.0 has stored can be read, opened, changed and delivered, with stores that it
 * wrote: one was closed, one copied as a kill leaves it, with the program that made them beside them; and one
 * with dead letters, of which it kept the header alone.
 */
class StoredStoreTest {
    private static final String STORES = "/stores-of-0.1.0.zip";
    private static final String DEAD_LETTERS = "/stores/0.1.0.zip";

    /** Of these only the header was kept: in the database, and in the log instead of either message. */
    private static final List<QueueId> HEADERS = List.of(
            QueueId.parse("001K0PFXWM400"),
            QueueId.parse("001K0PFXWM401"),
            QueueId.parse("001K0PFXWM41T"));

    private static final QueueId DEAD = QueueId.parse("001K0PFXWM402");
    private static final QueueId PART = QueueId.parse("001K0PFXWM403");
    private static final QueueId DAMAGED = QueueId.parse("001K0PFXWM41V");
    private static final QueueId WAITS = QueueId.parse("001K0PFXWM41W");

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"closed", "killed"})
    void whatVersion010HasStoredIsReadAndDelivered(String name) throws IOException {
        unpack(STORES);
        List<String> expected = Files.readAllLines(folder.resolve("expected.txt"));
        Path log = folder.resolve(name).resolve("log");
        Path volume = folder.resolve(name).resolve("queue");
        try (QueueReader reader = QueueReader.open(log, volume)) {
            assertThat(read(reader)).isEqualTo(expected);
        }
        try (StoreUnderTest queue = open(folder.resolve(name), 64 << 10, 2)) {
            assertThat(read(queue)).isEqualTo(expected);
            queue.store().lease(expected.size()).forEach(one -> queue.store().release(one.id()));
            assertThat(Files.readString(log.resolve(StoreIdentity.FILE))).startsWith("format 4\n");
            assertThat(Files.readString(volume.resolve(StoreIdentity.FILE)))
                    .startsWith("format 4\n");
            queue.reopen();
            assertThat(read(queue)).isEqualTo(expected);

            queue.step(Duration.ofDays(1));
            List<Lease> leases = queue.store().lease(expected.size());
            assertThat(leases).hasSize((int) expected.stream()
                    .filter(line -> line.contains(" QUEUED ") || line.contains(" DEFERRED "))
                    .count());
            for (Lease lease : leases) {
                assertThat(expected)
                        .contains(line(queue.message(lease.id()), StoreUnderTest.read(lease)));
                queue.store().defer(lease.id(), queue.now(), "once more");
            }
            queue.reopen();
            for (Lease lease : queue.store().lease(expected.size())) {
                Lease before = leases.stream()
                        .filter(one -> one.id().equals(lease.id()))
                        .findAny()
                        .orElseThrow();
                assertThat(lease.attempts()).isEqualTo(before.attempts() + 1);
                assertThat(lease.results()).isEqualTo(before.results());
                queue.store().acknowledge(lease.id());
            }
            queue.awaitCommit();
            assertThat(read(queue)).hasSize(expected.size() - leases.size()).isSubsetOf(expected);
        }
    }

    /** The volumes are converted one after the other, and the column family is made after that. */
    @Test
    void aConversionThatWasCutOffIsCompleted() throws IOException {
        unpack(STORES);
        Path log = folder.resolve("killed/log");
        Path volume = folder.resolve("killed/queue");
        StoreIdentity.require(log, volume).convert(log, volume);
        Path identity = log.resolve(StoreIdentity.FILE);
        Files.writeString(identity, Files.readString(identity).replace("format 4", "format 3"));
        try (StoreUnderTest queue = open(folder.resolve("killed"), 64 << 10, 2)) {
            assertThat(Files.readString(identity)).startsWith("format 4\n");
            assertThat(read(queue)).isEqualTo(Files.readAllLines(folder.resolve("expected.txt")));
        }
    }

    @Test
    void deadLettersOfWhichTheHeaderWasKeptStayUntilTheyAreRemoved() throws Exception {
        unpack(DEAD_LETTERS);
        Path segments = folder.resolve("log").resolve(StoreStart.SEGMENTS_FOLDER);
        Files.write(segments.resolve("index"), new byte[4096]);
        Files.write(segments.resolve("index.new"), new byte[4096]);
        try (StoreUnderTest queue = open(folder, 128 << 10, 4)) {
            assertThat(segments.resolve("index")).doesNotExist();
            assertThat(segments.resolve("index.new")).doesNotExist();
            assertThat(queue.length().messages()).isEqualTo(7);
            assertThat(queue.state(DEAD)).isEqualTo(QueuedMessage.State.DEAD);
            assertThat(queue.state(DAMAGED)).isEqualTo(QueuedMessage.State.DAMAGED);
            assertThat(queue.message(PART).results())
                    .containsExactly(
                            RecipientResult.failed("550 no"), RecipientResult.pending("451 later"));
            assertThat(queue.leaseOne().id()).isEqualTo(WAITS);
            for (QueueId id : HEADERS) {
                assertThat(queue.state(id)).isEqualTo(QueuedMessage.State.HEADER);
                assertThat(queue.store().operate(id, OperatorAction.RETRY))
                        .isEqualTo(OperatorResult.UNFIT);
                try (QueueReader reader = queue.reader();
                        InputStream content = reader.content(id).open()) {
                    assertThat(new String(content.readAllBytes(), StandardCharsets.US_ASCII))
                            .matches("Subject: (early|moved|late)\r\n");
                }
            }
            queue.reopen();
            assertThat(queue.store().deadLetters(new QueueId(0), 10_000).messages())
                    .extracting(QueuedMessage::id)
                    .containsExactly(HEADERS.get(0), HEADERS.get(1), DEAD, HEADERS.get(2));
            for (QueueId id : HEADERS) {
                assertThat(queue.store().removeDead(id).join()).isTrue();
            }
            assertThat(queue.length().messages()).isEqualTo(4);
        }
    }

    /** The snapshot goes when the store is open, and not before. */
    @Test
    void ofAStoreThatCannotBeOpenedNothingIsDeleted() throws Exception {
        unpack(DEAD_LETTERS);
        Path segments = folder.resolve("log").resolve(StoreStart.SEGMENTS_FOLDER);
        for (Path file : StoreUnderTest.sizes(segments).keySet()) {
            Files.delete(file);
        }
        Path snapshot = Files.createFile(segments.resolve("index"));
        assertThatThrownBy(() -> open(folder, 128 << 10, 4))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("put back");
        assertThat(snapshot).exists();
    }

    private void unpack(String resource) throws IOException {
        try (ZipInputStream in = new ZipInputStream(
                Objects.requireNonNull(StoredStoreTest.class.getResourceAsStream(resource)))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                Path file = folder.resolve(entry.getName());
                if (!entry.isDirectory()) {
                    Files.createDirectories(Objects.requireNonNull(file.getParent()));
                    Files.copy(in, file);
                }
            }
        }
    }

    private static StoreUnderTest open(Path home, int segmentBytes, int depthSegments)
            throws IOException {
        return StoreUnderTest.at(home).log(segmentBytes, depthSegments).open();
    }

    private static List<String> read(StoreUnderTest queue) throws IOException {
        try (QueueReader reader = queue.reader()) {
            return read(reader);
        }
    }

    /** {@return a line for each message, as the program that made the stores wrote it} */
    private static List<String> read(QueueReader reader) throws IOException {
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
