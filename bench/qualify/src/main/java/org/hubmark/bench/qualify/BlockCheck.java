package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.pages.MessagePages;

import java.io.IOException;
import java.nio.file.Path;

/** Checks the checksum of every block or page of a file of a database, in one pass over it. */
final class BlockCheck {
    private BlockCheck() {}

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
    record Found(long bytes, long blocks, long badBlocks) {}

    /** Checks a file. One thread. */
    static Found check(Path file, ReadChannel.ReadCounter counter, Pace pace)
            throws IOException, InterruptedException {
        return file.endsWith(MessagePages.FILE)
                ? PageCheck.check(file, counter, pace)
                : TableCheck.check(file, counter, pace);
    }
}
