package org.hubmark.bench.qualify;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Where the blocks of a table lie, as RocksDB's block-based table format says (rocksdb wiki, "Rocksdb
 * BlockBasedTable Format"; table/format.cc): the footer names the index and the list of the other
 * blocks, the index names each block of data. Read here and not through RocksDB, since that stops at
 * the first bad block of a file, can't be held to a pace, and doesn't count what it reads.
 *
 * @param blocks all of them, in the order in which they lie
 * @param badBlocks those that are in the way of knowing the others
 */
record TableFile(List<Block> blocks, int badBlocks) {
    /** End of the names of such files. */
    static final String SUFFIX = ".sst";

    /** The one that is written and read here: footer without a checksum of its own. */
    static final int FORMAT_VERSION = 5;

    /** Behind each block: its compression, and its checksum. */
    static final int TRAILER_BYTES = 5;

    private static final int FOOTER_BYTES = 53;
    private static final long MAGIC = 0x88e241b785f4cff7L;
    private static final int CRC32C_TYPE = 1;

    /** What RocksDB adds to a CRC, so that the CRC of a CRC is none (util/crc32c.h). */
    private static final int MASK_DELTA = 0xa282ead8;

    private static final int MASK_SHIFT = 15;

    private static final int RESTARTS_MAX = (1 << 28) - 1;
    private static final int KEYS_ARE_EVEN = 1 << 29;

    /**
     * A block.
     *
     * @param offset in the file
     * @param bytes without the trailer
     */
    record Block(long offset, int bytes) {
        long end() {
            return offset + bytes + TRAILER_BYTES;
        }
    }

    /** Copies. */
    TableFile {
        blocks = List.copyOf(blocks);
    }

    /** Reads a part of a file. */
    interface Part {
        /** {@return so many octets from there} */
        ByteBuffer read(long offset, int bytes) throws IOException;
    }

    /** {@return the table of a file} What is wrong in it is counted and not thrown. */
    static TableFile of(Part part, long fileBytes) throws IOException {
        List<Block> blocks = new ArrayList<>();
        try {
            Footer footer = footer(part, fileBytes);
            if (footer == null) {
                return new TableFile(List.of(), 1);
            }
            blocks.add(footer.others());
            blocks.add(footer.index());
            ByteBuffer list = content(part, footer.others(), fileBytes);
            ByteBuffer entries = content(part, footer.index(), fileBytes);
            if (list == null || entries == null) {
                blocks.clear();
                return new TableFile(blocks, 1);
            }
            addOthers(list, blocks);
            addData(entries, blocks);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return new TableFile(List.of(), 1);
        }
        blocks.sort(Comparator.comparingLong(Block::offset));
        return areContiguous(blocks, fileBytes - FOOTER_BYTES)
                ? new TableFile(blocks, 0)
                : new TableFile(List.of(), 1);
    }

    /** A gap would be data that nobody checks. */
    private static boolean areContiguous(List<Block> sorted, long bytes) {
        long at = 0;
        for (Block block : sorted) {
            if (block.offset() != at || block.bytes() < 0) {
                return false;
            }
            at = block.end();
        }
        return at == bytes;
    }

    /**
     * What stands at the end of a table.
     *
     * @param others the list of the blocks that are neither data nor the index
     */
    record Footer(Block others, Block index) {}

    /** {@return the footer, or null where there is none that is known here} */
    static @Nullable Footer footer(Part part, long fileBytes) throws IOException {
        ByteBuffer footer = little(part.read(fileBytes - FOOTER_BYTES, FOOTER_BYTES));
        return footer.getLong(FOOTER_BYTES - Long.BYTES) != MAGIC
                        || footer.getInt(FOOTER_BYTES - Long.BYTES - Integer.BYTES)
                                != FORMAT_VERSION
                        || footer.get() != CRC32C_TYPE
                ? null
                : new Footer(block(footer), block(footer));
    }

    /** {@return what is in a block, or null when its checksum is wrong} */
    static @Nullable ByteBuffer content(Part part, Block block, long fileBytes) throws IOException {
        if (block.offset() < 0 || block.bytes() < 0 || block.end() > fileBytes) {
            return null;
        }
        ByteBuffer all = little(part.read(block.offset(), block.bytes() + TRAILER_BYTES));
        CRC32C checksum = new CRC32C();
        checksum.update(all.slice(0, block.bytes() + 1));
        return masked(checksum) == all.getInt(block.bytes() + 1)
                ? little(all.slice(0, block.bytes()))
                : null;
    }

    /** {@return a checksum as it stands in a file} */
    static int masked(CRC32C checksum) {
        int crc = (int) checksum.getValue();
        return ((crc >>> MASK_SHIFT) | (crc << (Integer.SIZE - MASK_SHIFT))) + MASK_DELTA;
    }

    /** Filter, properties and so on: entries of a key and a value, which is a place. */
    private static void addOthers(ByteBuffer block, List<Block> blocks) {
        int end = entriesEnd(block);
        while (block.position() < end) {
            number(block);
            int keyBytes = (int) number(block);
            int valueBytes = (int) number(block);
            block.position(block.position() + keyBytes);
            int next = block.position() + valueBytes;
            blocks.add(block(block));
            block.position(next);
        }
    }

    /**
     * The index: entries of a key and a place. A place stands for itself where nothing of the key is
     * shared with the one before, which is always so with a restart at each entry; else its offset
     * follows from the block before, and of its size the difference is given.
     */
    private static void addData(ByteBuffer block, List<Block> blocks) {
        int end = entriesEnd(block);
        Block last = new Block(0, 0);
        while (block.position() < end) {
            long shared = number(block);
            int keyBytes = (int) number(block);
            block.position(block.position() + keyBytes);
            if (shared == 0) {
                last = block(block);
            } else {
                long delta = number(block);
                long difference = (delta >>> 1) ^ -(delta & 1);
                last = new Block(last.end(), (int) (last.bytes() + difference));
            }
            blocks.add(last);
        }
    }

    /**
     * {@return where the entries of a block end} Behind them stand the restarts and their number, whose four
     * highest bits are flags (table/block_based/data_block_footer.h). That keys are spread evenly changes
     * nothing in the block; the other flags stand for layouts that our databases don't use.
     *
     * @throws IllegalArgumentException if another flag is set, or the block has no room for so many restarts
     */
    static int entriesEnd(ByteBuffer block) {
        int last = block.getInt(block.limit() - Integer.BYTES);
        int restarts = last & RESTARTS_MAX;
        long end = block.limit() - Integer.BYTES * (restarts + 1L);
        if ((last & ~(RESTARTS_MAX | KEYS_ARE_EVEN)) != 0 || end < 0) {
            throw new IllegalArgumentException("a block ends in a way that is not known");
        }
        return (int) end;
    }

    static Block block(ByteBuffer at) {
        return new Block(number(at), (int) number(at));
    }

    /** A number of variable length, seven bits an octet, the lowest first. */
    static long number(ByteBuffer at) {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = at.get();
            number |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new IllegalArgumentException("a number has no end");
    }

    private static ByteBuffer little(ByteBuffer buffer) {
        return buffer.order(ByteOrder.LITTLE_ENDIAN);
    }
}
