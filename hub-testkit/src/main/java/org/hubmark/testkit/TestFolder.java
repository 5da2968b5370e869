package org.hubmark.testkit;

import org.hubmark.core.PrivateFiles;
import org.hubmark.hub.VolumeFolders;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The folder of one hub or queue: three volumes. It is a temporary one, which may lie in memory, until it
 * is kept; then it goes where a build keeps what it makes. One thread.
 */
final class TestFolder {
    /** Maven's, below the folder in which it runs the tests of a module. */
    private static final Path BUILD = Path.of("target");

    private static final String KEPT = "hubmark-kept";

    private Path path;

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

    /**
     * Moves it below {@code target} if there is such a folder, and says where it is and what to look into
     * it with: on standard error, since most test projects have no logging provider, and without one
     * a log line is lost. Nobody uses it any more.
     */
    void keep(String what) {
        String place = "kept in ";
        if (Files.isDirectory(BUILD)) {
            try {
                moveBelow(Files.createDirectories(BUILD.resolve(KEPT)));
            } catch (IOException e) {
                place = "not moved to " + BUILD + " (" + e.getMessage() + "), kept in ";
            }
        }
        System.err.println(what + place + path + "; look with: hubmark queue list --log-volume "
                + volumes().log() + " --queue-volume " + volumes().queue());
    }

    private void moveBelow(Path folder) throws IOException {
        Path kept = folder.toRealPath().resolve(path.getFileName());
        Path from = path;
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path at, BasicFileAttributes attributes)
                    throws IOException {
                PrivateFiles.createFolders(kept.resolve(from.relativize(at)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                    throws IOException {
                if (attributes.isRegularFile()) {
                    Files.copy(file, kept.resolve(from.relativize(file)));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        delete();
        path = kept;
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
