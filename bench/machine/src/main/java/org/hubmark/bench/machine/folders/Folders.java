package org.hubmark.bench.machine.folders;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.List;
import java.util.stream.Stream;

/** Copies and deletes folders with all that is in them. Links are not followed. */
public final class Folders {
    private Folders() {}

    /** Copies a folder in which nothing changes meanwhile. Sockets, pipes and devices are left out. */
    public static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Path copy = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(copy);
                } else if (Files.isRegularFile(path)) {
                    // A server that was killed leaves its socket behind.
                    Files.copy(path, copy);
                }
            }
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

    /** Deletes all that is in such a folder, and nothing elsewhere, whoever moves folders meanwhile. */
    public static void empty(Path folder) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            // Every system with POSIX has them.
            empty((SecureDirectoryStream<Path>) all);
        } catch (NoSuchFileException e) {
            return;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static void empty(SecureDirectoryStream<Path> folder) throws IOException {
        for (Path entry : folder) {
            Path name = entry.getFileName();
            try {
                if (isFolder(folder, name)) {
                    try (SecureDirectoryStream<Path> below =
                            folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                        empty(below);
                    }
                    folder.deleteDirectory(name);
                } else {
                    folder.deleteFile(name);
                }
            } catch (NoSuchFileException e) {
                // It is gone already.
            }
        }
    }

    private static boolean isFolder(SecureDirectoryStream<Path> in, Path name) throws IOException {
        return in.getFileAttributeView(
                        name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isDirectory();
    }

    /** {@return all files below a folder that hold something, sorted} */
    public static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
