package org.hubmark.bench.machine.folders;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Copies and deletes folders with all that is in them. Links are not followed. */
public final class Folders {
    private Folders() {}

    /** Copies a folder in which nothing changes meanwhile. Sockets, pipes and devices are left out. */
    public static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
                    throws IOException {
                Files.createDirectories(to.resolve(from.relativize(folder).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                    throws IOException {
                // A server that was killed leaves its socket behind.
                if (!attributes.isOther()) {
                    Files.copy(file, to.resolve(from.relativize(file).toString()));
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Copies a folder, of which some files may be there already. */
    public static void merge(Path from, Path to) throws IOException {
        for (Path file : Files.isDirectory(from) ? files(from) : List.<Path>of()) {
            Path copy = to.resolve(from.relativize(file).toString());
            Files.createDirectories(Objects.requireNonNull(copy.getParent()));
            Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /**
     * Deletes a folder that the caller made, mail included. What is gone already is passed over. Of
     * one that somebody else may have put mail into, {@link StoreSearch} is asked first.
     */
    public static void delete(Path folder) throws IOException {
        empty(folder);
        Files.deleteIfExists(folder);
    }

    /** Deletes all that is in such a folder. */
    public static void empty(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                    throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure)
                    throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path at, @Nullable IOException failure)
                    throws IOException {
                if (failure != null) {
                    throw failure;
                }
                if (!at.equals(folder)) {
                    Files.deleteIfExists(at);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** {@return all files below a folder that hold something, sorted} */
    public static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
