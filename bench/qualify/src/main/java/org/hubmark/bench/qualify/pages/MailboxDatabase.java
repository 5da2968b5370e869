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
 * <p>A folder says which messages it has; the number of a message makes the key of its row and of its content. A
 * content that is long is in parts, whose keys follow each other, and which lie on pages side by side where there
 * was room. What a transaction needs is read before it changes anything. Any thread.
 */
public final class MailboxDatabase implements AutoCloseable {
    /** Messages that are filled in at once. */
    private static final int FILL_BATCH = 32;

    private static final int FOLDERS_MIN = 8;
    private static final int FOLDERS_MAX = 1 << 14;
    /** So many that few new messages share a page, as in a database of the source, which is much larger. */
    private static final long FOLDER_BYTES = 1 << 20;

    private static final int TABLES = 3;
    private static final int FOLDER_SHIFT = 48;
    /** As many keys has a message; more parts than the longest content has. */
    private static final int PARTS_MAX = 256;

    private static final int PART_BYTES = Page.VALUE_BYTES_MAX;
    private static final byte[] NOTHING = {};

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
        private static final int BYTES = 2 * Long.BYTES;

        private static Folder of(byte @Nullable [] value) {
            ByteBuffer read = ByteBuffer.wrap(value == null ? new byte[BYTES] : value);
            return new Folder(read.getLong(), read.getLong());
        }

        private byte[] octets() {
            return ByteBuffer.allocate(BYTES).putLong(first).putLong(next).array();
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
        List<Folder> there = new ArrayList<>();
        var unused = store.run(false, change -> {
            there.clear();
            folders.scan(change, 0, Long.MAX_VALUE, (key, value) -> there.add(Folder.of(value)));
            return true;
        });
        there.forEach(folder -> messages.add(folder.next - folder.first));
        folderCount = there.isEmpty() ? newFolders : there.size();
        for (int i = 0; there.isEmpty() && i < newFolders; i++) {
            int number = i;
            var unused2 = store.run(i == newFolders - 1, change -> {
                prepare(change, folders.prepare(change, number, 1, Folder.BYTES));
                folders.put(change, number, new Folder(0, 0).octets());
                return true;
            });
        }
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
        return named(
                place,
                "failed at a transaction (" + kind.label() + ")",
                () -> transaction(kind, sizes, random, waits));
    }

    private int transaction(
            TransactionKind kind, MessageSizes sizes, SplittableRandom random, boolean waits)
            throws IOException, InterruptedException {
        // Half of what is done is done to a quarter of the folders.
        double of = random.nextDouble();
        int number = (int) (folderCount * of * of);
        double share = random.nextDouble();
        boolean isNew = kind == TransactionKind.INSERT || kind == TransactionKind.REPLACE;
        byte[] row = isNew ? sizes.row() : NOTHING;
        byte[] content = isNew ? sizes.content() : NOTHING;
        int octets = store.run(waits, change -> {
            Folder folder = Folder.of(folders.get(change, number));
            if (kind != TransactionKind.INSERT && folder.first == folder.next) {
                return 0;
            }
            long key = key(number, folder.first + (long) (share * (folder.next - folder.first)));
            return switch (kind) {
                case INSERT -> insert(change, number, folder, row, content);
                case DELETE -> delete(change, number, folder);
                case REPLACE -> replace(change, key, row, content);
                case READ -> read(change, key).octets;
            };
        });
        messages.add(
                kind == TransactionKind.INSERT
                        ? 1
                        : kind == TransactionKind.DELETE && octets > 0 ? -1 : 0);
        return octets;
    }

    /** {@return octets by which it grew: adds some messages} They are durable after {@link #flush}. */
    public long fill(MessageSizes sizes, SplittableRandom random) throws IOException {
        return named(place, "can't be filled", () -> {
            long before = store.run(false, Space::pages);
            for (int i = 0; i < FILL_BATCH; i++) {
                var unused = transaction(TransactionKind.INSERT, sizes, random, false);
            }
            return (store.run(false, Space::pages) - before) * Page.BYTES;
        });
    }

    /** Adds a message at the end of a folder. */
    private int insert(PageChange change, int number, Folder folder, byte[] row, byte[] content)
            throws Missing {
        put(change, key(number, folder.next), row, content);
        folders.put(change, number, new Folder(folder.first, folder.next + 1).octets());
        return row.length + content.length;
    }

    /** Reads the oldest message of a folder and takes it away. */
    private int delete(PageChange change, int number, Folder folder) throws Missing {
        long key = key(number, folder.first);
        Message read = read(change, key);
        store.space().prepare(change, 0);
        rows.remove(change, key);
        for (int part = 0; part < read.parts; part++) {
            contents.remove(change, key + part);
        }
        folders.put(change, number, new Folder(folder.first + 1, folder.next).octets());
        return read.octets;
    }

    /** Reads a message and writes it anew. */
    private int replace(PageChange change, long key, byte[] row, byte[] content) throws Missing {
        Message read = read(change, key);
        put(change, key, row, content);
        // Only now: a page that becomes empty before would be another way to them.
        for (int part = parts(content); part < read.parts; part++) {
            contents.remove(change, key + part);
        }
        return read.octets;
    }

    private static long key(int folder, long message) {
        return (long) folder << FOLDER_SHIFT | message * PARTS_MAX;
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
        rows.put(change, key, row);
        for (int part = 0; part < parts(content); part++) {
            int from = part * PART_BYTES;
            int to = Math.min(content.length, from + PART_BYTES);
            contents.put(change, key + part, Arrays.copyOfRange(content, from, to));
        }
    }

    private Message read(PageChange change, long key) throws Missing {
        byte[] row = rows.get(change, key);
        List<byte[]> parts = new ArrayList<>();
        contents.scan(change, key, key + PARTS_MAX - 1, (its, value) -> parts.add(value));
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
            throw place.failed(what, "interrupted", e);
        } catch (IOException e) {
            throw place.failed(what, String.valueOf(e.getMessage()), e);
        }
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
