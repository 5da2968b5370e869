package org.hubmark.bench.qualify.pages;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.ArrayList;
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
    /** Where the last operation begins in it. */
    private int last;

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
        make(number);
        begin(INIT, number, 1).put(type);
        apply();
    }

    private void make(long number) {
        if (!pinned.containsKey(number)) {
            pinned.put(number, store.blank(number, blanks));
            made.add(number);
        }
    }

    void insert(long number, int slot, long key, byte[] value) throws Missing {
        begin(INSERT, number, Short.BYTES + Long.BYTES + value.length)
                .putShort((short) slot)
                .putLong(key)
                .put(value);
        apply();
    }

    void delete(long number, int slot) throws Missing {
        begin(DELETE, number, Short.BYTES).putShort((short) slot);
        apply();
    }

    void cut(long number, int slot) throws Missing {
        begin(CUT, number, Short.BYTES).putShort((short) slot);
        apply();
    }

    void set(long number, int offset, long value) throws Missing {
        begin(SET, number, Short.BYTES + Long.BYTES).putShort((short) offset).putLong(value);
        apply();
    }

    /** {@return where the arguments of an operation go, which have so many octets} */
    private ByteBuffer begin(byte code, long number, int bytes) {
        int needed = 1 + Long.BYTES + Short.BYTES + bytes;
        if (record.remaining() < needed) {
            record = ByteBuffer.allocate(2 * (record.position() + needed)).put(record.flip());
        }
        last = record.position();
        return record.put(code).putLong(number).putShort((short) bytes);
    }

    /** Does the last operation of the record. */
    private void apply() throws Missing {
        Operation operation = Operation.next(record.slice(last, record.position() - last));
        Frame frame = frame(operation.number);
        changed.putIfAbsent(operation.number, frame);
        operation.apply(frame.buffer);
    }

    /** What is done to one page. */
    private record Operation(byte code, long number, ByteBuffer arguments) {
        /** {@return the one that begins at the position of a record, which is behind it then} */
        private static Operation next(ByteBuffer from) {
            byte code = from.get();
            long number = from.getLong();
            int length = Short.toUnsignedInt(from.getShort());
            ByteBuffer arguments = from.slice(from.position(), length);
            from.position(from.position() + length);
            return new Operation(code, number, arguments);
        }

        private void apply(ByteBuffer page) {
            switch (code) {
                case INIT -> Page.init(page, number, arguments.get());
                case INSERT -> Page.insert(page, slot(), arguments.getLong(), arguments);
                case DELETE -> Page.delete(page, slot());
                case CUT -> Page.cut(page, slot());
                case SET -> page.putLong(slot(), arguments.getLong());
                default -> throw new IllegalStateException("no such operation: " + code);
            }
        }

        private int slot() {
            return Short.toUnsignedInt(arguments.getShort());
        }
    }

    /** Does again what a record says, in pages that don't have it yet. */
    void redo(ByteBuffer entry, long endLsn) throws Missing {
        List<Operation> operations = new ArrayList<>();
        Set<Long> needed = new LinkedHashSet<>();
        Set<Long> making = new HashSet<>();
        while (entry.hasRemaining()) {
            Operation operation = Operation.next(entry);
            operations.add(operation);
            if (operation.code == INIT) {
                making.add(operation.number);
            } else if (!making.contains(operation.number)) {
                needed.add(operation.number);
            }
        }
        requirePlaces(making.size());
        require(needed);
        Map<Long, Boolean> isNew = new HashMap<>();
        for (Operation operation : operations) {
            if (operation.code == INIT) {
                make(operation.number);
                isNew.put(operation.number, true);
            }
            Frame frame = frame(operation.number);
            if (isNew.computeIfAbsent(
                    operation.number, number -> Page.lsn(frame.buffer) < endLsn)) {
                operation.apply(frame.buffer);
                changed.put(operation.number, frame);
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
