package org.hubmark.bench.qualify.pages;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The layout of a page: a header, slots in the order of their keys, and cells from the end of the page
 * towards them. The caller sees to it that one thread at a time works on a page.
 */
public final class Page {
    /** Its length. */
    public static final int BYTES = 32 << 10;

    static final byte FREE = 0;
    static final byte LEAF = 1;
    static final byte INNER = 2;
    static final byte META = 3;

    private static final int CRC = 0;
    private static final int TYPE = 4;
    private static final int NUMBER = 8;
    private static final int LSN = 16;
    private static final int COUNT = 24;
    private static final int CELLS = 26;
    private static final int HOLES = 28;
    /** Of a free page: the next one. Of the page of totals: see {@link Tree}. */
    static final int LINK = 32;

    private static final int SLOTS = 48;
    private static final int SLOT_BYTES = Short.BYTES;
    private static final int CELL_BYTES = Long.BYTES + Short.BYTES;
    /** At least three such cells fit into a page. */
    static final int VALUE_BYTES_MAX = 8 << 10;

    private static final ByteBuffer EMPTY = ByteBuffer.allocate(BYTES).asReadOnlyBuffer();

    private Page() {}

    static void init(ByteBuffer page, long number, byte type) {
        page.putInt(TYPE, 0).put(TYPE, type).putLong(NUMBER, number);
        page.putShort(COUNT, (short) 0).putShort(CELLS, (short) BYTES).putShort(HOLES, (short) 0);
        page.putLong(LINK, 0).putLong(LINK + Long.BYTES, 0);
    }

    static byte type(ByteBuffer page) {
        return page.get(TYPE);
    }

    static long number(ByteBuffer page) {
        return page.getLong(NUMBER);
    }

    static long lsn(ByteBuffer page) {
        return page.getLong(LSN);
    }

    static void lsn(ByteBuffer page, long lsn) {
        page.putLong(LSN, lsn);
    }

    static int count(ByteBuffer page) {
        return Short.toUnsignedInt(page.getShort(COUNT));
    }

    private static int cells(ByteBuffer page) {
        return Short.toUnsignedInt(page.getShort(CELLS));
    }

    private static int holes(ByteBuffer page) {
        return Short.toUnsignedInt(page.getShort(HOLES));
    }

    private static int at(ByteBuffer page, int slot) {
        return Short.toUnsignedInt(page.getShort(SLOTS + slot * SLOT_BYTES));
    }

    static long key(ByteBuffer page, int slot) {
        return page.getLong(at(page, slot));
    }

    static int valueBytes(ByteBuffer page, int slot) {
        return Short.toUnsignedInt(page.getShort(at(page, slot) + Long.BYTES));
    }

    static byte[] value(ByteBuffer page, int slot) {
        byte[] value = new byte[valueBytes(page, slot)];
        page.get(at(page, slot) + CELL_BYTES, value);
        return value;
    }

    /** {@return the first eight octets of a value} */
    static long longValue(ByteBuffer page, int slot) {
        return page.getLong(at(page, slot) + CELL_BYTES);
    }

    /** {@return the slot of a key, or -1 - the slot where it belongs} */
    static int find(ByteBuffer page, long key) {
        int low = 0;
        int high = count(page) - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Long.compare(key(page, middle), key);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1 - low;
    }

    /** {@return the slot of an inner page under which a key lies: what is before the first is under it} */
    static int childSlot(ByteBuffer page, long key) {
        int found = find(page, key);
        return found >= 0 ? found : Math.max(0, -found - 2);
    }

    static boolean hasRoom(ByteBuffer page, int valueBytes) {
        int free = cells(page) - SLOTS - count(page) * SLOT_BYTES + holes(page);
        return free >= SLOT_BYTES + CELL_BYTES + valueBytes;
    }

    static void insert(ByteBuffer page, int slot, long key, ByteBuffer value) {
        int length = CELL_BYTES + value.remaining();
        int count = count(page);
        int slotsEnd = SLOTS + (count + 1) * SLOT_BYTES;
        if (cells(page) - slotsEnd < length) {
            compact(page);
        }
        int cell = cells(page) - length;
        page.putLong(cell, key).putShort(cell + Long.BYTES, (short) value.remaining());
        page.put(cell + CELL_BYTES, value, value.position(), value.remaining());
        int from = SLOTS + slot * SLOT_BYTES;
        page.put(
                from + SLOT_BYTES,
                page.slice(from, (count - slot) * SLOT_BYTES),
                0,
                (count - slot) * SLOT_BYTES);
        page.putShort(from, (short) cell);
        page.putShort(COUNT, (short) (count + 1)).putShort(CELLS, (short) cell);
    }

    static void delete(ByteBuffer page, int slot) {
        int count = count(page);
        int freed = CELL_BYTES + valueBytes(page, slot);
        int from = SLOTS + slot * SLOT_BYTES;
        page.put(
                from,
                page.slice(from + SLOT_BYTES, (count - slot - 1) * SLOT_BYTES),
                0,
                (count - slot - 1) * SLOT_BYTES);
        page.putShort(COUNT, (short) (count - 1)).putShort(HOLES, (short) (holes(page) + freed));
    }

    /** Takes away all slots from one on. */
    static void cut(ByteBuffer page, int slot) {
        int freed = 0;
        for (int i = slot; i < count(page); i++) {
            freed += CELL_BYTES + valueBytes(page, i);
        }
        page.putShort(COUNT, (short) slot).putShort(HOLES, (short) (holes(page) + freed));
    }

    private static void compact(ByteBuffer page) {
        ByteBuffer old = ByteBuffer.allocate(BYTES).put(0, page, 0, BYTES);
        int end = BYTES;
        for (int i = 0; i < count(old); i++) {
            int from = at(old, i);
            int length = CELL_BYTES + valueBytes(old, i);
            end -= length;
            page.put(end, old, from, length);
            page.putShort(SLOTS + i * SLOT_BYTES, (short) end);
        }
        page.putShort(CELLS, (short) end).putShort(HOLES, (short) 0);
    }

    /** Makes a page ready to be written. */
    static void seal(ByteBuffer page) {
        page.putInt(CRC, crc(page));
    }

    /** {@return whether a page is what was written as the page of that number} */
    static boolean isSound(ByteBuffer page, long number) {
        return page.getInt(CRC) == crc(page) && number(page) == number;
    }

    /** {@return whether a page is what was written as the page of that number, or was never written} */
    public static boolean isWhole(ByteBuffer page, long number) {
        return isSound(page, number) || page.mismatch(EMPTY) < 0;
    }

    private static int crc(ByteBuffer page) {
        CRC32C crc = new CRC32C();
        crc.update(page.slice(TYPE, BYTES - TYPE));
        return (int) crc.getValue();
    }
}
