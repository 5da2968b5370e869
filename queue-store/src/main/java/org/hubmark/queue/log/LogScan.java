package org.hubmark.queue.log;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Reads the log from its oldest needed segment to its end and hands each record to a visitor. One
 * thread.
 *
 * <p>The first group that isn't sound is either a torn tail, which an interrupted write leaves, or
 * damage to something that was durable. What tells them apart is that every group and every segment
 * header says up to which sequence all was synced when it was written: when anything that comes
 * later says so of the sequence that is missing here, it was damage, and the scan never goes on as
 * if it had not been there: {@link LogDamage} hears of it. A page that can't be read is damage too,
 * whatever follows.
 */
public final class LogScan {
    private static final int WINDOW_BYTES = 4 << 20;

    private final Volume volume;
    private final UUID storeId;
    private final LogRecord.Visitor visitor;
    private final LogDamage damage;
    private final GroupEnd groupEnd;
    private ByteBuffer window = Pages.allocate(WINDOW_BYTES);

    /** A front that bodies follow, and one record put together of both. */
    private ByteBuffer front = ByteBuffer.allocateDirect(0);

    private ByteBuffer joined = ByteBuffer.allocateDirect(0);
    private @Nullable Segment windowSegment;
    private long windowOffset;

    /** Pages of the window's segment that can't be read. */
    private final TreeSet<Long> unreadable = new TreeSet<>();

    private long nextSequence;

    /** What lies further on says that all up to here was synced, and where it says so. */
    private long syncedThrough;

    private String syncedWhere = "";

    /** Whether a page can't be read where the scan stopped. */
    private boolean stoppedUnreadable;

    /** The record that is visited even if its content is damaged. */
    private long damagedSequence = -1;

    private long highestId = -1;
    private long recordCount;
    private final Deque<Range> unproven = new ArrayDeque<>();

    /**
     * End of the log.
     *
     * @param links how many segments of the chain are the log; what follows them was never synced
     *     and is given up
     * @param lastSequence of the last sound record, or of the last before the log
     * @param highestId the highest message id seen, or -1
     * @param records visited
     * @param unproven groups that nothing later says were synced, in order
     */
    public record End(
            int links, long lastSequence, long highestId, long records, List<Range> unproven) {}

    /** A group as it lies in a segment, padding included. */
    record Range(Segment segment, long offset, int bytes, long lastSequence) {
        boolean isAt(Segment other, long otherOffset) {
            return segment == other && offset == otherOffset;
        }
    }

    /** A scan that goes on where it may. */
    public LogScan(Volume volume, UUID storeId, LogRecord.Visitor visitor, LogDamage damage) {
        this(volume, storeId, visitor, damage, (segment, unproven) -> {});
    }

    /** The same, which says where a group ends. */
    LogScan(
            Volume volume,
            UUID storeId,
            LogRecord.Visitor visitor,
            LogDamage damage,
            GroupEnd groupEnd) {
        this.volume = volume;
        this.storeId = storeId;
        this.visitor = visitor;
        this.damage = damage;
        this.groupEnd = groupEnd;
    }

    /** Hears that all records of a group were visited. */
    interface GroupEnd {
        /**
         * A group of a segment has ended.
         *
         * @param unproven groups that nothing so far says were synced, in order; whoever syncs them
         *     removes them
         */
        void reached(Segment segment, Deque<Range> unproven) throws IOException;
    }

    /**
     * Reads it all.
     *
     * @param chain the log, oldest first
     * @throws LogException if something that was durable is damaged, so that it isn't known what it
     *     said; the message says where
     */
    public End run(List<SegmentFiles.Link> chain) throws IOException {
        if (chain.isEmpty()) {
            return new End(0, 0, -1, 0, List.of());
        }
        nextSequence = chain.getFirst().header().firstSequence();
        for (int i = 0; i < chain.size(); i++) {
            boolean last = i == chain.size() - 1;
            long endSequence = last ? Long.MAX_VALUE : chain.get(i + 1).header().firstSequence();
            SegmentHeader header = chain.get(i).header();
            prove(header.syncedThrough());
            highestId = Math.max(highestId, header.highestId());
            Segment segment = chain.get(i).segment();
            long stop = scan(segment, header.generation(), LogFormat.PAGE_BYTES, endSequence);
            while (nextSequence != endSequence && isDamage(chain, i, stop)) {
                stop = goOn(segment, header.generation(), stop, endSequence);
            }
            if (nextSequence != endSequence) {
                return new End(
                        i + 1, nextSequence - 1, highestId, recordCount, List.copyOf(unproven));
            }
        }
        throw new IllegalStateException("the last segment has no end sequence");
    }

