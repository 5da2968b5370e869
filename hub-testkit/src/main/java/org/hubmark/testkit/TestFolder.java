package org.hubmark.testkit;

import org.hubmark.hub.VolumeFolders;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The folder of one hub or queue: three volumes. A temporary one, which may lie in memory. One thread. */
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

    VolumeFolders volumes() {
        return VolumeFolders.below(path);
    }

    void delete() {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't remove " + path + ": " + e.getMessage(), e);
        }
    }
}
