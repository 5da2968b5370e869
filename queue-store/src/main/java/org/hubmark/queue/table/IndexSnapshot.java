package org.hubmark.queue.table;

import org.hubmark.queue.log.CleanClose;
import org.hubmark.queue.log.LogPosition;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.log.VolumeFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Snapshot that a clean close leaves beside the segments, so that the next start need not read
 * them: the file {@code index}, deleted before anything is written again. One that is damaged or of
 * another version is not used; the log itself says the same.
 *
 * <p>Its form, big-endian: magic "HUBMKIDX" (8 octets), format version (4), store id (16), last
 * generation (8), where its records end (4), last sequence (8), highest id (8), checkpoint of the
 * queue database (8), number of messages (4), each message, CRC32C of all before (4). A message: id
 * (8), position of its record, octets of the record's head (4), octets of the content (8), number
 * of extents (4), whether the queue database has extents (1), whether places follow (1),
 * {@link MessageState}, and if so the position of each extent. A position: generation (8), offset
 * (4), octets (4), those of them in the body (4) and its offset (4); all zero for an extent in the
 * queue database.
 *
 * @param end where the log ends
 * @param messages those in the log
 */
public record IndexSnapshot(CleanClose end, Collection<LogMessage> messages) {
    /** Name of the snapshot's file on the log volume. */
    public static final String NAME = "index";

    private static final String UNFINISHED = NAME + ".new";
    private static final long MAGIC =
            ByteBuffer.wrap("HUBMKIDX".getBytes(StandardCharsets.US_ASCII)).getLong();
    private static final int VERSION = 3;
    private static final int FIXED_BYTES = 8 + 4 + 16 + 4 * 8 + 2 * 4;
    private static final int POSITION_BYTES = 24;
    private static final int MESSAGE_BYTES = 64 + POSITION_BYTES;
    private static final int BUFFER_BYTES = 1 << 20;
    private static final Logger LOG = LoggerFactory.getLogger(IndexSnapshot.class);

    /**
     * {@return what the last close left, or null when it left nothing that can be used}
     *
     * @param databaseCheckpoint of the queue database; a snapshot that goes with another says nothing
     *     of what this one lacks, the log does
     */
    public static @Nullable IndexSnapshot read(Volume volume, UUID storeId, long databaseCheckpoint)
            throws IOException {
        if (!volume.list().contains(NAME)) {
            return null;
        }
        ByteBuffer in;
        try (VolumeFile file = volume.open(NAME)) {
            in = ByteBuffer.allocate(Math.toIntExact(file.length()));
            file.read(0, in);
            in.flip();
        } catch (IOException | ArithmeticException e) {
            // The second is a file of more than two GiB, which none has that was written here.
            LOG.warn("{} can't be read, the log is read instead", volume.describe(NAME), e);
            return null;
        }
        IndexSnapshot snapshot = null;
        try {
            snapshot = decode(in, storeId);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            LOG.debug("{} can't be understood", volume.describe(NAME), e);
        }
        if (snapshot == null) {
            LOG.warn("{} is damaged, the log is read instead", volume.describe(NAME));
            return null;
        }
        return snapshot.end().databaseCheckpoint() == databaseCheckpoint ? snapshot : null;
    }

    /** Takes it away, durably. */
    public static void delete(Volume volume) throws IOException {
        for (String name : List.of(NAME, UNFINISHED)) {
            if (volume.list().contains(name)) {
                volume.delete(name);
                volume.syncNames();
            }
        }
    }

    /** Writes it; it is there whole or not at all. */
    public void write(Volume volume, UUID storeId) throws IOException {
        try (VolumeFile file = volume.create(UNFINISHED)) {
            Output out = new Output(file);
            out.room(FIXED_BYTES)
                    .putLong(MAGIC)
                    .putInt(VERSION)
                    .putLong(storeId.getMostSignificantBits())
                    .putLong(storeId.getLeastSignificantBits())
                    .putLong(end.lastGeneration())
                    .putInt(end.endOffset())
                    .putLong(end.lastSequence())
                    .putLong(end.highestId())
                    .putLong(end.databaseCheckpoint())
                    .putInt(messages.size());
            for (LogMessage message : messages) {
                encode(out, message);
            }
            out.finish();
            file.sync();
        }
        volume.rename(UNFINISHED, NAME);
        volume.syncNames();
    }

