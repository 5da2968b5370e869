package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.pages.MessagePages;
import org.hubmark.bench.qualify.pages.PageCache;
import org.hubmark.bench.qualify.pages.PageIo;
import org.hubmark.bench.qualify.result.IoCounter;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * One mailbox database: folders of messages, each of which has a row and a content, in B+trees on pages that are
 * written in their places. It lies on the database volume and is read and written past the page cache; its log
 * lies on the log volume. A commit that is not synced stays in memory until the next that is, as a lazy commit
 * does in ESE. Any thread.
 */
final class MailboxDatabase implements AutoCloseable {
    /** Messages that are filled in at once. */
    private static final int FILL_BATCH = 32;

    private static final int FOLDERS_MIN = 8;
    private static final int FOLDERS_MAX = 1 << 14;
    /** So many that few new messages share a page, as in a database of the source, which is much larger. */
    private static final long FOLDER_BYTES = 1 << 20;

    private final DatabasePlace place;
    private final FileOperations operations;
    private final LongAdder stalls = new LongAdder();
    private final MessagePages pages;
    private volatile int number;
    private volatile @Nullable CacheCurve curve;

    private MailboxDatabase(
            DatabasePlace place,
            PageCache cache,
            int newFolders,
            boolean keepsLog,
            FileOperations operations)
            throws IOException {
        this.place = place;
        this.operations = operations;
        try {
            this.pages = MessagePages.open(
                    place.database(), place.log(), newFolders, keepsLog, cache, new Counted());
        } catch (IOException e) {
            throw failed("can't be opened", e);
        }
    }

    /** Opens the database of a place, or makes an empty one; the rest as {@link SharedCache#open}. */
    static MailboxDatabase open(
            DatabasePlace place,
            PageCache cache,
            long bytes,
            boolean keepsLog,
            FileOperations operations)
            throws IOException {
        int newFolders = (int) Math.max(FOLDERS_MIN, Math.min(FOLDERS_MAX, bytes / FOLDER_BYTES));
        return new MailboxDatabase(place, cache, newFolders, keepsLog, operations);
    }

    /** Counts what is done to the files. No page is read but for a transaction, or to replay the log. */
    private final class Counted implements PageIo {
        @Override
        public void read(long nanos, long bytes) {
            operations.databaseRead(nanos, bytes);
        }

        @Override
        public void written(long nanos, long bytes) {
            operations.databaseWritten(nanos, bytes);
        }

        @Override
        public void grown(long nanos, long bytes) {
            operations.databaseGrown(nanos, bytes);
        }

        @Override
        public void logWritten(long nanos, long bytes) {
            operations.logWritten(nanos, bytes);
        }

        @Override
        public void logRead(long nanos, long bytes) {
            operations.logRead(nanos, bytes);
        }

        @Override
        public void found(long page, boolean isInner) {
            operations.add(IoCounter.CACHE_HITS, 1);
            missed(page, isInner);
        }

        @Override
        public void missed(long page, boolean isInner) {
            CacheCurve its = curve;
            if (its != null) {
                its.read(number, page, isInner);
            }
        }

        @Override
        public void made(long page, boolean isInner) {
            CacheCurve its = curve;
            if (its != null) {
                its.made(number, page, isInner);
            }
        }

        @Override
        public void stalled() {
            stalls.increment();
        }
    }

    DatabasePlace place() {
        return place;
    }

    FileOperations operations() {
        return operations;
    }

    /** {@return how often somebody has waited for room in the cache since it was opened} */
    long stalls() {
        return stalls.sum();
    }

    /**
     * Tells a curve of the pages that transactions use from now on.
     *
     * @param among the databases that share the curve
     */
    void follow(CacheCurve followed, int among) {
        number = among;
        curve = followed;
    }

    /** {@return messages in all folders} */
    long messages() {
        return pages.messages();
    }

    /**
     * Does a transaction.
     *
     * @param waits whether it waits until it is durable
     * @return octets read and written
     */
    long run(TransactionKind kind, MessageSizes sizes, SplittableRandom random, boolean waits)
            throws IOException {
        int folder = folder(random);
        try {
            return switch (kind) {
                case INSERT -> pages.insert(folder, sizes.row(), sizes.content(), waits);
                case DELETE -> pages.delete(folder, waits);
                case REPLACE ->
                    pages.replace(folder, random.nextDouble(), sizes.row(), sizes.content(), waits);
                case READ -> pages.read(folder, random.nextDouble());
            };
        } catch (IOException e) {
            throw failed("failed at a transaction (" + kind.label() + ")", e);
        }
    }

    /** {@return one of the folders} Half of what is done is done to a quarter of them. */
    private int folder(SplittableRandom random) {
        double share = random.nextDouble();
        return (int) (pages.folders() * share * share);
    }

    /** {@return octets by which it grew: adds some messages} They are durable after {@link #flush}. */
    long fill(MessageSizes sizes, SplittableRandom random) throws IOException {
        try {
            long before = pages.bytes();
            for (int i = 0; i < FILL_BATCH; i++) {
                int folder = folder(random);
                var unused = pages.insert(folder, sizes.row(), sizes.content(), false);
            }
            return pages.bytes() - before;
        } catch (IOException e) {
            throw failed("can't be filled", e);
        }
    }

    /** Writes everything that is in memory. */
    void flush() throws IOException {
        try {
            pages.flush();
        } catch (IOException e) {
            throw failed("can't be flushed", e);
        }
    }

    /** {@return the files of one moment} They stay as they are while nothing is done with the database. */
    List<Path> snapshot() throws IOException {
        flush();
        return place.tables();
    }

    /** {@return octets of log that would be replayed after a crash} */
    long logBytes() {
        return pages.logBytes();
    }

    /** {@return octets of log that were replayed when it was opened} */
    long replayedBytes() {
        return pages.replayedBytes();
    }

    private IOException failed(String what, IOException cause) {
        return place.failed(what, String.valueOf(cause.getMessage()), isFull(cause), cause);
    }

    private static boolean isFull(@Nullable Throwable cause) {
        return cause != null
                && (String.valueOf(cause.getMessage()).contains("No space left")
                        || isFull(cause.getCause()));
    }

    @Override
    public void close() throws IOException {
        try {
            pages.close();
        } catch (IOException e) {
            throw failed("can't be closed", e);
        }
    }
}
