package org.hubmark.bench.qualify;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.qualify.reuse.ReuseSampler;
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
 * A mailbox database of RocksDB. Column families: default (how many folders there are), rows and content, both by folder and number
 * of the message. Any thread.
 */
final class LsmDatabase implements MailboxDatabase {
    /** A page of the source; a content that is longer has a block of its own. */
    static final int BLOCK_BYTES = 32 << 10;

    private static final long MIB = 1 << 20;
    private static final int FOLDERS_MIN = 8;
    private static final int FOLDERS_MAX = 4096;
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
    private final long replayedBytes;

    private LsmDatabase(
            DatabasePlace place, LsmCache cache, int newFolders, FileOperations operations)
            throws IOException {
        this.place = place;
        this.operations = operations;
        this.replayedBytes = place.logBytes();
        RocksDB.loadLibrary();
        statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
        boolean opened = false;
        try {
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            rocks = own(RocksDB.open(
                    options(cache), place.database().toString(), families(cache), handles));
            handles.forEach(this::own);
            marks = handles.get(0);
            rows = handles.get(1);
            content = handles.get(2);
            reads = new CachedReads(rocks, cache.mode(), filling, passing, operations);
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
     * Opens the database of a place, or makes an empty one; the rest as {@link SharedCache#open}.
     */
    static LsmDatabase open(
            DatabasePlace place, LsmCache cache, long bytes, FileOperations operations)
            throws IOException {
        Files.createDirectories(place.database());
        Files.createDirectories(place.log());
        int newFolders = (int) Math.max(FOLDERS_MIN, Math.min(FOLDERS_MAX, bytes / (4 * MIB)));
        return new LsmDatabase(place, cache, newFolders, operations);
    }

    private DBOptions options(LsmCache cache) {
        return own(new DBOptions())
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setStatistics(statistics)
                .setListeners(List.of(own(operations.listener())))
                .setWalDir(place.log().toString())
                .setManualWalFlush(true)
                .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
                .setWriteBufferManager(cache.writes())
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

    private List<ColumnFamilyDescriptor> families(LsmCache cache) {
        return List.of(
                family(RocksDB.DEFAULT_COLUMN_FAMILY, cache),
                family(ROWS.getBytes(StandardCharsets.US_ASCII), cache),
                family(CONTENT.getBytes(StandardCharsets.US_ASCII), cache));
    }

    private ColumnFamilyDescriptor family(byte[] name, LsmCache cache) {
        BlockBasedTableConfig tables = new BlockBasedTableConfig()
                .setBlockSize(BLOCK_BYTES)
                .setFilterPolicy(own(new BloomFilter(10)))
                // What TableFile reads.
                .setChecksumType(ChecksumType.kCRC32c)
                .setFormatVersion(TableFile.FORMAT_VERSION)
                .setIndexBlockRestartInterval(1)
                .setBlockCache(cache.blocks())
                // Else they lie in memory beside the cache, in whatever mode.
                .setCacheIndexAndFilterBlocks(true);
        return new ColumnFamilyDescriptor(
                name,
                own(new ColumnFamilyOptions())
                        .setTableFormatConfig(tables)
                        .setCompressionType(CompressionType.NO_COMPRESSION)
                        .setWriteBufferSize(cache.memtableBytes())
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

    @Override
    public DatabasePlace place() {
        return place;
    }

    @Override
    public FileOperations operations() {
        return operations;
    }

    @Override
    public long stalls() {
        return statistics.getHistogramData(HistogramType.WRITE_STALL).getCount();
    }

    /** {@return the tables that there are} */
    List<LiveFileMetaData> tables() {
        return rocks.getLiveFilesMetaData();
    }

    @Override
    public BlockReads profile(int number, ReuseSampler sampler) throws IOException {
        LsmBlockReads blocks = new LsmBlockReads(number, this, sampler);
        profile(blocks);
        return blocks;
    }

    /** Tells of the blocks that transactions read from now on; null for no more. */
    void profile(@Nullable LsmBlockReads blocks) {
        reads.profile(blocks);
    }

    @Override
    public long messages() {
        return folders.stream().mapToLong(MailboxFolder::count).sum();
    }

    @Override
    public long run(
            TransactionKind kind, MessageSizes sizes, SplittableRandom random, boolean waits)
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

    private MailboxFolder folder(SplittableRandom random) {
        return folders.get(MailboxDatabase.folder(folders.size(), random));
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

    /** Without a log. */
    @Override
    public long fill(MessageSizes sizes, SplittableRandom random) throws IOException {
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

    @Override
    public void flush() throws IOException {
        try (FlushOptions waiting = new FlushOptions().setWaitForFlush(true)) {
            rocks.flush(waiting, List.of(marks, rows, content));
        } catch (RocksDBException e) {
            throw failed("can't be flushed", e);
        }
    }

    @Override
    public boolean isCompacting() throws IOException {
        try {
            return rocks.getAggregatedLongProperty("rocksdb.num-running-compactions") > 0
                    || rocks.getAggregatedLongProperty("rocksdb.num-running-flushes") > 0
                    || rocks.getAggregatedLongProperty("rocksdb.compaction-pending") > 0;
        } catch (RocksDBException e) {
            throw failed("can't be asked", e);
        }
    }

    /** Makes a second name of each file. */
    @Override
    public List<Path> snapshot(Path folder) throws IOException {
        try (Checkpoint checkpoint = Checkpoint.create(rocks)) {
            checkpoint.createCheckpoint(folder.toString());
            return Folders.files(folder);
        } catch (RocksDBException e) {
            throw failed("can't be snapshotted", e);
        }
    }

    @Override
    public long logBytes() throws IOException {
        return place.logBytes();
    }

    @Override
    public long replayedBytes() {
        return replayedBytes;
    }

    private IOException failed(String what, RocksDBException cause) {
        return place.failed(what, String.valueOf(cause.getMessage()), isFull(cause), cause);
    }

    private static boolean isFull(RocksDBException cause) {
        Status status = cause.getStatus();
        return status != null && status.getSubCode() == Status.SubCode.NoSpace;
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
