package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.reuse.ReuseSampler;
import org.jspecify.annotations.Nullable;
import org.rocksdb.LiveFileMetaData;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The tables of one column family as they were at one moment, in the order in which RocksDB looks for a key:
 * those of level 0 that may have it, the newest first, and one of each level below. Immutable; any thread.
 */
final class TableMap {
    /**
     * Number of files up to which, all of them in level 0, RocksDB asks each without comparing its
     * first and last key.
     */
    private static final int UNCHECKED_MAX = 3;

    private final List<Table> newestFirst;
    private final List<List<Table>> below;
    private final boolean checksRange;

    /**
     * A table.
     *
     * @param number of its file, which is never given to another
     * @param isNew whether it was written since the profile began
     */
    record Table(long number, boolean isNew, TableIndex index, Range range) {
        boolean mayHave(long key) {
            return range.first() <= key && key <= range.last();
        }
    }

    /**
     * What RocksDB says of a table.
     *
     * @param first key, packed
     * @param last key, packed
     * @param newest sequence number in it
     */
    record Range(int level, long first, long last, long newest) {
        static Range of(LiveFileMetaData file) {
            return new Range(
                    file.level(),
                    MailboxKey.packed(file.smallestKey()),
                    MailboxKey.packed(file.largestKey()),
                    file.largestSeqno());
        }
    }

    TableMap(List<Table> tables) {
        Map<Integer, List<Table>> levels = new TreeMap<>();
        for (Table table : tables) {
            levels.computeIfAbsent(table.range().level(), unused -> new ArrayList<>())
                    .add(table);
        }
        List<Table> zero = levels.remove(0);
        newestFirst = zero == null
                ? List.of()
                : zero.stream()
                        .sorted(Comparator.comparingLong(
                                (Table table) -> -table.range().newest()))
                        .toList();
        below = levels.values().stream()
                .map(level -> level.stream()
                        .sorted(Comparator.comparingLong(
                                (Table table) -> table.range().first()))
                        .toList())
                .toList();
        checksRange = !below.isEmpty() || newestFirst.size() > UNCHECKED_MAX;
    }

    /**
     * {@return the table in which RocksDB has found a key, or null where that can't be said}
     *
     * @param passed tables that it asked before in vain
     */
    @Nullable
    Table tableOf(long key, int passed) {
        int left = passed;
        for (Table table : newestFirst) {
            if (!checksRange || table.mayHave(key)) {
                if (left == 0) {
                    return table;
                }
                left--;
            }
        }
        for (List<Table> level : below) {
            Table table = within(level, key);
            if (table != null) {
                if (left == 0) {
                    return table;
                }
                left--;
            }
        }
        return null;
    }

    private static @Nullable Table within(List<Table> level, long key) {
        int low = 0;
        int high = level.size() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (level.get(middle).range().last() < key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Table table = level.isEmpty() ? null : level.get(low);
        return table != null && table.mayHave(key) ? table : null;
    }

    /**
     * Tells a sampler of the block that a key was found in. Returns false when it isn't known.
     *
     * @param database its number, since files of several have the same numbers
     */
    boolean read(ReuseSampler sampler, int database, long key, int passed) {
        Table table = tableOf(key, passed);
        int block = table == null ? -1 : table.index().block(key);
        if (table == null || block < 0) {
            return false;
        }
        long id = ((long) database << 56) ^ (table.number() << 24) ^ block;
        sampler.read(id, table.index().bytes(block), table.isNew());
        return true;
    }
}
