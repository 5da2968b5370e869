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
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tells a sampler of each block that transactions on one database read, whether the cache had it or not.
 * RocksDB does not say which block that was, but how many tables it asked in vain before it found the key;
 * which table it asked next, and which block of it has the key, follows from the tables that there are. So a
 * read after these have changed waits until they have been looked at again. What their filters let pass by
 * mistake, one in a hundred, is not told. {@link #found} by any thread, the rest by one.
 */
final class BlockReads {
    /** Of so many reads one is timed. */
    private static final int TIMED = 64;

    /** What takes longer is a thread that had to wait for a core. */
    private static final long TIMED_NANOS_MAX = 20_000;

    /** What the busiest databases read in some tenths of a second, in a few megabytes. */
    private static final int WAITING_MAX = 65_536;

    private final int number;
    private final MailboxDatabase database;
    private final ReuseSampler sampler;
    private final LongAdder cached = new LongAdder();
    private final LongAdder stored = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder timedNanos = new LongAdder();
    private final Map<Long, TableMap.Table> tables = new HashMap<>();
    /** Those that could not be told yet: RocksDB says a little late that tables have changed. */
    private final Queue<Read> waiting = new LinkedBlockingQueue<>(WAITING_MAX);

    private volatile Maps maps = new Maps(-1, new TableMap(List.of()), new TableMap(List.of()));
    private volatile Sizes sizes = new Sizes(0, 0);
    private boolean begun;

    /** The tables as they were after so many changes. */
    private record Maps(long changes, TableMap rows, TableMap content) {}

    /** What is known of a read. */
    private record Read(boolean isRow, long key, int passed) {}

    /** Octets of all tables: of their data, and of their indexes and filters. */
    record Sizes(long data, long metadata) {
        Sizes plus(Sizes other) {
            return new Sizes(data + other.data, metadata + other.metadata);
        }
    }

    /**
     * What was counted.
     *
     * @param cached blocks of data that the cache had
     * @param stored blocks of data that came from the storage
     * @param unknown blocks of which it isn't known which they were
     * @param costNanos that it took to count, about
     */
    record Counts(long cached, long stored, long unknown, long costNanos) {
        static final Counts NONE = new Counts(0, 0, 0, 0);

        Counts plus(Counts other) {
            return new Counts(
                    cached + other.cached,
                    stored + other.stored,
                    unknown + other.unknown,
                    costNanos + other.costNanos);
        }

        Counts since(Counts earlier) {
            return new Counts(
                    cached - earlier.cached,
                    stored - earlier.stored,
                    unknown - earlier.unknown,
                    costNanos - earlier.costNanos);
        }
    }

    /**
     * Prepares.
     *
     * @param number of the database among those that share the sampler
     */
    BlockReads(int number, MailboxDatabase database, ReuseSampler sampler) throws IOException {
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
        boolean timed = ThreadLocalRandom.current().nextInt(TIMED) == 0;
        long began = timed ? System.nanoTime() : 0;
        (fromCache ? cached : stored).increment();
        Maps now = maps;
        Read read = new Read(isRow, MailboxKey.packed(key), passed);
        boolean told = now.changes() == database.operations().tableChanges() && tell(now, read);
        if (!told && !waiting.offer(read)) {
            unknown.increment();
        }
        if (timed) {
            timedNanos.add(Math.min(TIMED_NANOS_MAX, System.nanoTime() - began));
        }
    }

    private boolean tell(Maps now, Read read) {
        TableMap map = read.isRow() ? now.rows() : now.content();
        return map.read(sampler, number, read.key(), read.passed());
    }

    Counts counts() {
        return new Counts(
                cached.sum(),
                stored.sum(),
                unknown.sum() + waiting.size(),
                TIMED * timedNanos.sum());
    }

    Sizes sizes() {
        return sizes;
    }

    /** Looks which tables there are now, if that has changed, and tells of the reads that wait for that. */
    void refresh() throws IOException {
        long changes = database.operations().tableChanges();
        if (changes != maps.changes()) {
            look(changes);
        }
        Maps now = maps;
        for (Read read = waiting.poll(); read != null; read = waiting.poll()) {
            if (!tell(now, read)) {
                unknown.increment();
            }
        }
    }

    private void look(long changes) throws IOException {
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
                if (family.equals(MailboxDatabase.ROWS)) {
                    rows.add(table);
                } else if (family.equals(MailboxDatabase.CONTENT)) {
                    content.add(table);
                }
            }
        }
        tables.clear();
        tables.putAll(there);
        maps = new Maps(changes, new TableMap(rows), new TableMap(content));
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
