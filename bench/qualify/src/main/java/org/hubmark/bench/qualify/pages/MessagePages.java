package org.hubmark.bench.qualify.pages;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * The tables of a mailbox database on pages: folders, rows and contents. A folder says which messages it
 * has; a row and a content have the number of their message as key, and a content that is long is in
 * parts, which lie on pages side by side where there was room. What a transaction needs is read before
 * it changes anything. Any thread.
 */
public final class MessagePages implements AutoCloseable {
    /** The file of the pages. */
    public static final String FILE = PageStore.FILE;

    private static final int FOLDERS = 0;
    private static final int ROWS = 1;
    private static final int CONTENTS = 2;
    private static final int TABLES = 3;

    private static final int MESSAGE_BITS = 48;
    private static final int PART_BYTES = Page.VALUE_BYTES_MAX;

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

    private MessagePages(PageStore store) {
        this.store = store;
        this.folders = store.tree(FOLDERS);
        this.rows = store.tree(ROWS);
        this.contents = store.tree(CONTENTS);
    }

    /**
     * Opens the tables, or makes empty ones, and does again what is in the log alone.
     *
     * @param newFolders how many folders new ones have, at most 32,767
     * @param keepsLog whether the log of all that is done from now on stays
     */
    public static MessagePages open(
            Path folder,
            Path logFolder,
            int newFolders,
            boolean keepsLog,
            PageCache cache,
            PageIo io)
            throws IOException {
        try {
            MessagePages opened = new MessagePages(
                    PageStore.open(folder, logFolder, TABLES, keepsLog, cache, io));
            boolean isOpen = false;
            try {
                opened.look(newFolders);
                isOpen = true;
                return opened;
            } finally {
                if (!isOpen) {
                    opened.close();
                }
            }
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private void look(int newFolders) throws IOException {
        int[] count = new int[1];
        long[] all = new long[1];
        var unused = run(
                change -> {
                    count[0] = 0;
                    all[0] = 0;
                    folders.scan(change, 0, Long.MAX_VALUE, (key, value) -> {
                        count[0]++;
                        Folder folder = Folder.of(value);
                        all[0] += folder.next() - folder.first();
                    });
                    return 0L;
                },
                false);
        for (int i = count[0]; count[0] == 0 && i < newFolders; i++) {
            long number = i;
            var unused2 = run(
                    change -> {
                        prepare(change, folders.prepare(change, number, 1, 2 * Long.BYTES));
                        folders.put(change, number, 0, new Folder(0, 0).octets());
                        return 0L;
                    },
                    i == newFolders - 1);
        }
        folderCount = count[0] == 0 ? newFolders : count[0];
        messages.add(all[0]);
    }

    /** {@return how many folders there are, from 0 on} */
    public int folders() {
        return folderCount;
    }

    /** {@return messages in all folders} */
    public long messages() {
        return messages.sum();
    }

    /**
     * Adds a message at the end of a folder.
     *
     * @param waits whether it is durable on return
     * @return octets written
     */
    public long insert(int folder, byte[] row, byte[] content, boolean waits) throws IOException {
        long bytes = run(
                change -> {
                    Folder its = folder(change, folder);
                    long key = key(folder, its.next());
                    prepare(
                            change,
                            rows.prepare(change, key, 1, row.length)
                                    + contents.prepare(
                                            change, key, parts(content), content.length));
                    put(change, key, row, content);
                    folders.put(
                            change, folder, 0, new Folder(its.first(), its.next() + 1).octets());
                    return (long) row.length + content.length;
                },
                waits);
        messages.increment();
        return bytes;
    }

    /**
     * Reads the message at a share of a folder, below 1.
     *
     * @return octets read
     */
    public long read(int folder, double share) throws IOException {
        return run(
                change -> {
                    Folder its = folder(change, folder);
                    return its.isEmpty() ? 0L : read(change, key(folder, its.at(share)));
                },
                false);
    }

    /**
     * Reads the oldest message of a folder and takes it away.
     *
     * @param waits whether that is durable on return
     * @return octets read
     */
    public long delete(int folder, boolean waits) throws IOException {
        long bytes = run(
                change -> {
                    Folder its = folder(change, folder);
                    if (its.isEmpty()) {
                        return 0L;
                    }
                    long key = key(folder, its.first());
                    byte[] row = rows.get(change, key, 0);
                    int[] parts = new int[1];
                    long read = read(change, key, parts);
                    store.space().prepare(change, 0);
                    rows.remove(change, key, 0);
                    for (int part = 0; part < parts[0]; part++) {
                        contents.remove(change, key, part);
                    }
                    folders.put(
                            change, folder, 0, new Folder(its.first() + 1, its.next()).octets());
                    return read + (row == null ? 0 : row.length);
                },
                waits);
        if (bytes > 0) {
            messages.decrement();
        }
        return bytes;
    }

    /**
     * Reads the message at a share of a folder, below 1, and writes it anew.
     *
     * @param waits whether that is durable on return
     * @return octets read and written
     */
    public long replace(int folder, double share, byte[] row, byte[] content, boolean waits)
            throws IOException {
        return run(
                change -> {
                    Folder its = folder(change, folder);
                    if (its.isEmpty()) {
                        return 0L;
                    }
                    long key = key(folder, its.at(share));
                    int[] parts = new int[1];
                    long read = read(change, key, parts);
                    prepare(
                            change,
                            rows.prepare(change, key, 1, row.length)
                                    + contents.prepare(
                                            change, key, parts(content), content.length));
                    put(change, key, row, content);
                    // Only now: a page that becomes empty before would be another way to them.
                    for (int part = parts(content); part < parts[0]; part++) {
                        contents.remove(change, key, part);
                    }
                    return read + row.length + content.length;
                },
                waits);
    }

    private Folder folder(PageChange change, int folder) throws Missing {
        return Folder.of(folders.get(change, folder, 0));
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
        rows.put(change, key, 0, row);
        for (int part = 0; part < parts(content); part++) {
            int from = part * PART_BYTES;
            int to = Math.min(content.length, from + PART_BYTES);
            contents.put(change, key, part, Arrays.copyOfRange(content, from, to));
        }
    }

    private long read(PageChange change, long key) throws Missing {
        byte[] row = rows.get(change, key, 0);
        return row == null ? 0 : row.length + read(change, key, new int[1]);
    }

    private long read(PageChange change, long key, int[] parts) throws Missing {
        long[] bytes = new long[1];
        contents.scan(change, key, key, (its, value) -> {
            bytes[0] += value.length;
            parts[0]++;
        });
        return bytes[0];
    }

    private long run(PageStore.Work<Long> work, boolean waits) throws IOException {
        try {
            return store.run(work, waits);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private static IOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted");
    }

    /** {@return octets of the pages that are or were used} */
    public long bytes() throws IOException {
        return run(Space::pages, false) * Page.BYTES;
    }

    /** {@return octets of log that were done again when it was opened} */
    public long replayedBytes() {
        return store.replayedBytes();
    }

    /** {@return octets of log that would be done again after a crash, about} */
    public long logBytes() {
        return store.logBytes();
    }

    /** Writes all pages that are dirty; the log is not needed then. */
    public void flush() throws IOException {
        store.flush();
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
