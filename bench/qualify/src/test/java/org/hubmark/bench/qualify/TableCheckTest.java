package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ChecksumType;
import org.rocksdb.CompressionType;
import org.rocksdb.EnvOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * Proves that the check knows every block of the tables that RocksDB writes: they are all good, cover the
 * file from its begin to its footer without a gap, and one flipped bit anywhere in them makes one bad
 * block.
 */
@Timeout(120)
class TableCheckTest {
    private static final int FOOTER_BYTES = 53;
    private static final int FLIPS = 300;

    @TempDir
    Path folder;

    private Path table() throws IOException {
        DatabasePlace place = new DatabasePlace("I.1", folder.resolve("db"), folder.resolve("log"));
        SplittableRandom random = new SplittableRandom(1);
        try (SharedCache cache = new LsmCache(CacheMode.ALL, 1 << 20, 8 << 20, 1, null);
                MailboxDatabase database = cache.open(place, 1 << 20, new FileOperations())) {
            MessageSizes sizes = new MessageSizes(random.split());
            for (long bytes = 0; bytes < 1_500_000; ) {
                bytes += database.fill(sizes, random);
            }
            database.flush();
        }
        return place.tables().stream()
                .max(Comparator.comparingLong(file -> file.toFile().length()))
                .orElseThrow();
    }

    private static BlockCheck.Found check(Path file) throws IOException, InterruptedException {
        return BlockCheck.check(file, (nanos, bytes) -> {}, BlockCheck.Pace.NONE);
    }

    @Test
    void everyBlockIsSeenAndGood() throws IOException, InterruptedException {
        Path table = table();
        BlockCheck.Found found = check(table);
        assertThat(found.badBlocks()).isZero();
        assertThat(found.blocks()).isGreaterThan(20);
        assertThatBlocksFill(table);
    }

    /** RocksDB notes at the end of an index that its keys are spread evenly. */
    @Test
    void everyBlockIsSeenWhereKeysAreEven()
            throws IOException, InterruptedException, RocksDBException {
        Path table = folder.resolve("even.sst");
        BlockBasedTableConfig config = new BlockBasedTableConfig()
                .setChecksumType(ChecksumType.kCRC32c)
                .setFormatVersion(TableFile.FORMAT_VERSION)
                .setIndexBlockRestartInterval(1);
        RocksDB.loadLibrary();
        try (EnvOptions env = new EnvOptions();
                Options options = new Options()
                        .setTableFormatConfig(config)
                        .setCompressionType(CompressionType.NO_COMPRESSION);
                SstFileWriter writer = new SstFileWriter(env, options)) {
            writer.open(table.toString());
            for (int message = 0; message < 1000; message++) {
                writer.put(MailboxKey.of(0, message), new byte[100]);
            }
            writer.finish();
        }
        assertThat(check(table).blocks()).isGreaterThan(20);
        assertThat(check(table).badBlocks()).isZero();
        assertThatBlocksFill(table);
        try (ReadChannel channel = new ReadChannel(table, (nanos, bytes) -> {})) {
            TableIndex index =
                    Objects.requireNonNull(TableIndex.of(channel::part, channel.bytes()));
            assertThat(index.block(MailboxKey.packed(MailboxKey.of(0, 0)))).isZero();
            assertThat(index.block(MailboxKey.packed(MailboxKey.of(0, 999))))
                    .isEqualTo(index.blocks() - 1)
                    .isGreaterThan(20);
        }
    }

    @Test
    void anEndThatIsNotKnownIsBad() {
        ByteBuffer block = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        block.putInt(8, 1);
        assertThat(TableFile.entriesEnd(block)).isEqualTo(4);
        for (int end : new int[] {1 << 28 | 1, 1 << 30 | 1, 1 << 31 | 1, 3, (1 << 28) - 1}) {
            block.putInt(8, end);
            assertThatThrownBy(() -> TableFile.entriesEnd(block))
                    .as("%x", end)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** An index that is whole by its checksum, but does not name all that there is. */
    @Test
    void dataThatNoIndexNamesIsBad() throws IOException, InterruptedException {
        Path table = table();
        byte[] octets = Files.readAllBytes(table);
        TableFile.Block index;
        try (ReadChannel channel = new ReadChannel(table, (nanos, bytes) -> {})) {
            index = Objects.requireNonNull(TableFile.footer(channel::part, channel.bytes()))
                    .index();
        }
        int from = (int) index.offset();
        int to = from + index.bytes();
        ByteBuffer all = ByteBuffer.wrap(octets).order(ByteOrder.LITTLE_ENDIAN);
        // More restarts leave less room for entries.
        all.putInt(to - Integer.BYTES, all.getInt(to - Integer.BYTES) + 8);
        CRC32C checksum = new CRC32C();
        checksum.update(octets, from, index.bytes() + 1);
        all.putInt(to + 1, TableFile.masked(checksum));
        Files.write(table, octets);
        assertThat(check(table).badBlocks()).isEqualTo(1);
    }

    private static void assertThatBlocksFill(Path table) throws IOException {
        try (ReadChannel channel = new ReadChannel(table, (nanos, bytes) -> {})) {
            TableFile file = TableFile.of(channel::part, channel.bytes());
            long at = 0;
            for (TableFile.Block block : file.blocks()) {
                assertThat(block.offset()).as("%s", table).isEqualTo(at);
                at = block.end();
            }
            assertThat(at).as("%s", table).isEqualTo(Files.size(table) - FOOTER_BYTES);
        }
    }

    @Test
    void oneFlippedBitAnywhereIsFound() throws IOException, InterruptedException {
        Path table = table();
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        byte[] good = Files.readAllBytes(table);
        for (int i = 0; i < FLIPS; i++) {
            int at = random.nextInt(good.length - FOOTER_BYTES);
            int bit = 1 << random.nextInt(8);
            byte[] bad = good.clone();
            bad[at] ^= (byte) bit;
            Files.write(table, bad);
            assertThat(check(table).badBlocks())
                    .as("octet %d, bit %d, seed %d", at, bit, seed)
                    .isEqualTo(1);
        }
        Files.write(table, good);
        assertThat(check(table).badBlocks()).isZero();
    }

    @Test
    void garbageIsBadAndNoException() throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(7);
        for (int length : new int[] {53, 54, 4096, 300_000}) {
            byte[] octets = new byte[length];
            random.nextBytes(octets);
            Path file = Files.write(folder.resolve("garbage.sst"), octets);
            assertThat(check(file).badBlocks()).as("%d octets", length).isEqualTo(1);
        }
        assertThat(check(Files.write(folder.resolve("short.sst"), new byte[3])).badBlocks())
                .isEqualTo(1);
    }
}
