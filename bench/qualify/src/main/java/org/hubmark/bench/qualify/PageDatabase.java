package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.pages.MessagePages;
import org.hubmark.bench.qualify.pages.PageCache;
import org.hubmark.bench.qualify.pages.PageIo;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.reuse.ReuseSampler;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;

/** A mailbox database of B+trees on pages that are written in their places. Any thread. */
final class PageDatabase implements MailboxDatabase {
    private static final int FOLDERS_MIN = 8;
    private static final int FOLDERS_MAX = 1 << 14;
    /** So many that few new messages share a page, as in a database of the source, which is much larger. */
    private static final long FOLDER_BYTES = 1 << 20;

    private final DatabasePlace place;
    private final FileOperations operations;
    private final LongAdder stalls = new LongAdder();
    private final MessagePages pages;
    private volatile @Nullable PageReads profile;

    private PageDatabase(
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
    static PageDatabase open(
            DatabasePlace place,
            PageCache cache,
            long bytes,
            boolean keepsLog,
            FileOperations operations)
            throws IOException {
        int newFolders = (int) Math.max(FOLDERS_MIN, Math.min(FOLDERS_MAX, bytes / FOLDER_BYTES));
        return new PageDatabase(place, cache, newFolders, keepsLog, operations);
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
        public void found(long page) {
            operations.add(IoCounter.CACHE_HITS, 1);
            PageReads reads = profile;
            if (reads != null) {
                reads.read(page, true);
            }
        }

        @Override
        public void missed(long page) {
            PageReads reads = profile;
            if (reads != null) {
                reads.read(page, false);
            }
        }

        @Override
        public void made(long page) {
            PageReads reads = profile;
            if (reads != null) {
                reads.made(page);
            }
        }

        @Override
        public void stalled() {
            stalls.increment();
        }
    }

    @Override
    public DatabasePlace place() {
        return place;
    }

    @Override
    public FileOperations operations() {
        return operations;
    }

    @Override
    public long stalls() {
        return stalls.sum();
    }

    @Override
    public BlockReads profile(int number, ReuseSampler sampler) {
        PageReads reads = new PageReads(number, place, sampler, () -> profile = null);
        profile = reads;
        return reads;
    }

    @Override
    public long messages() {
        return pages.messages();
    }

    @Override
    public long run(
            TransactionKind kind, MessageSizes sizes, SplittableRandom random, boolean waits)
            throws IOException {
        int folder = MailboxDatabase.folder(pages.folders(), random);
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

    @Override
    public long fill(MessageSizes sizes, SplittableRandom random) throws IOException {
        try {
            long before = pages.bytes();
            for (int i = 0; i < FILL_BATCH; i++) {
                int folder = MailboxDatabase.folder(pages.folders(), random);
                var unused = pages.insert(folder, sizes.row(), sizes.content(), false);
            }
            return pages.bytes() - before;
        } catch (IOException e) {
            throw failed("can't be filled", e);
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            pages.flush();
        } catch (IOException e) {
            throw failed("can't be flushed", e);
        }
    }

    @Override
    public boolean isCompacting() {
        return false;
    }

    @Override
    public List<Path> snapshot(Path folder) throws IOException {
        flush();
        return place.tables();
    }

    @Override
    public long logBytes() {
        return pages.logBytes();
    }

    @Override
    public long replayedBytes() {
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
