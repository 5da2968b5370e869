package org.hubmark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Proves that an error of the file system is said in words, by making some and by making some up, and that a
 * process without a file descriptor knows it.
 */
final class FileErrorsTest {
    @TempDir
    private Path folder;

    private static IOException failure(ThrowingCallable attempt) {
        return catchThrowableOfType(IOException.class, attempt);
    }

    @Test
    void areSaidInWordsWithTheFile() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        Path absent = folder.resolve("absent");
        assertThat(FileErrors.text(failure(() -> Files.readString(absent))))
                .isEqualTo(absent + ": no such file or folder");
        assertThat(FileErrors.text(failure(() -> Files.newDirectoryStream(file))))
                .isEqualTo(file + ": it is not a folder");
        assertThat(FileErrors.text(failure(() -> Files.createDirectories(file))))
                .isEqualTo(file + ": there is a file where a folder should be");
        assertThat(FileErrors.text(new AccessDeniedException("/x")))
                .isEqualTo("/x: permission denied");
        assertThat(FileErrors.text(new FileSystemException("/x", null, "No space left on device")))
                .isEqualTo("/x: No space left on device");
        assertThat(FileErrors.text(new FileSystemException("/x"))).isEqualTo("/x: it failed");
    }

    @Test
    void othersSayWhatTheySay() {
        assertThat(FileErrors.text(new IOException("the stream is closed")))
                .isEqualTo("the stream is closed");
        assertThat(FileErrors.text(new IOException())).isEqualTo("IOException");
        assertThat(FileErrors.reason(new FileSystemException("/x", null, "read-only")))
                .isEqualTo("read-only");
    }

    @Test
    @Timeout(60)
    @EnabledOnOs(OS.LINUX)
    void aProcessThatHasOpenedAllKnowsIt() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -n 200 && exec \"$0\" -cp \"$1\" \"$2\"",
                        java,
                        System.getProperty("java.class.path"),
                        OpensAll.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("before false", "then true", "after false");
        assertThat(FileErrors.isOutOfDescriptors(new ConnectException("refused")))
                .isFalse();
        assertThat(FileErrors.descriptorsMax()).isPositive();
    }

    /** Opens files until it can't. */
    static final class OpensAll {
        private OpensAll() {}

        public static void main(String[] args) throws IOException {
            // Classes are loaded while that is possible.
            System.out.println("before " + FileErrors.isOutOfDescriptors(new IOException("x")));
            List<InputStream> open = new ArrayList<>();
            boolean without = false;
            try {
                for (int i = 0; i < 1000; i++) {
                    open.add(Files.newInputStream(Path.of("/dev/null")));
                }
            } catch (IOException e) {
                without = FileErrors.isOutOfDescriptors(e);
            }
            for (InputStream file : open) {
                file.close();
            }
            System.out.println("then " + without);
            System.out.println("after " + FileErrors.isOutOfDescriptors(new IOException("x")));
        }
    }
}
