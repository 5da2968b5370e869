package org.hubmark.bench.qualify.pages;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * One mailbox database: folders of messages, each of which has a row and a content, in B+trees on pages that are
 * written in their places. It lies on the database volume and is read and written past the page cache; its log
 * lies on the log volume. A commit that is not synced stays in memory until the next that is, as a lazy commit
 * does in ESE.
 *
 * <p>A folder says which messages it has; a row and a content have the number of their message as key, and a
 * content that is long is in parts, which lie on pages side by side where there was room. What a transaction
 * needs is read before it changes anything. Any thread.
 */
public final class MailboxDatabase implements AutoCloseable {
    /** The file of the pages. */
    public static final String FILE = PageStore.FILE;

    /** Messages that are filled in at once. */
    private static final int FILL_BATCH = 32;

    private static final int FOLDERS_MIN = 8;
    private static final int FOLDERS_MAX = 1 << 14;
    /** So many that few new messages share a page, as in a database of the source, which is much larger. */
    private static final long FOLDER_BYTES = 1 << 20;

    private static final int TABLES = 3;
    private static final int MESSAGE_BITS = 48;
    private static final int PART_BYTES = Page.VALUE_BYTES_MAX;

    private final DatabasePlace place;
    private final FileOperations operations;
    private final PageStore store;
    private final Tree folders;
    private final Tree rows;
    private final Tree contents;
    private final LongAdder messages = new LongAdder();
    private int folderCount;

    /** The messages of a folder: from the first to the one before the next, side by side. */
    private record Folder(long first, long next) {
        private static Folder of(byte @Nullable [] value) {
            if (value == null) {
                return new Folder(0, 0);
            }
            ByteBuffer read = ByteBuffer.wrap(value);
            return new Folder(read.getLong(), read.getLong());
        }

        private byte[] octets() {
            return ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(first)
                    .putLong(next)
                    .array();
        }

        private boolean isEmpty() {
            return first == next;
        }

        private long at(double share) {
            return first + (long) (share * (next - first));
        }
    }

    /** A message that was read: the parts of its content, and the octets of these and of its row. */
    private record Message(int parts, int octets) {}

    /** What may fail. */
    @FunctionalInterface
    private interface Step<T> {
        T run() throws IOException, InterruptedException;
    }

    private MailboxDatabase(DatabasePlace place, FileOperations operations, PageStore store) {
        this.place = place;
        this.operations = operations;
        this.store = store;
        this.folders = store.tree(0);
        this.rows = store.tree(1);
        this.contents = store.tree(2);
    }

    /**
     * Opens the database of a place, or makes an empty one, and does again what is in its log alone.
     *
     * @param bytes that a new one is going to have, about
     * @param keepsLog whether the log of all that is done from now on stays
     * @param operations counts what is done to its files
     */
    public static MailboxDatabase open(
            DatabasePlace place,
            PageCache cache,
            long bytes,
            boolean keepsLog,
            FileOperations operations)
            throws IOException {
        int newFolders = (int) Math.max(FOLDERS_MIN, Math.min(FOLDERS_MAX, bytes / FOLDER_BYTES));
        return named(place, "can't be opened", () -> {
            MailboxDatabase opened = new MailboxDatabase(
                    place,
                    operations,
                    PageStore.open(
                            place.database(), place.log(), TABLES, keepsLog, cache, operations));
            try {
                opened.look(newFolders);
                return opened;
            } catch (IOException | InterruptedException | RuntimeException e) {
                opened.store.close();
                throw e;
            }
        });
    }

    private void look(int newFolders) throws IOException, InterruptedException {
        List<Folder> there = store.run(false, change -> {
            List<Folder> all = new ArrayList<>();
            folders.scan(change, 0, Long.MAX_VALUE, (key, value) -> all.add(Folder.of(value)));
            return all;
        });
        there.forEach(folder -> messages.add(folder.next - folder.first));
        for (int i = 0; there.isEmpty() && i < newFolders; i++) {
            long number = i;
            var unused = store.run(i == newFolders - 1, change -> {
                prepare(change, folders.prepare(change, number, 1, 2 * Long.BYTES));
                folders.put(change, number, 0, new Folder(0, 0).octets());
                return true;
            });
        }
        folderCount = there.isEmpty() ? newFolders : there.size();
    }

    public DatabasePlace place() {
        return place;
    }

    public FileOperations operations() {
        return operations;
    }

    /** {@return messages in all folders} */
    public long messages() {
        return messages.sum();
    }

    /**
     * {@return octets of the message that was read, or else added; 0 where a folder has none to read}
     *
     * @param waits whether it waits until it is durable
     */
    public int run(TransactionKind kind, MessageSizes sizes, SplittableRandom random, boolean waits)
            throws IOException {
        int folder = folder(random);
        return named(place, "failed at a transaction (" + kind.label() + ")", () -> switch (kind) {
            case INSERT -> insert(folder, sizes.row(), sizes.content(), waits);
            case DELETE -> delete(folder, waits);
            case REPLACE ->
                replace(folder, random.nextDouble(), sizes.row(), sizes.content(), waits);
            case READ -> read(folder, random.nextDouble());
        });
    }

