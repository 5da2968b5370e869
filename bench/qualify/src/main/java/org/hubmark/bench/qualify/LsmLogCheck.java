package org.hubmark.bench.qualify;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Checks the records of a file of the log of an LSM that is closed (RocksDB's db/log_format.h), in one pass
 * over it. Records are in blocks of 32 KiB, and none reaches into another block. One thread.
 */
final class LsmLogCheck {
    private static final int BLOCK_BYTES = 32 << 10;

    /** Checksum, length and type; in a file that is used again its number too. */
    private static final int HEADER_BYTES = 7;

    private static final int LONG_HEADER_BYTES = 11;
    private static final int LENGTH_AT = 4;
    private static final int TYPE_AT = 6;
    private static final int LONG_FIRST = 5;
    private static final int LONG_LAST = 8;

    private LsmLogCheck() {}

    /** Checks a file; its blocks are records. */
    static BlockCheck.Found check(Path path, ReadChannel.ReadCounter counter) throws IOException {
        try (ReadChannel file = new ReadChannel(path, counter)) {
            long records = 0;
            long bad = 0;
            ByteBuffer part = file.next();
            while (part.hasRemaining()) {
                for (int at = 0; at < part.limit(); at += BLOCK_BYTES) {
                    ByteBuffer block = part.slice(at, Math.min(BLOCK_BYTES, part.limit() - at));
                    int whole = records(block.order(ByteOrder.LITTLE_ENDIAN));
                    records += Math.abs(whole);
                    bad += whole < 0 ? 1 : 0;
                }
                part = file.next();
            }
            return new BlockCheck.Found(file.bytes(), records, bad);
        }
    }

    /** {@return how many records a block has; below 0 where the last of them is bad} */
    private static int records(ByteBuffer block) {
        int records = 0;
        int at = 0;
        while (at + HEADER_BYTES <= block.limit()) {
            int length = Short.toUnsignedInt(block.getShort(at + LENGTH_AT));
            int type = block.get(at + TYPE_AT);
            if (type == 0 && length == 0) {
                // Room that was made beforehand.
                return records;
            }
            records++;
            boolean isLong = type >= LONG_FIRST && type <= LONG_LAST;
            int end = at + (isLong ? LONG_HEADER_BYTES : HEADER_BYTES) + length;
            if (end > block.limit() || !isWhole(block, at, end)) {
                return -records;
            }
            at = end;
        }
        return records;
    }

    private static boolean isWhole(ByteBuffer block, int at, int end) {
        CRC32C checksum = new CRC32C();
        checksum.update(block.slice(at + TYPE_AT, end - at - TYPE_AT));
        return TableFile.masked(checksum) == block.getInt(at);
    }
}