    private static void encode(Output out, LogMessage message) throws IOException {
        ByteBuffer buffer = out.room(MESSAGE_BYTES + message.state.bytesMax());
        buffer.putLong(message.id);
        put(buffer, message.home);
        buffer.putInt(message.headBytes).putLong(message.sizeBytes).putInt(message.extentCount);
        buffer.put((byte) (message.hasExtentsInDatabase ? 1 : 0));
        buffer.put((byte) (message.places == null ? 0 : 1));
        message.state.encode(buffer);
        if (message.places != null) {
            for (LogPosition place : message.places) {
                put(out.room(POSITION_BYTES), place);
            }
        }
    }

    private static void put(ByteBuffer buffer, @Nullable LogPosition place) {
        buffer.putLong(place == null ? 0 : place.generation())
                .putInt(place == null ? 0 : place.offset())
                .putInt(place == null ? 0 : place.recordBytes())
                .putInt(place == null ? 0 : place.bodyBytes())
                .putInt(place == null ? 0 : place.bodyOffset());
    }

    private static LogPosition position(ByteBuffer in) {
        return new LogPosition(in.getLong(), in.getInt(), in.getInt(), in.getInt(), in.getInt());
    }

    private static @Nullable IndexSnapshot decode(ByteBuffer in, UUID storeId) {
        CRC32C crc = new CRC32C();
        crc.update(in.duplicate().limit(Math.max(0, in.limit() - Integer.BYTES)));
        if (in.limit() < FIXED_BYTES + Integer.BYTES
                || in.getInt(in.limit() - Integer.BYTES) != (int) crc.getValue()
                || in.getLong() != MAGIC
                || in.getInt() != VERSION
                || in.getLong() != storeId.getMostSignificantBits()
                || in.getLong() != storeId.getLeastSignificantBits()) {
            return null;
        }
        CleanClose end =
                new CleanClose(in.getLong(), in.getInt(), in.getLong(), in.getLong(), in.getLong());
        int count = in.getInt();
        List<LogMessage> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            messages.add(message(in));
        }
        return new IndexSnapshot(end, messages);
    }

    private static LogMessage message(ByteBuffer in) {
        long id = in.getLong();
        LogPosition home = position(in);
        int headBytes = in.getInt();
        long sizeBytes = in.getLong();
        int extentCount = in.getInt();
        boolean hasExtentsInDatabase = in.get() != 0;
        boolean hasPlaces = in.get() != 0;
        MessageState state = MessageState.decode(in);
        @Nullable LogPosition @Nullable [] places = null;
        if (hasPlaces) {
            places = new LogPosition[extentCount];
            for (int extent = 0; extent < extentCount; extent++) {
                LogPosition place = position(in);
                places[extent] = place.generation() == 0 ? null : place;
            }
        }
        return new LogMessage(
                id,
                home,
                headBytes,
                sizeBytes,
                extentCount,
                places,
                hasExtentsInDatabase,
                state,
                null);
    }

    /** Collects what is to be written, with its checksum. */
    private static final class Output {
        private final VolumeFile file;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        private final CRC32C crc = new CRC32C();
        private long position;

        Output(VolumeFile file) {
            this.file = file;
        }

        ByteBuffer room(int bytes) throws IOException {
            if (buffer.remaining() < bytes) {
                drain();
            }
            return buffer;
        }

        void finish() throws IOException {
            drain();
            buffer.putInt((int) crc.getValue());
            drain();
        }

        private void drain() throws IOException {
            buffer.flip();
            crc.update(buffer.duplicate());
            int bytes = buffer.remaining();
            file.write(position, new ByteBuffer[] {buffer}, 1);
            position += bytes;
            buffer.clear();
        }
    }
}
