package org.hubmark.bench.qualify.phase;

import org.hubmark.bench.qualify.pages.FileOperations;
import org.hubmark.bench.qualify.pages.Page;
import org.hubmark.bench.qualify.result.IoCounter;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks every page of a file of pages, in one pass over it. A page that is being written meanwhile may be
 * seen half: one that looks bad is read again before it counts. One thread.
 */
final class PageCheck {
    private static final int READS_MAX = 5;

    private PageCheck() {}

    /** Is asked before each read; the next one has to wait for it. */
    @FunctionalInterface
    interface Pace {
        /** As fast as it goes. */
        Pace NONE = () -> {};

        void await() throws InterruptedException;
    }

    /**
     * What was found in a file.
     *
     * @param bytes its length
     */
    record Found(long bytes, long pages, long badPages) {}

    /**
     * Checks a file, which may grow meanwhile: what is added is not seen.
     *
     * @param operations counts its reads, as operations of a kind, and the bad pages
     */
    static Found check(Path path, FileOperations operations, IoCounter operation, Pace pace)
            throws IOException, InterruptedException {
        try (ReadChannel file = new ReadChannel(path, operations, operation)) {
            long pages = 0;
            long bad = 0;
            pace.await();
            ByteBuffer part = file.next();
            while (part.hasRemaining()) {
                List<Long> suspects = new ArrayList<>();
                for (int at = 0; at + Page.BYTES <= part.limit(); at += Page.BYTES) {
                    if (!Page.isWhole(part.slice(at, Page.BYTES), pages)) {
                        suspects.add(pages);
                    }
                    pages++;
                }
                for (long page : suspects) {
                    bad += isBad(file, page) ? 1 : 0;
                }
                pace.await();
                part = file.next();
            }
            operations.add(IoCounter.BAD_BLOCKS, bad);
            return new Found(file.bytes(), pages, bad);
        }
    }

    private static boolean isBad(ReadChannel file, long page) throws IOException {
        for (int i = 1; i < READS_MAX; i++) {
            if (Page.isWhole(file.read(page * Page.BYTES, Page.BYTES), page)) {
                return false;
            }
        }
        return true;
    }
}
