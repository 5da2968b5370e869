package org.hubmark.queue.log;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.function.LongFunction;
import java.util.zip.CRC32C;

/**
 * Reads single records of the log for delivery and for checkpoints. Any thread; no state.
 *
 * @param segments finds the segment that holds a generation, or gives null
 */
public record LogReader(
        Volume volume, LongFunction<@Nullable Segment> segments, LogCounters counters) {
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);
    private static final String WHAT_TO_DO = "Run 'queue check' and replace the medium";

    /**
     * Reads one record and verifies it.
     *
     * @return null when its segment was recycled, before or during the read: whoever moved what was
     *     alive in it to the queue database has done so before
     * @throws LogException if it is damaged
     */
    public @Nullable LogRecord read(LogPosition position) throws IOException {
        return read(position, position.recordBytes);
    }

    /** Reads one record without its content, likewise. */
    public @Nullable LogRecord readHead(LogPosition position, int headBytes) throws IOException {
        return read(position, RecordHeader.BYTES + headBytes);
    }

    /**
     * Reads the content of one record, be it damaged or not; zeros where it can't be read.
     *
     * @param headBytes of the record
     * @return null when its segment was recycled
     */
    public @Nullable ByteBuffer readUnverified(LogPosition position, int headBytes)
            throws IOException {
        Segment segment = segments.apply(position.generation);
        if (segment == null) {
            return null;
        }
        int beforeContent = RecordHeader.BYTES + headBytes;
        int bodyBytes = position.bodyBytes;
        ByteBuffer content = ByteBuffer.allocateDirect(position.recordBytes - beforeContent);
        ReadErrors.read(segment.file, position.bodyOffset, content.limit(bodyBytes));
        ReadErrors.read(
                segment.file,
                position.offset + beforeContent,
                content.limit(content.capacity()).position(bodyBytes));
        return content.rewind();
    }

    /**
     * {@return the CRC32C that the content of a record had when it was written, as the header says} A
     * damaged header says anything, and 0 where it can't be read.
     */
    public int contentChecksum(LogPosition position) throws IOException {
        Segment segment = segments.apply(position.generation);
        ByteBuffer header = ByteBuffer.allocate(RecordHeader.BYTES);
        if (segment != null) {
            ReadErrors.read(segment.file, position.offset, header);
        }
        return RecordHeader.contentChecksum(header, 0);
    }

    private @Nullable LogRecord read(LogPosition position, int bytes) throws IOException {
        Segment segment = segments.apply(position.generation);
        if (segment == null) {
            return null;
        }
        boolean whole = bytes == position.recordBytes;
        LogRecord read;
        try {
            ByteBuffer record = ByteBuffer.allocate(bytes);
            int frontBytes = whole ? position.frontBytes() : bytes;
            fill(segment, position.offset, record, frontBytes);
            read = record.position() < frontBytes ? null : decode(segment, record, position, whole);
        } catch (IOException e) {
            if (segment.generation() != position.generation) {
                return null;
            }
            if (e instanceof ClosedChannelException) {
                throw e;
            }
            throw new LogException(
                    place(segment, position) + " can't be read: " + e.getMessage() + ". "
                            + WHAT_TO_DO,
                    e);
        }
        if (segment.generation() != position.generation) {
            return null;
        }
        if (read == null) {
            throw new LogException(place(segment, position)
                    + " does not match its checksum; the medium has changed it. " + WHAT_TO_DO);
        }
        return read;
    }

    private String place(Segment segment, LogPosition position) {
        return volume.describe(segment.name) + ", offset " + position.offset + ": a record of "
                + position.recordBytes + " bytes";
    }

    private @Nullable LogRecord decode(
            Segment segment, ByteBuffer record, LogPosition position, boolean whole)
            throws IOException {
        if (!whole) {
            return decodeHead(record, position);
        }
        if (position.bodyBytes == 0) {
            return decode(record, 0, position);
        }
        int headBytes = RecordHeader.headBytes(record, 0);
        if (headBytes < 0 || headBytes > position.frontBytes() - RecordHeader.BYTES) {
            return null;
        }
        // The content's end lies in front of its body, which goes where that is now.
        int beforeContent = RecordHeader.BYTES + headBytes;
        int endBytes = position.frontBytes() - beforeContent;
        record.put(
                beforeContent + position.bodyBytes,
                record.slice(beforeContent, endBytes),
                0,
                endBytes);
        fill(segment, position.bodyOffset, record.position(beforeContent), position.bodyBytes);
        return record.position() < beforeContent + position.bodyBytes
                ? null
                : decode(record, 0, position);
    }

    private void fill(Segment segment, int offset, ByteBuffer target, int bytes)
            throws IOException {
        if (bytes > 0) {
            int start = target.position();
            segment.file.read(offset, target.limit(start + bytes));
            counters.reads.increment();
            target.limit(target.capacity());
        }
    }

    /**
     * {@return the record at an index of the buffer, or null when it is not sound} It lies there as if
     * its body were in it: header, head, content.
     */
    static @Nullable LogRecord decode(ByteBuffer buffer, int index, LogPosition position) {
        LogRecord head = decodeHead(buffer.slice(index, position.recordBytes), position);
        if (head == null) {
            return null;
        }
        int content = RecordHeader.BYTES + head.head().remaining();
        int end = position.recordBytes;
        int checksum = checksum(buffer, index + content, index + end);
        if (content < end && checksum != RecordHeader.contentChecksum(buffer, index)) {
            return null;
        }
        return new LogRecord(
                head.type(),
                head.id(),
                head.sequence(),
                position,
                head.head(),
                buffer.slice(index + content, end - content),
                checksum);
    }

    /** {@return the record without its content, or null when what is there is not sound} */
    static @Nullable LogRecord decodeHead(ByteBuffer record, LogPosition position) {
        int payloadBytes = RecordHeader.payloadBytes(record, 0);
        int headBytes = RecordHeader.headBytes(record, 0);
        RecordType type = RecordType.of(RecordHeader.typeCode(record, 0));
        if (type == null
                || headBytes < 0
                || headBytes > payloadBytes
                || headBytes > record.capacity() - RecordHeader.BYTES
                || payloadBytes != position.recordBytes - RecordHeader.BYTES
                || RecordHeader.bodyBytes(record, 0) != position.bodyBytes
                || RecordHeader.generation(record, 0) != position.generation
                || checksum(record, RecordHeader.CHECKSUM_BYTES, RecordHeader.BYTES + headBytes)
                        != RecordHeader.checksum(record, 0)) {
            return null;
        }
        return new LogRecord(
                type,
                RecordHeader.id(record, 0),
                RecordHeader.sequence(record, 0),
                position,
                record.slice(RecordHeader.BYTES, headBytes),
                EMPTY,
                0);
    }

    private static int checksum(ByteBuffer buffer, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(buffer.duplicate().limit(to).position(from));
        return (int) crc.getValue();
    }
}
