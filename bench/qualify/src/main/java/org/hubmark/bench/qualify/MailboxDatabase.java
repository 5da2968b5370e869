package org.hubmark.bench.qualify;

import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractImmutableNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Checkpoint;
import org.rocksdb.ChecksumType;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.HistogramType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Statistics;
import org.rocksdb.StatsLevel;
import org.rocksdb.Status;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One mailbox database: folders of messages, each of which has a row and a content. Its tables lie on
 * the database volume and are read and written past the page cache; its log lies on the log volume. A
 * commit that is not synced stays in memory until the next that is, as a lazy commit does in ESE.
 *
 * <p>Column families: default (how many folders there are), rows and content, both by folder and number
 * of the message. Any thread.
 */
final class MailboxDatabase implements AutoCloseable {
    /** A page of the source; a content that is longer has a block of its own. */
    static final int BLOCK_BYTES = 32 << 10;

    private static final long MIB = 1 << 20;
    private static final long MEMTABLE_BYTES_MAX = 16 * MIB;
    private static final long MEMTABLE_BYTES_MIN = MIB;
    private static final int COLUMN_FAMILIES = 2;
    private static final int FOLDERS_MIN = 8;
    private static final int FOLDERS_MAX = 4096;
    private static final int FILL_BATCH = 32;
    /** Names of column families. */
    static final String ROWS = "rows";

    static final String CONTENT = "content";
    private static final byte[] FOLDERS = "folders".getBytes(StandardCharsets.US_ASCII);

    private final List<AbstractImmutableNativeReference> owned = new ArrayList<>();
    private final Statistics statistics = own(new Statistics());
    private final ReadOptions filling = own(new ReadOptions().setVerifyChecksums(true));
    /** Also for what is read to open it, which is none of what the cache is for. */
    private final ReadOptions passing =
            own(new ReadOptions().setVerifyChecksums(true).setFillCache(false));

    private final WriteOptions synced = own(new WriteOptions().setSync(true));
    private final WriteOptions lazy = own(new WriteOptions().setSync(false));
    private final WriteOptions unlogged = own(new WriteOptions().setDisableWAL(true));
    private final DatabasePlace place;
    private final FileOperations operations;
    private final RocksDB rocks;
    private final ColumnFamilyHandle marks;
    private final ColumnFamilyHandle rows;
    private final ColumnFamilyHandle content;
    private final CachedReads reads;
    private final List<MailboxFolder> folders;

    /**
     * How it is opened.
     *
     * @param cache shared with the other databases
     * @param databases how many share it
     * @param memtableBytes of what is to be written, before it is flushed; null for what the cache has
     *     room for
     */
    record Use(SharedCache cache, int databases, @Nullable Long memtableBytes) {
        private long memtable() {
            // One is filled while another is flushed, of each column family.
            long room = cache.writeBytesMax() / databases / COLUMN_FAMILIES / 2;
            return memtableBytes != null
                    ? memtableBytes
                    : Math.max(MEMTABLE_BYTES_MIN, Math.min(MEMTABLE_BYTES_MAX, room));
        }
    }

    private MailboxDatabase(DatabasePlace place, Use use, int newFolders, FileOperations operations)
            throws IOException {
        this.place = place;
        this.operations = operations;
        RocksDB.loadLibrary();
        statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
        boolean opened = false;
        try {
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            rocks = own(RocksDB.open(
                    options(use), place.database().toString(), families(use), handles));
            handles.forEach(this::own);
            marks = handles.get(0);
            rows = handles.get(1);
            content = handles.get(2);
            reads = new CachedReads(rocks, use.cache().mode(), filling, passing, operations);
            folders = folders(newFolders);
            opened = true;
        } catch (RocksDBException e) {
            throw failed("can't be opened", e);
        } finally {
            if (!opened) {
                closeOwned();
            }
        }
    }

    /**
     * Opens the database of a place, or makes an empty one.
     *
     * @param bytes that a new one is going to have, about
     * @param operations counts what is done to its files
     */
    static MailboxDatabase open(DatabasePlace place, Use use, long bytes, FileOperations operations)
            throws IOException {
        Files.createDirectories(place.database());
        Files.createDirectories(place.log());
        int newFolders = (int) Math.max(FOLDERS_MIN, Math.min(FOLDERS_MAX, bytes / (4 * MIB)));
        return new MailboxDatabase(place, use, newFolders, operations);
    }

