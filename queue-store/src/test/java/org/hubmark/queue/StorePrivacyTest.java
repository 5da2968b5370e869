package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Durability;
import org.hubmark.core.Envelope;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.queue.table.QueueDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Proves that a store is its owner's alone in a process whose umask lets others read. Looks at every
 * file and folder of a store that is open, and of one that was closed.
 */
class StorePrivacyTest {
    @TempDir
    private Path folder;

    @Test
    void nobodyElseReadsAStore() throws Exception {
        Path readable = Files.createFile(folder.resolve("by-umask"));
        assumeThat(permissions(readable)).isNotEqualTo("rw-------");
        Path volumes = folder.resolve("volumes");
        try (QueueStore store = open(volumes)) {
            CompletableFuture<Receipt> receipt = new CompletableFuture<>();
            ContentBudget budget = new ContentBudget(1 << 20);
            Content content = Objects.requireNonNull(Content.open(store.nextId(), budget, 4));
            content.append(new byte[4], 0, 4);
            store.enqueue(
                    new Envelope(
                            "a@example.org",
                            List.of("b@example.org"),
                            BodyType.SEVEN_BIT,
                            StoreUnderTest.START,
                            ""),
                    content,
                    receipt::complete);
            assertThat(receipt.join()).isInstanceOf(Receipt.Queued.class);
            assertPrivate(volumes);
        }
        assertPrivate(volumes);
        open(volumes).close();
        assertPrivate(volumes);
    }

    private static QueueStore open(Path volumes) throws IOException {
        return QueueStore.open(new StoreConfiguration(
                volumes.resolve("log"),
                volumes.resolve("queue"),
                new Durability.Synced(),
                16 << 20,
                Settings.defaults(),
                InstantSource.system()));
    }

    /** The files of the queue database are RocksDB's: their folder is what keeps others out. */
    private static void assertPrivate(Path volumes) throws IOException {
        Path database = volumes.resolve("queue").resolve(QueueDatabase.FOLDER);
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(volumes, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                found.add(folder);
                return folder.equals(database)
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                found.add(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                requireUnfinished(file, e);
                return FileVisitResult.CONTINUE;
            }
        });
        assertThat(found).hasSizeGreaterThan(8);
        for (Path path : found) {
            String permissions;
            try {
                permissions = permissions(path);
            } catch (NoSuchFileException e) {
                requireUnfinished(path, e);
                continue;
            }
            assertThat(permissions)
                    .as("%s", path)
                    .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
        }
    }

    /** A store that is open makes its next segment by another name, which is gone once it is made. */
    private static void requireUnfinished(Path path, IOException e) throws IOException {
        if (!(e instanceof NoSuchFileException) || !path.toString().endsWith(".new")) {
            throw e;
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
