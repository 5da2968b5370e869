package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.RecipientResult;
import org.hubmark.core.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Proves that a store that an earlier version left when it was killed opens with all that was in it, by
 * one in the resources. The messages of 0.1.0, by their ids: of the first, the second and the fifth only
 * the header was kept, in the database, and in the log instead of a message in the database and of one
 * in the log.
 */
class EarlierStoreTest {
    private static final QueueId EARLY = QueueId.parse("001K0PFXWM400");
    private static final QueueId MOVED = QueueId.parse("001K0PFXWM401");
    private static final QueueId DEAD = QueueId.parse("001K0PFXWM402");
    private static final QueueId PART = QueueId.parse("001K0PFXWM403");
    private static final QueueId LATE = QueueId.parse("001K0PFXWM41T");
    private static final QueueId DAMAGED = QueueId.parse("001K0PFXWM41V");
    private static final QueueId WAITS = QueueId.parse("001K0PFXWM41W");

    @TempDir
    Path folder;

    @Test
    void theStoreOfVersion010Opens() throws Exception {
        unpack("0.1.0.zip");
        try (StoreUnderTest queue = StoreUnderTest.open(folder, new LogSettings(128 << 10, 4, 0))) {
            assertThat(queue.store().statistics().length().messages()).isEqualTo(7);
            assertThat(queue.message(DEAD).state()).isEqualTo(QueuedMessage.State.DEAD);
            assertThat(queue.message(DAMAGED).state()).isEqualTo(QueuedMessage.State.DAMAGED);
            assertThat(queue.message(PART).results())
                    .containsExactly(
                            RecipientResult.failed("550 no"), RecipientResult.pending("451 later"));
            assertThat(queue.leaseOne().id()).isEqualTo(WAITS);
            for (QueueId id : List.of(EARLY, MOVED, LATE)) {
                assertThat(queue.message(id).state()).isEqualTo(QueuedMessage.State.HEADER);
                assertThat(queue.store().operate(id, OperatorAction.RETRY))
                        .isEqualTo(OperatorResult.UNFIT);
                try (QueueReader reader = QueueReader.open(queue.log(), queue.queue());
                        InputStream content = reader.content(id).open()) {
                    assertThat(new String(content.readAllBytes(), StandardCharsets.US_ASCII))
                            .matches("Subject: (early|moved|late)\r\n");
                }
            }
            queue.reopen();
            assertThat(queue.store().deadLetters(new QueueId(0), 10_000).messages())
                    .extracting(QueuedMessage::id)
                    .containsExactly(EARLY, MOVED, DEAD, LATE);
            for (QueueId id : List.of(EARLY, MOVED, LATE)) {
                assertThat(queue.store().removeDead(id).join()).isTrue();
            }
            assertThat(queue.store().statistics().length().messages()).isEqualTo(4);
        }
    }

    /** The snapshot goes when the store is open, and not before. */
    @Test
    void ofAStoreThatCannotBeOpenedNothingIsDeleted() throws Exception {
        unpack("0.1.0.zip");
        Path segments = folder.resolve("log").resolve(StoreStart.SEGMENTS_FOLDER);
        Path snapshot = Files.createFile(segments.resolve("index"));
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(segments, "*.log")) {
            for (Path log : logs) {
                Files.delete(log);
            }
        }
        assertThatThrownBy(() -> StoreUnderTest.open(folder, new LogSettings(128 << 10, 4, 0)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("put back");
        assertThat(snapshot).exists();
    }

    private void unpack(String name) throws IOException {
        try (InputStream in = EarlierStoreTest.class.getResourceAsStream("/stores/" + name);
                ZipInputStream zip = new ZipInputStream(Objects.requireNonNull(in))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = folder.resolve(entry.getName());
                if (!entry.isDirectory()) {
                    Files.createDirectories(Objects.requireNonNull(file.getParent()));
                    Files.copy(zip, file);
                }
            }
        }
    }
}