    private DBOptions options(Use use) {
        return own(new DBOptions())
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setStatistics(statistics)
                .setListeners(List.of(own(operations.listener())))
                .setWalDir(place.log().toString())
                .setManualWalFlush(true)
                .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
                .setWriteBufferManager(use.cache().writes())
                .setUseDirectReads(true)
                .setUseDirectIoForFlushAndCompaction(true)
                .setWritableFileMaxBufferSize(MIB)
                .setCompactionReadaheadSize(2 * MIB)
                .setUseFsync(false)
                .setParanoidChecks(true)
                .setMaxBgErrorResumeCount(0)
                .setAvoidFlushDuringRecovery(false)
                .setAvoidFlushDuringShutdown(false)
                .setMaxBackgroundJobs(2)
                .setMaxOpenFiles(-1)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(2)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0);
    }

    private List<ColumnFamilyDescriptor> families(Use use) {
        return List.of(
                family(RocksDB.DEFAULT_COLUMN_FAMILY, use),
                family(ROWS.getBytes(StandardCharsets.US_ASCII), use),
                family(CONTENT.getBytes(StandardCharsets.US_ASCII), use));
    }

    private ColumnFamilyDescriptor family(byte[] name, Use use) {
        BlockBasedTableConfig tables = new BlockBasedTableConfig()
                .setBlockSize(BLOCK_BYTES)
                .setFilterPolicy(own(new BloomFilter(10)))
                // What TableFile reads.
                .setChecksumType(ChecksumType.kCRC32c)
                .setFormatVersion(TableFile.FORMAT_VERSION)
                .setIndexBlockRestartInterval(1)
                .setBlockCache(use.cache().blocks())
                // Else they lie in memory beside the cache, in whatever mode.
                .setCacheIndexAndFilterBlocks(true);
        return new ColumnFamilyDescriptor(
                name,
                own(new ColumnFamilyOptions())
                        .setTableFormatConfig(tables)
                        .setCompressionType(CompressionType.NO_COMPRESSION)
                        .setWriteBufferSize(use.memtable())
                        .setMaxWriteBufferNumber(4)
                        .setMinWriteBufferNumberToMerge(1)
                        .setLevelZeroFileNumCompactionTrigger(4)
                        .setLevelZeroSlowdownWritesTrigger(20)
                        .setLevelZeroStopWritesTrigger(36)
                        .setForceConsistencyChecks(true));
    }

    /** The folders that there are, with the messages that each has; else so many empty ones. */
    private List<MailboxFolder> folders(int newFolders) throws RocksDBException {
        byte[] known = rocks.get(marks, passing, FOLDERS);
        if (known == null) {
            rocks.put(
                    marks,
                    synced,
                    FOLDERS,
                    ByteBuffer.allocate(4).putInt(newFolders).array());
        }
        int count = known == null ? newFolders : ByteBuffer.wrap(known).getInt();
        List<MailboxFolder> all = new ArrayList<>();
        try (RocksIterator at = rocks.newIterator(rows, passing)) {
            for (int number = 0; number < count; number++) {
                at.seek(MailboxKey.of(number, 0));
                boolean any = at.isValid() && MailboxKey.folder(at.key()) == number;
                long first = any ? MailboxKey.message(at.key()) : 0;
                if (any) {
                    at.seekForPrev(MailboxKey.of(number, Long.MAX_VALUE));
                }
                long next = any ? MailboxKey.message(at.key()) + 1 : 0;
                at.status();
                all.add(new MailboxFolder(number, first, next));
            }
        }
        return List.copyOf(all);
    }

    DatabasePlace place() {
        return place;
    }

    FileOperations operations() {
        return operations;
    }

    /** {@return writes that were held back since it was opened, as flushes did not keep up} */
    long stalls() {
        return statistics.getHistogramData(HistogramType.WRITE_STALL).getCount();
    }

    /** {@return the tables that there are} */
    List<LiveFileMetaData> tables() {
        return rocks.getLiveFilesMetaData();
    }

    /** Tells of the blocks that transactions read from now on; null for no more. */
    void profile(@Nullable BlockReads blocks) {
        reads.profile(blocks);
    }

    /** {@return messages in all folders} */
    long messages() {
        return folders.stream().mapToLong(MailboxFolder::count).sum();
    }

    /**
     * Does a transaction.
     *
     * @param waits whether it waits until it is durable
     * @return octets read and written
     */
    long run(TransactionKind kind, MessageSizes sizes, SplittableRandom random, boolean waits)
            throws IOException {
        MailboxFolder folder = folder(random);
        WriteOptions commit = waits ? synced : lazy;
        try {
            return switch (kind) {
                case INSERT -> write(folder, folder.add(), sizes, commit);
                case DELETE -> delete(folder.number(), folder.removeOldest(), commit);
                case REPLACE -> replace(folder, folder.at(random.nextDouble()), sizes, commit);
                case READ -> read(folder.number(), folder.at(random.nextDouble()));
            };
        } catch (RocksDBException e) {
            throw failed("failed at a transaction (" + kind.label() + ")", e);
        }
    }

    /** Some folders have much more than others: half of what is done is done to a quarter of them. */
    private MailboxFolder folder(SplittableRandom random) {
        double share = random.nextDouble();
        return folders.get((int) (folders.size() * share * share));
    }

    private long write(MailboxFolder folder, long message, MessageSizes sizes, WriteOptions commit)
            throws RocksDBException {
        byte[] row = sizes.row();
        byte[] octets = sizes.content();
        byte[] key = MailboxKey.of(folder.number(), message);
        try (WriteBatch batch = new WriteBatch()) {
            batch.put(rows, key, row);
            batch.put(content, key, octets);
            rocks.write(commit, batch);
        }
        return (long) row.length + octets.length;
    }

    private long delete(int folder, long message, WriteOptions commit) throws RocksDBException {
        if (message < 0) {
            return 0;
        }
        long bytes = read(folder, message);
        byte[] key = MailboxKey.of(folder, message);
        try (WriteBatch batch = new WriteBatch()) {
            batch.delete(rows, key);
            batch.delete(content, key);
            rocks.write(commit, batch);
        }
        return bytes;
    }

    private long replace(
            MailboxFolder folder, long message, MessageSizes sizes, WriteOptions commit)
            throws RocksDBException {
        return message < 0
                ? 0
                : read(folder.number(), message) + write(folder, message, sizes, commit);
    }

    /** One that is just being added or taken away may not be there. */
    private long read(int folder, long message) throws RocksDBException {
        byte[] key = MailboxKey.of(folder, message);
        byte[] row = message < 0 ? null : reads.get(rows, key, true);
        byte[] octets = row == null ? null : reads.get(content, key, false);
        return octets == null || row == null ? 0 : (long) row.length + octets.length;
    }

    /** Adds some messages without a log; durable after {@link #flush}. */
    long fill(MessageSizes sizes, SplittableRandom random) throws IOException {
        long bytes = 0;
        try (WriteBatch batch = new WriteBatch()) {
            for (int i = 0; i < FILL_BATCH; i++) {
                MailboxFolder folder = folder(random);
                byte[] key = MailboxKey.of(folder.number(), folder.add());
                byte[] row = sizes.row();
                byte[] octets = sizes.content();
                batch.put(rows, key, row);
                batch.put(content, key, octets);
                bytes += (long) row.length + octets.length;
            }
            rocks.write(unlogged, batch);
            return bytes;
        } catch (RocksDBException e) {
            throw failed("can't be filled", e);
        }
    }

    /** Writes everything that is in memory into tables. */
    void flush() throws IOException {
        try (FlushOptions waiting = new FlushOptions().setWaitForFlush(true)) {
            rocks.flush(waiting, List.of(marks, rows, content));
        } catch (RocksDBException e) {
            throw failed("can't be flushed", e);
        }
    }

    /** {@return whether tables are being written or wait to be put together} */
    boolean isCompacting() throws IOException {
        try {
            return rocks.getAggregatedLongProperty("rocksdb.num-running-compactions") > 0
                    || rocks.getAggregatedLongProperty("rocksdb.num-running-flushes") > 0
                    || rocks.getAggregatedLongProperty("rocksdb.compaction-pending") > 0;
        } catch (RocksDBException e) {
            throw failed("can't be asked", e);
        }
    }

    /** Makes a second name of each file, in a folder that is not there: a snapshot of one moment. */
    void snapshot(Path folder) throws IOException {
        try (Checkpoint checkpoint = Checkpoint.create(rocks)) {
            checkpoint.createCheckpoint(folder.toString());
        } catch (RocksDBException e) {
            throw failed("can't be snapshotted", e);
        }
    }

    private IOException failed(String what, RocksDBException cause) {
        String said = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        String text = "the database " + place.database() + " " + what + ": " + said;
        return new IOException(isFull(cause) ? full(said) + " (" + text + ")" : text, cause);
    }

    private static boolean isFull(RocksDBException cause) {
        Status status = cause.getStatus();
        return status != null && status.getSubCode() == Status.SubCode.NoSpace;
    }

    /** RocksDB names the file, and with it the volume. */
    private String full(String said) {
        boolean isLog = said.contains(place.log().toString());
        return "the " + (isLog ? "log" : "database") + " volume is full, at "
                + (isLog ? place.log() : place.database())
                + ": make room there, or name a larger one or a smaller --database-size";
    }

    @Override
    public void close() throws IOException {
        try {
            rocks.flushWal(true);
        } catch (RocksDBException e) {
            throw failed("can't be closed", e);
        } finally {
            closeOwned();
        }
    }

    private void closeOwned() {
        owned.reversed().forEach(AbstractImmutableNativeReference::close);
    }

    private <T extends AbstractImmutableNativeReference> T own(T object) {
        owned.add(object);
        return object;
    }
}
