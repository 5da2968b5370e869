package org.hubmark.queue;

import org.hubmark.core.Envelope;
import org.hubmark.queue.log.LogPosition;
import org.hubmark.queue.log.RecordHeader;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Finds what the intake log holds: messages by id, parts of unfinished messages, and how much of
 * each segment is still needed. Guarded by the store's lock; what isn't in the log isn't here, so
 * its size is bounded by the log's.
 */
final class LogIndex {
    /** Envelopes kept, so many and so large together: what is delivered at once is not read back. */
    private static final int RECENT_MESSAGES_MAX = 4096;

    private static final long RECENT_BYTES_MAX = 4 << 20;

    /**
     * Memory for a message without its envelope: it, its place, state and id here and in the schedule,
     * as measured with compressed references, and what is free in the tables for growth.
     */
    static final long MESSAGE_BYTES = 400;

    private static final long PLACE_BYTES = 40;

    private final Map<Long, LogMessage> messages = new HashMap<>();
    private final Map<Long, Spool> spools = new HashMap<>();

    /** Needed records by the generation they lie in. */
    private final Map<Long, Long> needed = new HashMap<>();

    private final @Nullable LogMessage[] recent = new LogMessage[RECENT_MESSAGES_MAX];
    private int recentFirst;
    private int recentCount;
    private long recentBytes;
    private volatile long memoryBytes;
    private Totals totals = Totals.EMPTY;
    private long recordBytes;

    /** The parts of a message whose end hasn't come. */
    private static final class Spool {
        private final List<@Nullable LogPosition> places = new ArrayList<>();
        private boolean hasPartsInDatabase;
    }

    @Nullable
    LogMessage find(long id) {
        return messages.get(id);
    }

    Collection<LogMessage> messages() {
        return messages.values();
    }

    int size() {
        return messages.size();
    }

    Totals totals() {
        return totals;
    }

    /** {@return the bytes of all needed records} */
    long recordBytes() {
        return recordBytes;
    }

    /** {@return about how much memory the messages here need} Any thread. */
    long memoryBytes() {
        return memoryBytes;
    }

    /** {@return the messages whose rows lie in a generation} Searches all of them. */
    List<LogMessage> messagesIn(long generation) {
        return messages.values().stream()
                .filter(message -> message.home.generation() == generation)
                .toList();
    }

    /** {@return the parts without a row that lie in a generation} Searches all of them. */
    List<Entry.PartStored> partsIn(long generation) {
        List<Entry.PartStored> found = new ArrayList<>();
        spools.forEach((id, spool) -> {
            for (int part = 0; part < spool.places.size(); part++) {
                addPart(found, generation, id, part, spool.places.get(part));
            }
        });
        for (LogMessage message : messages.values()) {
            for (int part = 0; part < message.partCount; part++) {
                LogPosition place = message.place(part);
                if (!message.home.equals(place)) {
                    addPart(found, generation, message.id, part, place);
                }
            }
        }
        return found;
    }

    private static void addPart(
            List<Entry.PartStored> found,
            long generation,
            long id,
            int part,
            @Nullable LogPosition place) {
        if (place != null && place.generation() == generation) {
            found.add(new Entry.PartStored(id, part, place));
        }
    }

    /** {@return whether nothing in a generation is needed} */
    boolean isDead(long generation) {
        return !needed.containsKey(generation);
    }

    /** Remembers a part of an unfinished message. */
    void spool(long id, LogPosition place) {
        spools.computeIfAbsent(id, key -> new Spool()).places.add(place);
        need(place);
    }

    /** Remembers that the queue database holds first parts of a message that isn't here yet. */
    void spooledBefore(long id) {
        spools.computeIfAbsent(id, key -> new Spool()).hasPartsInDatabase = true;
    }

    /** {@return whether parts of an unfinished message are remembered} */
    boolean hasSpool(long id) {
        return spools.containsKey(id);
    }

    /** Forgets an unfinished message; true when the queue database holds parts of it. */
    boolean abandon(long id) {
        Spool spool = spools.remove(id);
        if (spool == null) {
            return false;
        }
        spool.places.forEach(this::release);
        return spool.hasPartsInDatabase;
    }

    /** {@return the ids of unfinished messages} */
    List<Long> unfinished() {
        return List.copyOf(spools.keySet());
    }

    /** {@return how many first parts of a message lie before what is known of the log} */
    int partsBefore(long id, MessageRow row, LogPosition home, int headBytes) {
        int partsApart = row.parts().size() - (holdsPart(home, headBytes) ? 1 : 0);
        if (partsApart == 0) {
            return 0;
        }
        Spool spool = spools.get(id);
        return partsApart - (spool == null ? 0 : spool.places.size());
    }

    /** The record that enqueues a message has content only when something was in memory. */
    private static boolean holdsPart(LogPosition home, int headBytes) {
        return home.recordBytes() > RecordHeader.BYTES + headBytes;
    }

