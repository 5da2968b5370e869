package org.hubmark.queue.table;

import org.hubmark.core.Envelope;
import org.hubmark.queue.log.LogPosition;
import org.hubmark.queue.log.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * Memory of a message whose row is in the intake log: small, since there is one for each message
 * that the log holds. Guarded by the store's lock.
 */
public final class LogMessage {
    /** Queue id of the message. */
    public final long id;

    /** The record that enqueued it; its head is the row, its content the last extent. */
    public final LogPosition home;

    /** Octets of its row in that record. */
    public final int headBytes;

    /** Octets of its content. */
    public final long sizeBytes;

    /** Number of extents of the content. */
    public final int extentCount;

    /** Where each extent lies, null for one in the queue database; null when home holds all. */
    final @Nullable LogPosition @Nullable [] places;

    /** The queue database holds extents of it, under its mark. */
    boolean hasExtentsInDatabase;

    MessageState state;

    /** Only of recent messages: the rest is read from the log when it is needed. */
    @Nullable
    Envelope envelope;

    LogMessage(
            long id,
            MessageRow row,
            LogPosition home,
            int headBytes,
            @Nullable LogPosition @Nullable [] places,
            boolean hasExtentsInDatabase) {
        this.id = id;
        this.home = home;
        this.headBytes = headBytes;
        this.sizeBytes = row.sizeBytes();
        this.extentCount = row.extents().size();
        this.places = places;
        this.hasExtentsInDatabase = hasExtentsInDatabase;
        this.state = row.state();
        this.envelope = row.envelope();
    }

    /** {@return what is to become of it} */
    public MessageState state() {
        return state;
    }

    /** {@return its envelope if memory has it, else null: then it is in the record} */
    public @Nullable Envelope envelope() {
        return envelope;
    }

    /** {@return where an extent lies in the log, or null when it is in the queue database} */
    public @Nullable LogPosition place(int extent) {
        return places == null ? home : places[extent];
    }

    /** {@return the octets of an extent that lies in the log, or 0} */
    public int extentBytes(int extent) {
        LogPosition place = place(extent);
        if (place == null) {
            return 0;
        }
        int head = place.equals(home) ? headBytes : Integer.BYTES;
        return place.recordBytes - RecordHeader.BYTES - head;
    }
}
