package org.hubmark.queue;

import org.hubmark.core.Envelope;
import org.hubmark.queue.log.Counterpart;
import org.hubmark.queue.log.DirectIo;
import org.hubmark.queue.log.DirectoryVolume;
import org.hubmark.queue.log.IntakeLog;
import org.hubmark.queue.log.LogDamage;
import org.hubmark.queue.log.LogWriter;
import org.hubmark.queue.log.RecordType;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.table.ContentExtent;
import org.hubmark.queue.table.MessageRow;
import org.hubmark.queue.table.MessageState;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * The intake log alone, without a hand-off, an index or a queue database: for benchmarks. It is in the
 * package of the store, whose log nobody else writes, and writes through the code of a store; what differs
 * is that nothing written here is ever needed again, so the oldest segment is used again as soon as a
 * third is full.
 *
 * <p>One thread.
 */
public final class BareLog implements AutoCloseable {
    private static final UUID STORE = new UUID(0, 1);
    private static final int SEGMENTS_MAX = 4;
    private static final int LIVE_MAX = 2;

    private final IntakeLog log;
    private final LogWriter writer;
    private long nextId = 1;

    private BareLog(IntakeLog log) {
        this.log = log;
        this.writer = log.writer();
    }

    /** Makes a log in an empty folder that goes round in a few segments, of a multiple of 4 KiB. */
    public static BareLog create(Path folder, int segmentBytes) throws IOException {
        IntakeLog.Size size = new IntakeLog.Size(segmentBytes, SEGMENTS_MAX, 0);
        Volume volume = DirectIo.AUTO.use(new DirectoryVolume(folder));
        IntakeLog log = IntakeLog.open(
                volume,
                STORE,
                size,
                Counterpart.NONE,
                record -> {},
                new LogDamage(false, Long::toString),
                Runnable::run);
        return new BareLog(log);
    }

    /**
     * Appends a group: so many messages with the same content.
     *
     * @param content direct; read from its position to its limit, and unchanged
     */
    public void append(Envelope envelope, ByteBuffer content, int messages) throws IOException {
        for (int i = 0; i < messages; i++) {
            // Its checksum is part of what a message costs, so each has its own.
            ContentExtent extent = ContentExtent.of(content);
            MessageRow row = new MessageRow(envelope, MessageState.fresh(), List.of(extent));
            int headBytes = row.bytesMax();
            makeRoom(headBytes, content.remaining());
            row.encode(writer.start(RecordType.ENQUEUE, nextId++, headBytes));
            writer.finish(content, extent.crc32c());
        }
        writer.write();
    }

    /** Makes durable what was appended. */
    public void sync() throws IOException {
        writer.sync();
    }

    /** {@return messages appended} */
    public long messages() {
        return nextId - 1;
    }

    /** {@return write calls, those that preallocate segments apart} */
    public long writes() {
        return log.counters().groups.sum();
    }

    /** {@return bytes written, those that preallocate segments apart} */
    public long bytesWritten() {
        return log.counters().bytesWritten.sum()
                - log.counters().preallocatedBytes.sum();
    }

    @Override
    public void close() throws IOException {
        log.close();
    }

    private void makeRoom(int headBytes, int contentBytes) throws IOException {
        while (!writer.fits(headBytes, contentBytes)) {
            if (writer.recordCount() > 0) {
                writer.write();
                continue;
            }
            if (log.segments().liveCount() > LIVE_MAX) {
                log.segments().recycle(log.segments().oldestGeneration());
            }
            if (!writer.openNext(true)) {
                throw new IOException("the log has no segment left for this group");
            }
        }
    }
}
