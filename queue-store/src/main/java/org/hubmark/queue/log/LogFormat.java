package org.hubmark.queue.log;

import java.nio.ByteBuffer;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The sizes and names of the intake log's format, version 3. {@code docs/data-format.md} draws it
 * as tables; all numbers are big-endian.
 *
 * <p>A segment is a header page and then groups, each at a multiple of the page. A group has a front:
 * a {@linkplain GroupHeader header}, its records one after the other, and zeros up to the page. A
 * record is a {@linkplain RecordHeader header} and its payload. Behind the front come the bodies: of
 * each large content the whole pages, so that they are written from where they lie in memory,
 * past the page cache; the rest of such a content is in its record.
 */
public final class LogFormat {
    /** Refused by name when a segment says another. */
    static final int VERSION = 3;

    /** Groups start at its multiples, so that rewriting one never touches an earlier one's page. */
    public static final int PAGE_BYTES = 4096;

    /**
     * A content of this size has a body; a smaller one is copied into the front for less. A receiver
     * has the content of mail at a page's start in memory from this size on.
     */
    static final int BODY_CONTENT_BYTES_MIN = 16 << 10;

    /** A disk writes this much or nothing; a segment header fits. */
    public static final int SECTOR_BYTES = 512;

    /** Ends the name of a segment file that is still being preallocated. */
    static final String UNFINISHED = ".new";

    private static final Pattern SEGMENT = Pattern.compile("segment-(\\d{6,18})\\.log");
    private static final Pattern LEFTOVER =
            Pattern.compile("segment-\\d{6,18}\\.log\\.new|index(\\.new)?");

    /** Where a sector that has a checksum has it. */
    public static final int CHECKSUM_OFFSET = 12;

    private LogFormat() {}

    /**
     * {@return the CRC32C of a sector, its field at {@link #CHECKSUM_OFFSET} taken as zero} Of what
     * is one sector: a segment header, the witness.
     */
    public static int sectorChecksum(ByteBuffer sector) {
        CRC32C crc = new CRC32C();
        crc.update(sector.duplicate().position(0).limit(CHECKSUM_OFFSET));
        crc.update(new byte[Integer.BYTES]);
        crc.update(
                sector.duplicate().limit(SECTOR_BYTES).position(CHECKSUM_OFFSET + Integer.BYTES));
        return (int) crc.getValue();
    }

    /** {@return the bytes of the whole pages that hold so many} */
    public static long paddedBytes(long bytes) {
        return (bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
    }

    /** {@return how many of a content's bytes lie in the body} */
    static int bodyBytes(int contentBytes) {
        return contentBytes < BODY_CONTENT_BYTES_MIN ? 0 : contentBytes & -PAGE_BYTES;
    }

    static String segmentName(long number) {
        return "segment-" + sixDigits(number) + ".log";
    }

    /** {@return a number as the names of files have it, with six digits or more} */
    public static String sixDigits(long number) {
        // Not String.format: a locale must not decide the digits.
        String digits = String.valueOf(number);
        return "0".repeat(Math.max(0, 6 - digits.length())) + digits;
    }

    /** {@return the number in a segment file's name, or 0 when it is no such name} */
    static long segmentNumber(String name) {
        var matcher = SEGMENT.matcher(name);
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /**
     * {@return whether nobody needs a file: a segment whose preallocation was cut off, or the index that
     * version 0.1.0 left at a clean close}
     */
    static boolean isLeftover(String name) {
        return LEFTOVER.matcher(name).matches();
    }
}
