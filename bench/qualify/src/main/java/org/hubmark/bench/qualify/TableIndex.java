package org.hubmark.bench.qualify;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Index of a table: finds the block that a key is in ({@link TableFile}). Immutable; any thread.
 */
final class TableIndex {
    /** Behind a key that is not the user's alone: a sequence number and a kind. */
    private static final int TRAILER_BYTES = 8;

    private static final String FILTER = "filter";
    private static final String PROPERTIES = "rocksdb.properties";
    private static final String USER_KEYS = "rocksdb.index.key.is.user.key";
    private static final int BLOCKS_FIRST = 64;

    private long[] ends = new long[BLOCKS_FIRST];
    private int[] bytes = new int[BLOCKS_FIRST];
    private int blocks;
    private long metadataBytes;

    private TableIndex() {}

    /** {@return the index of a table, or null where it can't be read} */
    static @Nullable TableIndex of(TableFile.Part part, long fileBytes) throws IOException {
        try {
            TableFile.Footer footer = TableFile.footer(part, fileBytes);
            if (footer == null) {
                return null;
            }
            ByteBuffer list = TableFile.content(part, footer.others(), fileBytes);
            ByteBuffer entries = TableFile.content(part, footer.index(), fileBytes);
            if (list == null || entries == null) {
                return null;
            }
            TableIndex index = new TableIndex();
            index.metadataBytes = footer.index().bytes();
            boolean userKeys = false;
            int end = TableFile.entriesEnd(list);
            while (list.position() < end) {
                int keyBytes = keyBytes(list);
                int valueBytes = (int) TableFile.number(list);
                String name = name(octets(list, keyBytes));
                TableFile.Block block = TableFile.block(ByteBuffer.wrap(octets(list, valueBytes)));
                if (name.equals(PROPERTIES)) {
                    ByteBuffer properties = TableFile.content(part, block, fileBytes);
                    userKeys = properties != null && userKeys(properties);
                } else if (name.contains(FILTER)) {
                    index.metadataBytes += block.bytes();
                }
            }
            index.addData(entries, userKeys ? 0 : TRAILER_BYTES);
            return index;
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return null;
        }
    }

    /** Begins to read an entry of a block in which no key shares anything with the one before it. */
    private static int keyBytes(ByteBuffer at) {
        if (TableFile.number(at) != 0) {
            throw new IllegalArgumentException("a key is not whole");
        }
        return (int) TableFile.number(at);
    }

    private static byte[] octets(ByteBuffer at, int length) {
        if (length < 0) {
            throw new IllegalArgumentException("a length is below 0");
        }
        byte[] octets = new byte[length];
        at.get(octets);
        return octets;
    }

    private static String name(byte[] key) {
        return new String(key, StandardCharsets.US_ASCII);
    }

    /** The keys of properties share what they can with the one before. */
    private static boolean userKeys(ByteBuffer properties) {
        int end = TableFile.entriesEnd(properties);
        String last = "";
        while (properties.position() < end) {
            int shared = (int) TableFile.number(properties);
            int keyBytes = (int) TableFile.number(properties);
            int valueBytes = (int) TableFile.number(properties);
            if (shared < 0 || shared > last.length()) {
                throw new IllegalArgumentException("more of a key is shared than there is");
            }
            last = last.substring(0, shared) + name(octets(properties, keyBytes));
            byte[] value = octets(properties, valueBytes);
            if (last.equals(USER_KEYS)) {
                return TableFile.number(ByteBuffer.wrap(value)) != 0;
            }
        }
        return false;
    }

    private void addData(ByteBuffer entries, int trailer) {
        int end = TableFile.entriesEnd(entries);
        while (entries.position() < end) {
            byte[] key = octets(entries, keyBytes(entries));
            add(
                    MailboxKey.packed(key, key.length - trailer),
                    TableFile.block(entries).bytes());
        }
        ends = Arrays.copyOf(ends, blocks);
        bytes = Arrays.copyOf(bytes, blocks);
    }

    private void add(long lastKey, int length) {
        if (blocks == ends.length) {
            ends = Arrays.copyOf(ends, 2 * blocks);
            bytes = Arrays.copyOf(bytes, 2 * blocks);
        }
        ends[blocks] = lastKey;
        bytes[blocks++] = length;
    }

    /** {@return the number of the block that a key is in if it is in the table; -1 for none} */
    int block(long packedKey) {
        int found = Arrays.binarySearch(ends, packedKey);
        int block = found >= 0 ? found : -found - 1;
        return block < blocks ? block : -1;
    }

    int bytes(int block) {
        return bytes[block];
    }

    int blocks() {
        return blocks;
    }

    /** {@return octets of its blocks of data} */
    long dataBytes() {
        return Arrays.stream(bytes).asLongStream().sum();
    }

    /** {@return octets of its index and filter} */
    long metadataBytes() {
        return metadataBytes;
    }
}
