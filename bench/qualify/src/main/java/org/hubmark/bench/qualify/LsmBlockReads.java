package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.reuse.ReuseSampler;
import org.jspecify.annotations.Nullable;
import org.rocksdb.LiveFileMetaData;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * The blocks of the tables of an LSM.
 * RocksDB does not say which block that was, but how many tables it asked in vain before it found the key;
 * which table it asked next, and which block of it has the key, follows from the tables that there are. What
 * their filters let pass by mistake, one in a hundred, is not told. {@link #found} by any thread, the rest by
 * one.
 */
final class LsmBlockReads implements BlockReads {
    private final int number;
    private final LsmDatabase database;
    private final ReuseSampler sampler;
    private final LongAdder cached = new LongAdder();
    private final LongAdder stored = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final Cost cost = new Cost();
    private final Map<Long, TableMap.Table> tables = new HashMap<>();
    private volatile Maps maps = new Maps(new TableMap(List.of()), new TableMap(List.of()));
    private volatile Sizes sizes = new Sizes(0, 0);
    private long changesSeen = -1;
    private boolean begun;

    private record Maps(TableMap rows, TableMap content) {}

    /**
     * Prepares.
     *
     * @param number of the database among those that share the sampler
     */
    LsmBlockReads(int number, LsmDatabase database, ReuseSampler sampler) throws IOException {
        this.number = number;
        this.database = database;
        this.sampler = sampler;
        refresh();
        begun = true;
    }

    /**
     * A value was found.
     *
     * @param isRow whether it is a row, and not a content
     * @param passed tables in which it was looked for in vain
     * @param fromCache whether the block was in the cache
     */
    void found(boolean isRow, byte[] key, int passed, boolean fromCache) {
        long began = cost.begin();
        (fromCache ? cached : stored).increment();
        TableMap map = isRow ? maps.rows() : maps.content();
        if (!map.read(sampler, number, MailboxKey.packed(key), passed)) {
            unknown.increment();
        }
        cost.end(began);
    }

    @Override
    public Counts counts() {
        return new Counts(cached.sum(), stored.sum(), unknown.sum(), cost.nanos());
    }

    @Override
    public Sizes sizes() {
        return sizes;
    }

    @Override
    public void close() {
        database.profile(null);
    }

    @Override
    public void refresh() throws IOException {
        long changes = database.operations().tableChanges();
        if (changes == changesSeen) {
            return;
        }
        changesSeen = changes;
        List<TableMap.Table> rows = new ArrayList<>();
        List<TableMap.Table> content = new ArrayList<>();
        Map<Long, TableMap.Table> there = new HashMap<>();
        Sizes sum = new Sizes(0, 0);
        for (LiveFileMetaData file : database.tables()) {
            TableMap.Table table = table(file);
            if (table != null) {
                there.put(table.number(), table);
                sum = sum.plus(
                        new Sizes(table.index().dataBytes(), table.index().metadataBytes()));
                String family = new String(file.columnFamilyName(), StandardCharsets.US_ASCII);
                if (family.equals(LsmDatabase.ROWS)) {
                    rows.add(table);
                } else if (family.equals(LsmDatabase.CONTENT)) {
                    content.add(table);
                }
            }
        }
        tables.clear();
        tables.putAll(there);
        maps = new Maps(new TableMap(rows), new TableMap(content));
        sizes = sum;
    }

    /** A table may have moved to another level. Null for one that is gone meanwhile. */
    private TableMap.@Nullable Table table(LiveFileMetaData file) throws IOException {
        long its = Long.parseLong(file.fileName().replaceAll("\\D", ""));
        TableMap.Table known = tables.get(its);
        if (known != null) {
            return new TableMap.Table(its, known.isNew(), known.index(), TableMap.Range.of(file));
        }
        TableIndex index = index(Path.of(file.path(), file.fileName()));
        return index == null
                ? null
                : new TableMap.Table(its, begun, index, TableMap.Range.of(file));
    }

    private static @Nullable TableIndex index(Path file) throws IOException {
        try (ReadChannel channel = new ReadChannel(file, (nanos, bytes) -> {})) {
            return TableIndex.of(channel::part, channel.bytes());
        } catch (NoSuchFileException e) {
            return null;
        }
    }
}
