package org.hubmark.testkit;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** The temporary folder of one hub or queue: three volumes. One thread. */
final class TestFolder {
    private final Path path;

    TestFolder() {
        try {
            path = Files.createTempDirectory("hubmark-test-").toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException("can't make a temporary folder: " + e.getMessage(), e);
        }
    }

    Path path() {
        return path;
    }

    Path log() {
        return path.resolve("log");
    }

    Path queue() {
        return path.resolve("queue");
    }

    Path tracking() {
        return path.resolve("tracking");
    }

    /**
     * Says where it is and what to look into it with: on standard error, since most test projects
     * have no logging provider, and without one a log line is lost.
     */
    void print(String what) {
        System.err.println(
                what + "kept in " + path + "; look with: hubmark queue list --log-volume " + log()
                        + " --queue-volume " + queue());
    }

    void delete() {
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                        throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e)
                        throws IOException {
                    if (e instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE;
                    }
                    throw e;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
                        throws IOException {
                    Files.deleteIfExists(folder);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("can't remove " + path + ": " + e.getMessage(), e);
        }
    }
}