    /** Enters a message, with the parts remembered for it. */
    LogMessage add(long id, MessageRow row, LogPosition home, int headBytes) {
        Spool spool = spools.remove(id);
        int partCount = row.parts().size();
        @Nullable LogPosition @Nullable [] places = null;
        boolean homeHolds = holdsPart(home, headBytes);
        if (partCount > 1 || spool != null) {
            places = new LogPosition[partCount];
            int inLog = spool == null ? 0 : spool.places.size();
            int last = homeHolds ? partCount - 1 : partCount;
            // Parts that were moved before this part of the log are the first ones.
            for (int i = 0; i < inLog && i < last; i++) {
                places[last - 1 - i] = spool == null ? null : spool.places.get(inLog - 1 - i);
            }
            if (homeHolds) {
                places[last] = home;
            }
        }
        LogMessage message = new LogMessage(
                id,
                home,
                headBytes,
                row.sizeBytes(),
                partCount,
                places,
                spool != null && spool.hasPartsInDatabase,
                row.state(),
                row.envelope());
        need(home);
        put(message);
        return message;
    }

    /** Enters a message as it was saved, with all that is needed of it. */
    void restore(LogMessage message) {
        need(message.home);
        if (message.places != null) {
            for (LogPosition place : message.places) {
                if (place != null && !place.equals(message.home)) {
                    need(place);
                }
            }
        }
        put(message);
    }

    /** Takes a message out: it has left, or has been moved. */
    void remove(LogMessage message) {
        messages.remove(message.id);
        addMemory(-memoryBytes(message));
        dropEnvelope(message);
        totals = totals.left(message.sizeBytes, message.state);
        release(message.home);
        if (message.places != null) {
            for (LogPosition place : message.places) {
                if (place != null && !place.equals(message.home)) {
                    release(place);
                }
            }
        }
    }

    void change(LogMessage message, MessageState now) {
        totals = totals.changed(message.state, now);
        addMemory(now.reason().length() - message.state.reason().length());
        message.state = now;
    }

    /**
     * {@return whether a part at a place is needed} If so it is about to be in the queue database,
     * under a mark.
     */
    boolean needsPart(long id, int part, LogPosition place) {
        Spool spool = spools.get(id);
        if (spool != null) {
            return spool.places.contains(place);
        }
        LogMessage message = messages.get(id);
        return message != null
                && message.places != null
                && part < message.partCount
                && place.equals(message.places[part]);
    }

    /** A part is in the queue database now; false when it isn't needed any more. */
    boolean partMoved(long id, int part, LogPosition place) {
        if (!needsPart(id, part, place)) {
            return false;
        }
        Spool spool = spools.get(id);
        if (spool != null) {
            spool.places.set(spool.places.indexOf(place), null);
            spool.hasPartsInDatabase = true;
        } else {
            LogMessage message = Objects.requireNonNull(messages.get(id));
            Objects.requireNonNull(message.places)[part] = null;
            message.hasPartsInDatabase = true;
        }
        release(place);
        return true;
    }

    private void put(LogMessage message) {
        messages.put(message.id, message);
        totals = totals.came(message.id, message.sizeBytes, message.state);
        addMemory(memoryBytes(message));
        if (message.envelope != null) {
            keepEnvelope(message, message.envelope);
        }
    }

    private void keepEnvelope(LogMessage message, Envelope envelope) {
        recentBytes += memoryBytes(envelope);
        if (recentCount == RECENT_MESSAGES_MAX) {
            forgetOldest();
        }
        recent[(recentFirst + recentCount) % RECENT_MESSAGES_MAX] = message;
        recentCount++;
        while (recentBytes > RECENT_BYTES_MAX) {
            forgetOldest();
        }
    }

    private void forgetOldest() {
        dropEnvelope(Objects.requireNonNull(recent[recentFirst]));
        recent[recentFirst] = null;
        recentFirst = (recentFirst + 1) % RECENT_MESSAGES_MAX;
        recentCount--;
    }

    private void dropEnvelope(LogMessage message) {
        if (message.envelope != null) {
            recentBytes -= memoryBytes(message.envelope);
            message.envelope = null;
        }
    }

    /** The store's lock is held, so nobody else changes it. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void addMemory(long bytes) {
        memoryBytes += bytes;
    }

    private static long memoryBytes(LogMessage message) {
        long places = message.places == null ? 0 : PLACE_BYTES * message.places.length;
        return MESSAGE_BYTES + places + message.state.reason().length();
    }

    /** {@return about how much memory an envelope needs; no less than its octets in a record} */
    static long memoryBytes(Envelope envelope) {
        long bytes = MESSAGE_BYTES
                + envelope.reversePath().length()
                + envelope.peer().length();
        List<String> paths = envelope.forwardPaths();
        for (int i = 0; i < paths.size(); i++) {
            bytes += paths.get(i).length() + PLACE_BYTES;
        }
        return bytes;
    }

    private void need(LogPosition place) {
        needed.merge(place.generation(), 1L, Long::sum);
        recordBytes += place.recordBytes();
    }

    private void release(@Nullable LogPosition place) {
        if (place != null) {
            needed.computeIfPresent(
                    place.generation(), (generation, count) -> count == 1 ? null : count - 1);
            recordBytes -= place.recordBytes();
        }
    }
}