    /** {@return one of the folders} Half of what is done is done to a quarter of them. */
    private int folder(SplittableRandom random) {
        double share = random.nextDouble();
        return (int) (folderCount * share * share);
    }

    /** {@return octets by which it grew: adds some messages} They are durable after {@link #flush}. */
    public long fill(MessageSizes sizes, SplittableRandom random) throws IOException {
        return named(place, "can't be filled", () -> {
            long before = store.run(false, Space::pages);
            for (int i = 0; i < FILL_BATCH; i++) {
                var unused = insert(folder(random), sizes.row(), sizes.content(), false);
            }
            return (store.run(false, Space::pages) - before) * Page.BYTES;
        });
    }

    /** Adds a message at the end of a folder. */
    private int insert(int folder, byte[] row, byte[] content, boolean waits)
            throws IOException, InterruptedException {
        var unused = store.run(waits, change -> {
            Folder its = Folder.of(folders.get(change, folder, 0));
            put(change, key(folder, its.next), row, content);
            folders.put(change, folder, 0, new Folder(its.first, its.next + 1).octets());
            return true;
        });
        messages.increment();
        return row.length + content.length;
    }

    /** Reads the message at a share of a folder, below 1. */
    private int read(int folder, double share) throws IOException, InterruptedException {
        return store.run(false, change -> {
            Folder its = Folder.of(folders.get(change, folder, 0));
            return its.isEmpty() ? 0 : read(change, key(folder, its.at(share))).octets;
        });
    }

    /** Reads the oldest message of a folder and takes it away. */
    private int delete(int folder, boolean waits) throws IOException, InterruptedException {
        int octets = store.run(waits, change -> {
            Folder its = Folder.of(folders.get(change, folder, 0));
            if (its.isEmpty()) {
                return 0;
            }
            long key = key(folder, its.first);
            Message read = read(change, key);
            store.space().prepare(change, 0);
            rows.remove(change, key, 0);
            for (int part = 0; part < read.parts; part++) {
                contents.remove(change, key, part);
            }
            folders.put(change, folder, 0, new Folder(its.first + 1, its.next).octets());
            return read.octets;
        });
        if (octets > 0) {
            messages.decrement();
        }
        return octets;
    }

    /** Reads the message at a share of a folder, below 1, and writes it anew. */
    private int replace(int folder, double share, byte[] row, byte[] content, boolean waits)
            throws IOException, InterruptedException {
        return store.run(waits, change -> {
            Folder its = Folder.of(folders.get(change, folder, 0));
            if (its.isEmpty()) {
                return 0;
            }
            long key = key(folder, its.at(share));
            Message read = read(change, key);
            put(change, key, row, content);
            // Only now: a page that becomes empty before would be another way to them.
            for (int part = parts(content); part < read.parts; part++) {
                contents.remove(change, key, part);
            }
            return read.octets;
        });
    }

    private static long key(int folder, long message) {
        return (long) folder << MESSAGE_BITS | message;
    }

    private static int parts(byte[] content) {
        return Math.max(1, (content.length + PART_BYTES - 1) / PART_BYTES);
    }

    /** Sees to it that so many pages can be made. */
    private void prepare(PageChange change, int pages) throws Missing {
        change.requirePlaces(pages);
        store.space().prepare(change, pages);
    }

    private void put(PageChange change, long key, byte[] row, byte[] content) throws Missing {
        prepare(
                change,
                rows.prepare(change, key, 1, row.length)
                        + contents.prepare(change, key, parts(content), content.length));
        rows.put(change, key, 0, row);
        for (int part = 0; part < parts(content); part++) {
            int from = part * PART_BYTES;
            int to = Math.min(content.length, from + PART_BYTES);
            contents.put(change, key, part, Arrays.copyOfRange(content, from, to));
        }
    }

    private Message read(PageChange change, long key) throws Missing {
        byte[] row = rows.get(change, key, 0);
        List<byte[]> parts = new ArrayList<>();
        contents.scan(change, key, key, (its, value) -> parts.add(value));
        return new Message(
                parts.size(),
                (row == null ? 0 : row.length)
                        + parts.stream().mapToInt(part -> part.length).sum());
    }

    /** Writes everything that is in memory. */
    public void flush() throws IOException {
        var unused = named(place, "can't be flushed", () -> {
            store.flush();
            return true;
        });
    }

    /** {@return octets of log that would be done again after a crash, about} */
    public long logBytes() {
        return store.logBytes();
    }

    /** {@return octets of log that were done again when it was opened} */
    public long replayedBytes() {
        return store.replayedBytes();
    }

    private static <T> T named(DatabasePlace place, String what, Step<T> step) throws IOException {
        try {
            return step.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw place.failed(what, "interrupted", false, e);
        } catch (IOException e) {
            throw place.failed(what, String.valueOf(e.getMessage()), isFull(e), e);
        }
    }

    private static boolean isFull(@Nullable Throwable cause) {
        return cause != null
                && (String.valueOf(cause.getMessage()).contains("No space left")
                        || isFull(cause.getCause()));
    }

    /** Leaves it as a crash does: what is in memory alone is lost. */
    public void abandon() throws IOException {
        store.abandon();
    }

    @Override
    public void close() throws IOException {
        var unused = named(place, "can't be closed", () -> {
            store.close();
            return true;
        });
    }
}
