package org.hubmark.queue.table;

import org.hubmark.core.Envelope;
import org.hubmark.queue.log.LogPosition;
import org.hubmark.queue.log.RecordHeader;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;

/**
 * Finds what the intake log holds: messages by id, extents of unfinished messages, and how much of
 * each segment is still needed. Guarded by the store's lock; what isn't in the log isn't here, so
 * its size is bounded by the log's.
 */
public final class LogIndex {
    /** Envelopes kept, so many and so large together: what is delivered at once is not read back. */
    private static final int RECENT_MESSAGES_MAX = 4096;

    private static final long RECENT_BYTES_MAX = 4 << 20;

    /**
     * Memory for a message without its envelope: it, its place, state and id here and in the schedule,
     * as measured with compressed references, and what is free in the tables for growth.
     */
    public static final long MESSAGE_BYTES = 400;

    private static final long PLACE_BYTES = 40;

    private final Map<Long, LogMessage> messages = new HashMap<>();
    /** The dead letters among them. */
    private final TreeMap<Long, LogMessage> dead = new TreeMap<>();

    private final Map<Long, Unfinished> unfinished = new HashMap<>();

    /** Needed records by the generation they lie in. */
    private final Map<Long, Long> needed = new HashMap<>();

    /** Those with an envelope, and some that have left, the oldest first. */
    private final Queue<LogMessage> recent = new ArrayDeque<>();

    private long recentBytes;
    private volatile long memoryBytes;
    private Totals totals = Totals.EMPTY;
    private long recordBytes;

    /** The extents of a message whose end hasn't come. */
    private static final class Unfinished {
        private final List<@Nullable LogPosition> places = new ArrayList<>();
        private boolean hasExtentsInDatabase;
    }

    /** {@return a message in the log, or null} */
    public @Nullable LogMessage find(long id) {
        return messages.get(id);
    }

    /** {@return those in the log} */
    public Collection<LogMessage> messages() {
        return messages.values();
    }

    Totals totals() {
        return totals;
    }

    /** {@return the bytes of all needed records} */
    public long recordBytes() {
        return recordBytes;
    }

    /** {@return about how much memory the messages here need} Any thread. */
    public long memoryBytes() {
        return memoryBytes;
    }

    /** {@return the dead letters by their ids} */
    public NavigableMap<Long, LogMessage> dead() {
        return dead;
    }

    /** {@return the messages whose rows lie in a generation} Searches all of them. */
    public List<LogMessage> messagesIn(long generation) {
        return messages.values().stream()
                .filter(message -> message.home.generation == generation)
                .toList();
    }

    /** {@return the extents without a row that lie in a generation} Searches all of them. */
    public List<Entry.ExtentStored> extentsIn(long generation) {
        List<Entry.ExtentStored> found = new ArrayList<>();
        unfinished.forEach((id, begun) -> {
            for (int extent = 0; extent < begun.places.size(); extent++) {
                addExtent(found, generation, id, extent, begun.places.get(extent));
            }
        });
        for (LogMessage message : messages.values()) {
            for (int extent = 0; extent < message.extentCount; extent++) {
                LogPosition place = message.place(extent);
                if (!message.home.equals(place)) {
                    addExtent(found, generation, message.id, extent, place);
                }
            }
        }
        return found;
    }

    private static void addExtent(
            List<Entry.ExtentStored> found,
            long generation,
            long id,
            int extent,
            @Nullable LogPosition place) {
        if (place != null && place.generation == generation) {
            found.add(new Entry.ExtentStored(id, extent, place));
        }
    }

    /** {@return whether nothing in a generation is needed} */
    public boolean isDead(long generation) {
        return !needed.containsKey(generation);
    }

    /** Remembers an extent of an unfinished message. */
    void addExtent(long id, LogPosition place) {
        unfinished.computeIfAbsent(id, key -> new Unfinished()).places.add(place);
        need(place);
    }

    /** Remembers that the queue database holds first extents of a message that isn't here yet. */
    void unfinishedBefore(long id) {
        unfinished.computeIfAbsent(id, key -> new Unfinished()).hasExtentsInDatabase = true;
    }

    /** {@return whether extents of an unfinished message are remembered} */
    boolean isUnfinished(long id) {
        return unfinished.containsKey(id);
    }

    /** Forgets an unfinished message; true when the queue database holds extents of it. */
    boolean abandon(long id) {
        Unfinished begun = unfinished.remove(id);
        if (begun == null) {
            return false;
        }
        begun.places.forEach(this::release);
        return begun.hasExtentsInDatabase;
    }

