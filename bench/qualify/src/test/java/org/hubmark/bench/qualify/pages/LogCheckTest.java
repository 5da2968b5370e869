package org.hubmark.bench.qualify.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.SplittableRandom;

/** Proves that the check sees every record of a log, and that one flipped bit anywhere in them is found. */
class LogCheckTest {
    private static final int TRANSACTIONS = 400;
    private static final int FLIPS = 200;

    @TempDir
    private Path folder;

    private LogCheck.Found check() throws IOException {
        return LogCheck.check(folder.resolve("db"), folder.resolve("log"), (nanos, bytes) -> {});
    }

    private void fill(SplittableRandom random) throws IOException, InterruptedException {
        try (PageCache cache = new PageCache(0, 16 << 20, PageCache.Keeping.ALL);
                PageStore store = PageStoreTest.open(folder, cache)) {
            Tree tree = store.tree(0);
            for (int i = 0; i < TRANSACTIONS; i++) {
                long key = random.nextInt(1000);
                byte[] value = new byte[1 + random.nextInt(Page.VALUE_BYTES_MAX)];
                random.nextBytes(value);
                var unused = store.run(
                        change -> {
                            int pages = tree.prepare(change, key, 1, value.length);
                            change.requirePlaces(pages);
                            store.space().prepare(change, pages);
                            tree.put(change, key, 0, value);
                            return true;
                        },
                        random.nextInt(20) == 0);
            }
        }
    }

    private void flip(long place, int bit) throws IOException {
        Path file = PageLog.path(folder.resolve("log"), place / PageLog.FILE_BYTES);
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "rw")) {
            log.seek(place % PageLog.FILE_BYTES);
            int octet = log.read();
            log.seek(place % PageLog.FILE_BYTES);
            log.write(octet ^ (1 << bit));
        }
    }

    @Test
    void everyFlippedBitIsFound() throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        fill(random);
        LogCheck.Found whole = check();
        assertEquals(0, whole.bad(), "seed " + seed);
        assertTrue(whole.records() >= TRANSACTIONS, whole + ", seed " + seed);
        for (int i = 0; i < FLIPS; i++) {
            long place = random.nextLong(whole.bytes());
            int bit = random.nextInt(8);
            flip(place, bit);
            assertEquals(1, check().bad(), "octet " + place + ", seed " + seed);
            flip(place, bit);
        }
        assertEquals(whole, check(), "seed " + seed);
    }

    /** The files of what is before the checkpoint are used again: the first that is left begins anywhere. */
    @Test
    void aLogWhoseFirstFilesAreUsedAgainIsWhole() throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int life = 0; life < 3; life++) {
            fill(random);
            LogCheck.Found found = check();
            assertEquals(0, found.bad(), "life " + life + ", seed " + seed);
            assertTrue(found.records() > 0, "life " + life + ", seed " + seed);
        }
    }
}
