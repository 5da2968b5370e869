package org.hubmark.queue;

import org.hubmark.core.Envelope;
import org.hubmark.queue.log.LogPosition;
import org.hubmark.queue.log.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * What memory holds of a message whose row is in the intake log: small, since there is one for each
 * message that the log holds. Guarded by the store's lock.
 */
final class LogMessage {
    final long id;

    /** The record that enqueued it; its head is the row, its content the last part. */
    final LogPosition home;

    final int headBytes;
    final long sizeBytes;
    final int partCount;

    /** Where each part lies, null for one in the queue database; null when home holds all. */
    final @Nullable LogPosition @Nullable [] places;

    /** The queue database holds parts of it, under its mark. */
    boolean hasPartsInDatabase;

    MessageState state;

    /** Only of recent messages: the rest is read from the log when it is needed. */
    @Nullable
    Envelope envelope;

    LogMessage(
            long id,
            LogPosition home,
            int headBytes,
            long sizeBytes,
            int partCount,
            @Nullable LogPosition @Nullable [] places,
            boolean hasPartsInDatabase,
            MessageState state,
            @Nullable Envelope envelope) {
        this.id = id;
        this.home = home;
        this.headBytes = headBytes;
        this.sizeBytes = sizeBytes;
        this.partCount = partCount;
        this.places = places;
        this.hasPartsInDatabase = hasPartsInDatabase;
        this.state = state;
        this.envelope = envelope;
    }

    /** {@return where a part lies in the log, or null when it is in the queue database} */
    @Nullable
    LogPosition place(int part) {
        return places == null ? home : places[part];
    }

    /** {@return the octets of a part that lies in the log, or 0} */
    int partBytes(int part) {
        LogPosition place = place(part);
        if (place == null) {
            return 0;
        }
        int head = place.equals(home) ? headBytes : Integer.BYTES;
        return place.recordBytes() - RecordHeader.BYTES - head;
    }
}
