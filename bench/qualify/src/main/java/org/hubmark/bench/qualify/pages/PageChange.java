package org.hubmark.bench.qualify.pages;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One transaction while it has its store: the pages that it has pinned, and what it changes in them,
 * which is one record of the log. What is done and what is done again after a crash is the same code. A
 * page that is missing is found before the first change.
 */
final class PageChange {
    private static final byte INIT = 1;
    private static final byte INSERT = 2;
    private static final byte DELETE = 3;
    private static final byte CUT = 4;
    private static final byte SET = 5;

    private static final int START_BYTES = 4 << 10;

    private final PageStore store;
    private final Map<Long, Frame> pinned = new HashMap<>();
    private final Map<Long, Frame> changed = new LinkedHashMap<>();
    private final Set<Long> made = new HashSet<>();
    private final Deque<Frame> blanks;
    private ByteBuffer record = ByteBuffer.allocate(START_BYTES);

    /**
     * Begins.
     *
     * @param blanks places for new pages, from which it takes what it needs
     */
    PageChange(PageStore store, Deque<Frame> blanks) {
        this.store = store;
        this.blanks = blanks;
    }

    /** {@return a page} */
    ByteBuffer page(long number) throws Missing {
        return frame(number).buffer;
    }

    private Frame frame(long number) throws Missing {
        Frame frame = resident(number);
        if (frame != null) {
            return frame;
        }
        if (record.position() > 0) {
            throw new IllegalStateException("page " + number + " is missed too late");
        }
        throw new Missing(List.of(number), 0);
    }

    private @Nullable Frame resident(long number) {
        return pinned.computeIfAbsent(number, store::resident);
    }

    /** Sees to it that pages are there. */
    void require(Collection<Long> numbers) throws Missing {
        List<Long> missing =
                numbers.stream().filter(number -> resident(number) == null).toList();
        if (!missing.isEmpty()) {
            throw new Missing(missing, 0);
        }
    }

    /** Sees to it that there are places for so many new pages. */
    void requirePlaces(int pages) throws Missing {
        if (blanks.size() < pages) {
            throw new Missing(List.of(), pages - blanks.size());
        }
    }

    /** Makes a page empty, whatever stood there. */
    void init(long number, byte type) throws Missing {
        require(number);
        int at = begin(INIT, number, 1);
        record.put(type);
        apply(number, at);
    }

    private void require(long number) {
        if (!pinned.containsKey(number)) {
            pinned.put(number, store.blank(number, blanks));
            made.add(number);
        }
    }

    void insert(long number, int slot, long key, int part, byte[] value) throws Missing {
        int at = begin(INSERT, number, 2 * Short.BYTES + Long.BYTES + Short.BYTES + value.length);
        record.putShort((short) slot).putLong(key).putShort((short) part);
        record.putShort((short) value.length).put(value);
        apply(number, at);
    }

    void delete(long number, int slot) throws Missing {
        int at = begin(DELETE, number, Short.BYTES);
        record.putShort((short) slot);
        apply(number, at);
    }

    void cut(long number, int slot) throws Missing {
        int at = begin(CUT, number, Short.BYTES);
        record.putShort((short) slot);
        apply(number, at);
    }

    void set(long number, int offset, long value) throws Missing {
        int at = begin(SET, number, Short.BYTES + Long.BYTES);
        record.putShort((short) offset).putLong(value);
        apply(number, at);
    }

    private int begin(byte operation, long number, int more) {
        int needed = 1 + Long.BYTES + more;
        if (record.remaining() < needed) {
            record = ByteBuffer.allocate(2 * (record.position() + needed)).put(record.flip());
        }
        int at = record.position();
        record.put(operation).putLong(number);
        return at;
    }

    private void apply(long number, int at) throws Missing {
        Frame frame = frame(number);
        changed.putIfAbsent(number, frame);
        ByteBuffer operation = record.slice(at, record.position() - at);
        byte code = operation.get();
        var unused = operation.getLong();
        apply(frame.buffer, number, code, operation);
    }

    private static void apply(ByteBuffer page, long number, byte code, ByteBuffer from) {
        switch (code) {
            case INIT -> Page.init(page, number, from.get());
            case INSERT -> {
                int slot = Short.toUnsignedInt(from.getShort());
                long key = from.getLong();
                int part = Short.toUnsignedInt(from.getShort());
                int length = Short.toUnsignedInt(from.getShort());
                Page.insert(page, slot, key, part, from.slice(from.position(), length));
                from.position(from.position() + length);
            }
            case DELETE -> Page.delete(page, Short.toUnsignedInt(from.getShort()));
            case CUT -> Page.cut(page, Short.toUnsignedInt(from.getShort()));
            case SET -> page.putLong(Short.toUnsignedInt(from.getShort()), from.getLong());
            default -> throw new IllegalStateException("no such operation: " + code);
        }
    }

    private static void skip(byte code, ByteBuffer from) {
        int length = switch (code) {
            case INIT -> 1;
            case INSERT -> {
                int value = 2 * Short.BYTES + Long.BYTES;
                yield value
                        + Short.BYTES
                        + Short.toUnsignedInt(from.getShort(from.position() + value));
            }
            case DELETE, CUT -> Short.BYTES;
            case SET -> Short.BYTES + Long.BYTES;
            default -> throw new IllegalStateException("no such operation: " + code);
        };
        from.position(from.position() + length);
    }

    /** Does again what a record says, in pages that don't have it yet. */
    void redo(ByteBuffer entry, long endLsn) throws Missing {
        Set<Long> needed = new LinkedHashSet<>();
        Set<Long> making = new HashSet<>();
        int places = 0;
        for (ByteBuffer left = entry.duplicate(); left.hasRemaining(); ) {
            byte code = left.get();
            long number = left.getLong();
            if (code == INIT) {
                places++;
                making.add(number);
            } else if (!making.contains(number)) {
                needed.add(number);
            }
            skip(code, left);
        }
        requirePlaces(places);
        require(needed);
        Map<Long, Boolean> isNew = new HashMap<>();
        while (entry.hasRemaining()) {
            byte code = entry.get();
            long number = entry.getLong();
            if (code == INIT) {
                require(number);
                isNew.put(number, Boolean.TRUE);
            }
            Frame frame = frame(number);
            if (isNew.computeIfAbsent(number, unused -> Page.lsn(frame.buffer) < endLsn)) {
                apply(frame.buffer, number, code, entry);
                changed.put(number, frame);
            } else {
                skip(code, entry);
            }
        }
    }

    /** {@return what is to stand in the log; empty when nothing was changed} */
    ByteBuffer record() {
        return record.flip();
    }

    Map<Long, Frame> changed() {
        return Collections.unmodifiableMap(changed);
    }

    Map<Long, Frame> pinned() {
        return Collections.unmodifiableMap(pinned);
    }

    /** {@return whether a page was made by it} */
    boolean hasMade(long page) {
        return made.contains(page);
    }
}