    /** {@return the ids of unfinished messages} */
    List<Long> unfinished() {
        return List.copyOf(unfinished.keySet());
    }

    /** {@return how many first extents of a message lie before what is known of the log} */
    int extentsBefore(long id, MessageRow row, LogPosition home, int headBytes) {
        int extentsApart = row.extents().size() - (holdsExtent(home, headBytes) ? 1 : 0);
        if (extentsApart == 0) {
            return 0;
        }
        Unfinished begun = unfinished.get(id);
        return extentsApart - (begun == null ? 0 : begun.places.size());
    }

    /** The record that enqueues a message has content only when something was in memory. */
    private static boolean holdsExtent(LogPosition home, int headBytes) {
        return home.recordBytes > RecordHeader.BYTES + headBytes;
    }

    /** Enters a message, with the extents remembered for it. */
    public LogMessage add(long id, MessageRow row, LogPosition home, int headBytes) {
        Unfinished begun = unfinished.remove(id);
        int extentCount = row.extents().size();
        @Nullable LogPosition @Nullable [] places = null;
        boolean homeHolds = holdsExtent(home, headBytes);
        if (extentCount > 1 || begun != null) {
            places = new LogPosition[extentCount];
            int inLog = begun == null ? 0 : begun.places.size();
            int last = homeHolds ? extentCount - 1 : extentCount;
            // Extents that were moved before this part of the log are the first ones.
            for (int i = 0; i < inLog && i < last; i++) {
                places[last - 1 - i] = begun == null ? null : begun.places.get(inLog - 1 - i);
            }
            if (homeHolds) {
                places[last] = home;
            }
        }
        boolean inDatabase = begun != null && begun.hasExtentsInDatabase;
        LogMessage message = new LogMessage(id, row, home, headBytes, places, inDatabase);
        need(home);
        put(message);
        return message;
    }

    /** Takes a message out: it has left, or has been moved. */
    void remove(LogMessage message) {
        messages.remove(message.id);
        if (message.state.kind().isDead()) {
            dead.remove(message.id);
        }
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
        totals = totals.changed(message.sizeBytes, message.state, now);
        addMemory(now.memoryBytes() - message.state.memoryBytes());
        if (now.kind().isDead()) {
            dead.put(message.id, message);
        } else if (message.state.kind().isDead()) {
            dead.remove(message.id);
        }
        message.state = now;
    }

    /**
     * {@return whether an extent at a place is needed} If so it is about to be in the queue database,
     * under a mark.
     */
    boolean needsExtent(long id, int extent, LogPosition place) {
        Unfinished begun = unfinished.get(id);
        if (begun != null) {
            return begun.places.contains(place);
        }
        LogMessage message = messages.get(id);
        return message != null
                && message.places != null
                && extent < message.extentCount
                && place.equals(message.places[extent]);
    }

    /** An extent is in the queue database now; false when it isn't needed any more. */
    boolean extentMoved(long id, int extent, LogPosition place) {
        if (!needsExtent(id, extent, place)) {
            return false;
        }
        Unfinished begun = unfinished.get(id);
        if (begun != null) {
            begun.places.set(begun.places.indexOf(place), null);
            begun.hasExtentsInDatabase = true;
        } else {
            LogMessage message = Objects.requireNonNull(messages.get(id));
            Objects.requireNonNull(message.places)[extent] = null;
            message.hasExtentsInDatabase = true;
        }
        release(place);
        return true;
    }

    private void put(LogMessage message) {
        messages.put(message.id, message);
        if (message.state.kind().isDead()) {
            dead.put(message.id, message);
        }
        totals = totals.came(message.id, message.sizeBytes, message.state);
        addMemory(memoryBytes(message));
        if (message.envelope != null) {
            keepEnvelope(message, message.envelope);
        }
    }

    private void keepEnvelope(LogMessage message, Envelope envelope) {
        recentBytes += memoryBytes(envelope);
        recent.add(message);
        while (recent.size() > RECENT_MESSAGES_MAX || recentBytes > RECENT_BYTES_MAX) {
            dropEnvelope(recent.remove());
        }
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
        return MESSAGE_BYTES + places + message.state.memoryBytes();
    }

    /** {@return about how much memory an envelope needs; no less than its octets in a record} */
    public static long memoryBytes(Envelope envelope) {
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
        needed.merge(place.generation, 1L, Long::sum);
        recordBytes += place.recordBytes;
    }

    private void release(@Nullable LogPosition place) {
        if (place != null) {
            needed.computeIfPresent(
                    place.generation, (generation, count) -> count == 1 ? null : count - 1);
            recordBytes -= place.recordBytes;
        }
    }
}
