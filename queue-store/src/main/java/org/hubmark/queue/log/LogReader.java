package org.hubmark.queue.log;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongFunction;
import java.util.zip.CRC32C;

/** Reads single records of the log for delivery and for checkpoints. Any thread; no state. */
public final class LogReader {
    private final Volume volume;
    private final LongFunction<@Nullable Segment> segments;
    private final LogCounters counters;

    /**
     * Reads from a log.
     *
     * @param segments finds the segment that holds a generation, or gives null
     */
    public LogReader(
            Volume volume, LongFunction<@Nullable Segment> segments, LogCounters counters) {
        this.volume = volume;
        this.segments = segments;
        this.counters = counters;
    }

    /**
     * Reads one record and verifies it.
     *
     * @return null when its segment was recycled, before or during the read: whoever moved what was
     *     alive in it to the queue database has done so before
     * @throws LogException if it is damaged
     */
    public @Nullable LogRecord read(LogPosition position) throws IOException {
        return read(position, position.recordBytes());
    }

    /** Reads one record without its content, likewise. */
    public @Nullable LogRecord readHead(LogPosition position, int headBytes) throws IOException {
        return read(position, RecordHeader.BYTES + headBytes);
    }

    /**
     * Reads the octets of one record, be they damaged or not.
     *
     * @return null when its segment was recycled
     */
    public @Nullable ByteBuffer readUnverified(LogPosition position) throws IOException {
        Segment segment = segments.apply(position.generation());
        if (segment == null) {
            return null;
        }
        ByteBuffer record = ByteBuffer.allocateDirect(position.recordBytes());
        segment.file().read(position.offset(), record);
        counters.reads.increment();
        counters.bytesRead.add(record.position());
        return record.rewind();
    }

    private @Nullable LogRecord read(LogPosition position, int bytes) throws IOException {
        Segment segment = segments.apply(position.generation());
        if (segment == null) {
            return null;
        }
        ByteBuffer record = ByteBuffer.allocate(bytes);
        try {
            segment.file().read(position.offset(), record);
        } catch (IOException e) {
            if (segment.generation() != position.generation()) {
                return null;
            }
            throw e;
        }
        counters.reads.increment();
        counters.bytesRead.add(record.position());
        LogRecord read = record.hasRemaining() ? null : decode(record, 0, position, bytes);
        if (segment.generation() != position.generation()) {
            return null;
        }
        if (read == null) {
            throw new LogException(volume.describe(segment.name()) + ", offset "
                    + position.offset() + ": a record of " + position.recordBytes()
                    + " bytes does not match its checksum; the medium has changed it. Run"
                    + " 'queue check' and replace the medium");
        }
        return read;
    }

    /**
     * {@return the record at an index of the buffer, or null when it is not sound}
     *
     * @param bytes how much of it is there: all of it, or all but its content
     */
    static @Nullable LogRecord decode(
            ByteBuffer buffer, int index, LogPosition position, int bytes) {
        int payloadBytes = RecordHeader.payloadBytes(buffer, index);
        int headBytes = RecordHeader.headBytes(buffer, index);
        RecordType type = RecordType.of(RecordHeader.typeCode(buffer, index));
        if (type == null
                || headBytes < 0
                || headBytes > payloadBytes
                || (bytes != position.recordBytes() && bytes != RecordHeader.BYTES + headBytes)
                || payloadBytes != position.recordBytes() - RecordHeader.BYTES
                || RecordHeader.generation(buffer, index) != position.generation()) {
            return null;
        }
        int content = index + RecordHeader.BYTES + headBytes;
        int end = index + bytes;
        if (checksum(buffer, index + RecordHeader.CHECKSUM_BYTES, content)
                        != RecordHeader.checksum(buffer, index)
                || (content < end
                        && checksum(buffer, content, end)
                                != RecordHeader.contentChecksum(buffer, index))) {
            return null;
        }
        return new LogRecord(
                type,
                RecordHeader.id(buffer, index),
                RecordHeader.sequence(buffer, index),
                position,
                buffer.slice(index + RecordHeader.BYTES, headBytes),
                buffer.slice(content, end - content),
                RecordHeader.contentChecksum(buffer, index));
    }

    private static int checksum(ByteBuffer buffer, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(buffer.duplicate().limit(to).position(from));
        return (int) crc.getValue();
    }
}
