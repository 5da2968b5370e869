package org.hubmark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Proves that an error of the file system is said in words, by making some and by making some up. */
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
}