    /**
     * Visits the records of one live segment that is not being written.
     *
     * @param endSequence the first of the next segment
     * @throws LogException if it is damaged
     */
    public void runOne(Segment segment, long endSequence) throws IOException {
        nextSequence = segment.firstSequence();
        windowSegment = null;
        unreadable.clear();
        long stop = scan(segment, segment.generation(), LogFormat.PAGE_BYTES, endSequence);
        if (nextSequence != endSequence) {
            throw new LogException(volume.describe(segment.name) + ", offset " + stop
                    + ": the group with sequence " + nextSequence
                    + " is damaged, and it was sound when it was written; the medium can no longer"
                    + " be trusted");
        }
    }

    /**
     * Visits the records of one segment until the end sequence or the first one that isn't sound.
     *
     * @param from the offset of the group that has the next record
     * @return the offset of the group where it stopped
     */
    private long scan(Segment segment, long generation, long from, long endSequence)
            throws IOException {
        long offset = from;
        while (nextSequence < endSequence && offset < segment.bytes()) {
            int index = load(segment, offset, GroupHeader.BYTES);
            GroupHeader group = GroupHeader.decode(window, index, storeId, generation);
            if (group == null
                    || group.firstSequence() > nextSequence
                    || group.firstSequence() + group.recordCount() <= nextSequence
                    || !isPossible(group, segment, offset)) {
                return offset;
            }
            prove(group.syncedThrough());
            boolean sound = readRecords(segment, offset, group, record -> {
                if (record.sequence() < nextSequence && group.firstSequence() < nextSequence) {
                    // Visited before the scan stopped in this group.
                    return true;
                }
                if (record.sequence() != nextSequence || nextSequence >= endSequence) {
                    return nextSequence >= endSequence;
                }
                visitor.visit(record);
                recordCount++;
                nextSequence++;
                highestId = Math.max(highestId, record.id());
                return true;
            });
            int bytes = (int) group.groupBytes();
            if (!unproven.isEmpty() && unproven.getLast().isAt(segment, offset)) {
                unproven.removeLast();
            }
            unproven.add(new Range(segment, offset, bytes, nextSequence - 1));
            if (!sound) {
                return offset;
            }
            groupEnd.reached(segment, unproven);
            offset += bytes;
        }
        return offset;
    }

    private static boolean isPossible(GroupHeader group, Segment segment, long offset) {
        long bytes = group.groupBytes();
        return bytes >= 0 && bytes <= segment.bytes() - offset && group.recordCount() >= 1;
    }

    /** Gets a record that is sound; says whether to go on. */
    private interface RecordTaker {
        boolean take(LogRecord record) throws IOException;
    }

    /** Reads the records of a group up to the first that isn't sound; false if there is one. */
    private boolean readRecords(
            Segment segment, long groupOffset, GroupHeader group, RecordTaker taker)
            throws IOException {
        ByteBuffer records = loadFront(segment, groupOffset, group);
        int at = GroupHeader.BYTES;
        long bodyOffset = groupOffset + LogFormat.paddedBytes(group.frontBytes());
        long groupEnd = groupOffset + group.groupBytes();
        for (int i = 0; i < group.recordCount(); i++) {
            int frontLeft = group.frontBytes() - at;
            if (frontLeft < RecordHeader.BYTES) {
                return false;
            }
            int payloadBytes = RecordHeader.payloadBytes(records, at);
            int bodyBytes = RecordHeader.bodyBytes(records, at);
            if (bodyBytes < 0
                    || bodyBytes > groupEnd - bodyOffset
                    || payloadBytes < bodyBytes
                    || payloadBytes - bodyBytes > frontLeft - RecordHeader.BYTES) {
                return false;
            }
            LogPosition position = new LogPosition(
                    group.generation(),
                    (int) groupOffset + at,
                    RecordHeader.BYTES + payloadBytes,
                    bodyBytes,
                    (int) bodyOffset);
            LogRecord record = bodyBytes == 0
                    ? LogReader.decode(records, at, position)
                    : join(segment, records, at, position);
            if (record == null && RecordHeader.sequence(records, at) == damagedSequence) {
                record = damaged(segment, records, at, position);
            }
            if (record == null || !taker.take(record)) {
                return false;
            }
            at += position.frontBytes();
            bodyOffset += bodyBytes;
        }
        return true;
    }

