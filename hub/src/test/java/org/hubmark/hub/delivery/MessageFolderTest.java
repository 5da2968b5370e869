package org.hubmark.hub.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.core.BodyType;
import org.hubmark.core.ContentSource;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.hub.TestAgents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A message becomes two whole files and nothing else; a folder's failure defers it, and a failure
 * to read its content is not the folder's.
 */
final class MessageFolderTest {
    private static final QueueId ID = new QueueId(1234);
    private static final Envelope ENVELOPE = new Envelope(
            "",
            List.of("b@y.example", "\"c \\\" d\"@z.example"),
            BodyType.EIGHT_BIT_MIME,
            Instant.parse("2026-11-20T12:00:00.123Z"),
            "127.0.0.1");

    @TempDir
    private Path parent;

    @Test
    void writesContentAndEnvelope() throws IOException {
        byte[] content = new byte[200_000];
        new Random(1).nextBytes(content);
        Path folder = parent.resolve("a/b");
        DirectoryAgent agent = new DirectoryAgent(MessageFolder.open(folder));
        for (int i = 0; i < 2; i++) {
            // Delivered again after a crash: the same files.
            assertThat(agent.deliver(
                            lease(content.length, () -> new ByteArrayInputStream(content))))
                    .isEqualTo(new Outcome.Delivered());
        }
        assertThat(names(folder)).containsExactlyInAnyOrder(ID + ".eml", ID + ".json");
        assertThat(folder.resolve(ID + ".eml")).hasBinaryContent(content);
        JsonNode json = new ObjectMapper().readTree(folder.resolve(ID + ".json").toFile());
        assertThat(json.toString())
                .isEqualTo("{\"id\":\"" + ID + "\",\"reverse_path\":\"\",\"forward_paths\":"
                        + "[\"b@y.example\",\"\\\"c \\\\\\\" d\\\"@z.example\"],"
                        + "\"size_bytes\":200000,\"received_at\":\"2026-11-20T12:00:00.123Z\"}");
    }

    @Test
    void neverReplacesAnotherMessageOfTheSameId() throws IOException {
        MessageFolder folder = MessageFolder.open(parent);
        Envelope other = new Envelope(
                "x@y.example", List.of("b@y.example"), BodyType.SEVEN_BIT, Instant.EPOCH, "");
        for (int round = 0; round < 2; round++) {
            folder.write(ID, ENVELOPE, 3, content(1, 2, 3));
            folder.write(ID, ENVELOPE, 3, content(1, 2, 4));
            // Of the same content, but to others.
            folder.write(ID, other, 3, content(1, 2, 3));
        }
        assertThat(names(parent))
                .hasSize(6)
                .filteredOn(name -> name.endsWith(".json"))
                .hasSize(3);
        assertThat(parent.resolve(ID + ".eml")).hasBinaryContent(new byte[] {1, 2, 3});
        assertThat(parent.resolve(ID + "-2.eml")).hasBinaryContent(new byte[] {1, 2, 4});
        assertThat(parent.resolve(ID + "-3.eml")).hasBinaryContent(new byte[] {1, 2, 3});
        assertThat(parent.resolve(ID + "-3.json")).content().contains("x@y.example");
    }

    /** Another user of the folder may put one there; to open it waits for a writer. */
    @Test
    void aPipeOfTheNameIsNotOpened() throws Exception {
        MessageFolder folder = MessageFolder.open(parent);
        assertThat(new ProcessBuilder("mkfifo", parent.resolve(ID + ".eml").toString())
                        .start()
                        .waitFor())
                .isZero();
        folder.write(ID, ENVELOPE, 1, content(1));
        assertThat(parent.resolve(ID + "-2.eml")).hasBinaryContent(new byte[] {1});
    }

    /** As a crash leaves it between the two files. */
    @Test
    void completesWhatIsThereByHalf() throws IOException {
        MessageFolder folder = MessageFolder.open(parent);
        folder.write(ID, ENVELOPE, 1, content(1));
        Files.delete(parent.resolve(ID + ".json"));
        folder.write(ID, ENVELOPE, 1, content(1));
        assertThat(names(parent)).containsExactlyInAnyOrder(ID + ".eml", ID + ".json");
    }

    @Test
    void defersWhenTheFolderFails() throws IOException {
        Path folder = parent.resolve("gone");
        DirectoryAgent agent = new DirectoryAgent(MessageFolder.open(folder));
        Files.delete(folder);
        assertThat(TestAgents.words(agent.deliver(lease(0, content()))))
                .startsWith("deferred ")
                .contains("gone", "no such file or folder");
    }

    @Test
    void throwsWhenTheContentCantBeRead() throws IOException {
        DirectoryAgent agent = new DirectoryAgent(MessageFolder.open(parent));
        assertThatThrownBy(() -> agent.deliver(lease(0, () -> {
                    throw new IOException("checksum differs");
                })))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("checksum differs");
        assertThat(names(parent)).isEmpty();
    }

    @Test
    void saysWhyAFolderWontDo() throws IOException {
        Path file = Files.createFile(parent.resolve("file"));
        assertThatThrownBy(() -> MessageFolder.open(file.resolve("folder")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("can't write messages to " + file.resolve("folder"));
    }

    private static ContentSource content(int... octets) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        IntStream.of(octets).forEach(content::write);
        return () -> new ByteArrayInputStream(content.toByteArray());
    }

    private static Lease lease(long sizeBytes, ContentSource content) {
        return new Lease(ID, ENVELOPE, sizeBytes, 0, content);
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName())).toList();
        }
    }
}
