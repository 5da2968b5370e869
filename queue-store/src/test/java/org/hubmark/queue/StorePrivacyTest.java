package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.hubmark.queue.table.QueueDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

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
        for (int start = 0; start < 2; start++) {
            try (StoreUnderTest queue = StoreUnderTest.open(volumes)) {
                queue.enqueue(4);
                assertPrivate(volumes);
            }
            assertPrivate(volumes);
        }
    }

    private static void assertPrivate(Path volumes) throws IOException {
        Path database = volumes.resolve("queue").resolve(QueueDatabase.FOLDER);
        int found = 0;
        for (Path path : StoreUnderTest.walk(volumes)) {
            // The files of the queue database are RocksDB's: their folder keeps others out.
            if (!path.startsWith(database) || path.equals(database)) {
                try {
                    assertThat(permissions(path))
                            .as("%s", path)
                            .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
                } catch (NoSuchFileException e) {
                    // An open store makes a segment by another name, which is gone once it is made.
                    assertThat(path.toString()).endsWith(".new");
                }
                found++;
            }
        }
        assertThat(found).isGreaterThan(8);
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