    /** {@return the front of a group at index 0} In a buffer of its own if bodies are to be read. */
    private ByteBuffer loadFront(Segment segment, long groupOffset, GroupHeader group)
            throws IOException {
        int index = load(segment, groupOffset, group.frontBytes());
        ByteBuffer loaded = window.slice(index, group.frontBytes());
        if (group.bodyBytes() == 0) {
            return loaded;
        }
        front = withCapacity(front, group.frontBytes());
        front.clear().put(loaded);
        return front;
    }

    /** {@return a record with a body, or null when it is not sound} */
    private @Nullable LogRecord join(
            Segment segment, ByteBuffer records, int at, LogPosition position) throws IOException {
        int headBytes = RecordHeader.headBytes(records, at);
        if (headBytes < 0 || headBytes > position.frontBytes() - RecordHeader.BYTES) {
            return null;
        }
        int beforeContent = RecordHeader.BYTES + headBytes;
        int index = load(segment, position.bodyOffset, position.bodyBytes);
        joined = withCapacity(joined, position.recordBytes);
        joined.clear()
                .put(records.slice(at, beforeContent))
                .put(window.slice(index, position.bodyBytes))
                .put(records.slice(at + beforeContent, position.frontBytes() - beforeContent));
        return LogReader.decode(joined, 0, position);
    }

    /** {@return a record without its content, which is damaged; null when its head is too} */
    private @Nullable LogRecord damaged(
            Segment segment, ByteBuffer records, int at, LogPosition position) {
        LogRecord head = LogReader.decodeHead(records.slice(at, position.frontBytes()), position);
        if (head != null) {
            damage.content(place(segment, position.offset) + ": the content of a record of message "
                    + damage.messageName(head.id())
                    + (stoppedUnreadable ? " can't be read" : " is damaged")
                    + "; the message stays in the queue and is set aside when it is due."
                    + " Replace the medium");
        }
        return head;
    }

    private static ByteBuffer withCapacity(ByteBuffer buffer, int bytes) {
        return buffer.capacity() >= bytes
                ? buffer
                : ByteBuffer.allocateDirect((int) LogFormat.paddedBytes(bytes));
    }

    private void prove(long syncedThrough) {
        while (!unproven.isEmpty() && unproven.getFirst().lastSequence() <= syncedThrough) {
            unproven.removeFirst();
        }
    }

    /**
     * {@return whether what was synced is damaged where the scan stopped} If not, the log ends there.
     *
     * @param stop the offset of the group that isn't sound
     */
    private boolean isDamage(List<SegmentFiles.Link> chain, int index, long stop)
            throws IOException {
        stoppedUnreadable = isUnreadable(chain.get(index), stop);
        if (syncedThrough < nextSequence) {
            lookBehind(chain, index, stop);
        }
        if (stoppedUnreadable || syncedThrough < nextSequence) {
            return stoppedUnreadable;
        }
        // Another process may be writing while we read: then the group is sound by now.
        windowSegment = null;
        return stop >= chain.get(index).segment().bytes() || !isSound(chain.get(index), stop);
    }

    /** {@return whether a page of the group there can't be read} */
    private boolean isUnreadable(SegmentFiles.Link link, long groupOffset) throws IOException {
        Segment segment = link.segment();
        if (groupOffset >= segment.bytes()) {
            return false;
        }
        int index = load(segment, groupOffset, GroupHeader.BYTES);
        GroupHeader group =
                GroupHeader.decode(window, index, storeId, link.header().generation());
        long bytes = group != null && isPossible(group, segment, groupOffset)
                ? group.groupBytes()
                : LogFormat.PAGE_BYTES;
        return !unreadable.subSet(groupOffset, groupOffset + bytes).isEmpty();
    }

