package org.hubmark.bench.run;

import org.hubmark.bench.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folders that a run's hub works in, empty each time. Only what an earlier run made is ever
 * removed, and in the default folders what any hub made; a file in each folder says so.
 */
public final class DataFolders {
    private static final String RUN_MARK = "hubmark-run";
    private static final String STORE_MARK = "hubmark-store";
    /** mkfs makes it on each ext file system. */
    private static final String LOST_FOUND = "lost+found";

    private final Path log;
    private final Path queue;
    private final Path tracking;
    private final boolean given;

    /**
     * Names them.
     *
     * @param given whether a person chose any of them
     */
    public DataFolders(Path log, Path queue, Path tracking, boolean given) {
        this.log = log;
        this.queue = queue;
        this.tracking = tracking;
        this.given = given;
    }

    /** {@return of the log volume} */
    public Path log() {
        return log;
    }

    /** {@return of the queue volume} */
    public Path queue() {
        return queue;
    }

    /** {@return of the tracking volume} */
    public Path tracking() {
        return tracking;
    }

    /**
     * Makes them, or empties them.
     *
     * @throws UserError when one can't be had, or holds what isn't ours to remove
     */
    void makeFresh() {
        List<Path> folders = List.of(log, queue, tracking);
        // First all are looked at, so that nothing is removed when one has to be refused.
        boolean ours =
                folders.stream().anyMatch(folder -> Files.exists(folder.resolve(STORE_MARK)));
        for (Path folder : folders) {
            check(folder, ours && !given);
        }
        for (Path folder : folders) {
            try {
                Files.createDirectories(folder);
                empty(folder);
                Files.writeString(
                        folder.resolve(RUN_MARK),
                        "Made by hubmark run; the next one empties it.\n");
            } catch (IOException e) {
                throw UserError.failed(
                        "volume " + folder + " can't be written (" + UserError.reason(e) + ")");
            }
        }
    }

    /**
     * Looks at them.
     *
     * @throws UserError when one holds what isn't ours to remove
     */
    public void check() {
        boolean ours =
                folders().stream().anyMatch(folder -> Files.exists(folder.resolve(STORE_MARK)));
        for (Path folder : folders()) {
            check(folder, ours && !given);
        }
    }

    private List<Path> folders() {
        return List.of(log, queue, tracking);
    }

    private static void check(Path folder, boolean ours) {
        if (!Files.exists(folder)) {
            return;
        }
        if (!Files.isDirectory(folder)) {
            throw UserError.usage("volume " + folder + " is not a folder");
        }
        try (Stream<Path> entries = Files.list(folder)) {
            boolean empty = entries.allMatch(entry -> entry.endsWith(LOST_FOUND));
            if (!empty && !ours && !Files.exists(folder.resolve(RUN_MARK))) {
                throw UserError.usage("volume " + folder + " is not empty and no run made it;"
                        + " name another folder, or empty it if nothing in it is needed");
            }
        } catch (IOException e) {
            throw UserError.failed(
                    "volume " + folder + " can't be read (" + UserError.reason(e) + ")");
        }
    }

    private static void empty(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path at, BasicFileAttributes attributes) {
                return at.endsWith(LOST_FOUND)
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                    throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path at, @Nullable IOException failure)
                    throws IOException {
                if (failure != null) {
                    throw failure;
                }
                if (!at.equals(folder)) {
                    Files.delete(at);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
