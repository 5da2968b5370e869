package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Real and pathological messages arrive in a folder byte for byte, our trace field on top apart.
 * The messages are those of a MIME parser's tests; SMTP has only CRLF line ends, so theirs are made
 * CRLF before.
 */
final class CorpusTest {
    private static final Path CORPUS =
            Path.of(System.getProperty("hubmark.root"), "..", "shared", "corpus", "mime4j");

    @TempDir
    private Path folder;

    @Test
    void arrivesByteForByte() throws Exception {
        assumeTrue(Files.isDirectory(CORPUS), () -> "there is no corpus at " + CORPUS);
        Map<String, byte[]> sent = new TreeMap<>();
        try (CommandProcess hub = CommandProcess.start(
                        folder, "serve", "--listen", "127.0.0.1:0", "--deliver", "directory:out");
                TestClient client = new TestClient(hub.listening())) {
            for (Path file : messages()) {
                byte[] content = withCrlf(Files.readAllBytes(file));
                sent.put(client.send(content), content);
            }
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> sent.keySet().stream()
                            .allMatch(id -> Files.exists(folder.resolve("out/" + id + ".json"))));
            hub.terminate();
            assertThat(hub.end().exitCode()).isZero();
        }
        assertThat(sent).hasSize(85);
        for (Map.Entry<String, byte[]> message : sent.entrySet()) {
            byte[] arrived = Files.readAllBytes(folder.resolve("out/" + message.getKey() + ".eml"));
            assertThat(withoutFirstField(arrived)).isEqualTo(message.getValue());
        }
    }

    private static List<Path> messages() throws IOException {
        try (var files = Files.list(CORPUS)) {
            return files.filter(file -> file.toString().endsWith(".msg"))
                    .sorted()
                    .toList();
        }
    }

    /** CR, LF and CRLF become CRLF, and the last line gets one. */
    private static byte[] withCrlf(byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < content.length; i++) {
            if (content[i] == '\n' || content[i] == '\r') {
                out.write('\r');
                out.write('\n');
                if (content[i] == '\r' && i + 1 < content.length && content[i + 1] == '\n') {
                    i++;
                }
            } else {
                out.write(content[i]);
            }
        }
        if (content.length > 0 && content[content.length - 1] != '\n') {
            out.write('\r');
            out.write('\n');
        }
        return out.toByteArray();
    }

    /** A field ends before the first line that doesn't begin with white space (RFC 5322 2.2.3). */
    private static byte[] withoutFirstField(byte[] message) {
        int end = 0;
        do {
            while (message[end] != '\n') {
                end++;
            }
            end++;
        } while (end < message.length && (message[end] == ' ' || message[end] == '\t'));
        return Arrays.copyOfRange(message, end, message.length);
    }
}