    /** Looks at everything behind a place for what says up to where all was synced. */
    private void lookBehind(List<SegmentFiles.Link> chain, int index, long from)
            throws IOException {
        for (int i = index; i < chain.size(); i++) {
            SegmentFiles.Link link = chain.get(i);
            Segment segment = link.segment();
            if (i > index) {
                witness(link.header().syncedThrough(), segment, 0);
            }
            long offset = i == index ? from : LogFormat.PAGE_BYTES;
            for (; offset < segment.bytes(); offset += LogFormat.PAGE_BYTES) {
                int at = load(segment, offset, GroupHeader.BYTES);
                GroupHeader group =
                        GroupHeader.decode(window, at, storeId, link.header().generation());
                if (group != null) {
                    witness(group.syncedThrough(), segment, offset);
                }
            }
        }
    }

    private void witness(long synced, Segment segment, long offset) {
        if (synced > syncedThrough) {
            syncedThrough = synced;
            syncedWhere = segment.name + ", offset " + offset;
        }
    }

    /**
     * Goes on behind what is damaged: in the same group if it is only a content, else in the next one
     * that is there.
     *
     * @return the offset of the group where the scan stopped again
     */
    private long goOn(Segment segment, long generation, long stop, long endSequence)
            throws IOException {
        long first = nextSequence;
        damagedSequence = first;
        long offset = scan(segment, generation, stop, endSequence);
        damagedSequence = -1;
        if (nextSequence > first) {
            return offset;
        }
        for (offset += LogFormat.PAGE_BYTES;
                offset < segment.bytes();
                offset += LogFormat.PAGE_BYTES) {
            int index = load(segment, offset, GroupHeader.BYTES);
            GroupHeader group = GroupHeader.decode(window, index, storeId, generation);
            if (group != null && group.firstSequence() > first) {
                lose(segment, stop, group.firstSequence());
                return scan(segment, generation, offset, endSequence);
            }
        }
        lose(
                segment,
                stop,
                endSequence == Long.MAX_VALUE ? Math.max(first, syncedThrough) + 1 : endSequence);
        return segment.bytes();
    }

    private void lose(Segment segment, long offset, long next) throws LogException {
        String what = place(segment, offset) + ": the group with sequence " + nextSequence
                + (stoppedUnreadable ? " can't be read" : " is damaged");
        damage.records(
                what + "; the records from " + nextSequence + " to " + (next - 1)
                        + " are lost, with the mail that they held. Replace the medium",
                new LogException(what
                        + (syncedWhere.isEmpty()
                                ? ""
                                : ", and it had been synced (says " + syncedWhere + ")")
                        + ". No mail was given up. Restore this file from a copy, or give up the"
                        + " mail of the damaged part and start with store.accept-damage=true; the"
                        + " medium can no longer be trusted"));
        nextSequence = next;
    }

    private String place(Segment segment, long offset) {
        return volume.describe(segment.name) + ", offset " + offset;
    }

    private boolean isSound(SegmentFiles.Link link, long groupOffset) throws IOException {
        Segment segment = link.segment();
        int index = load(segment, groupOffset, GroupHeader.BYTES);
        long generation = link.header().generation();
        GroupHeader group = GroupHeader.decode(window, index, storeId, generation);
        return group != null
                && isPossible(group, segment, groupOffset)
                && readRecords(segment, groupOffset, group, record -> true);
    }

    /** {@return the index in the window of bytes of a segment, read if they aren't there} */
    private int load(Segment segment, long offset, int bytes) throws IOException {
        if (windowSegment == segment
                && offset >= windowOffset
                && offset + bytes <= windowOffset + window.limit()) {
            return (int) (offset - windowOffset);
        }
        if (window.capacity() < bytes) {
            window = Pages.allocate(Math.toIntExact(LogFormat.paddedBytes(bytes)));
        }
        window.clear();
        if (windowSegment != segment) {
            unreadable.clear();
        }
        unreadable.addAll(ReadErrors.read(segment.file, offset, window));
        window.flip();
        windowSegment = segment;
        windowOffset = offset;
        if (window.limit() < bytes) {
            throw new LogException(volume.describe(segment.name) + ", offset " + offset
                    + ": the file ended while it was being read");
        }
        return 0;
    }
}
