package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.qualify.reuse.ReuseProfile;
import org.hubmark.bench.qualify.reuse.ReuseSampler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.RocksDB;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/** Proves that it is known which blocks tables have, and which of them a read is of. */
@Timeout(120)
class TableIndexTest {
    private static final long MIB = 1 << 20;

    @TempDir
    Path folder;

    private LsmDatabase open(LsmCache cache) throws IOException {
        return LsmDatabase.open(
                new DatabasePlace("I.1", folder.resolve("db"), folder.resolve("log")),
                cache,
                MIB,
                new FileOperations());
    }

    private static void fill(MailboxDatabase database, long total) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        MessageSizes sizes = new MessageSizes(random.split());
        for (long bytes = 0; bytes < total; ) {
            bytes += database.fill(sizes, random);
        }
        database.flush();
    }

    @Test
    void aTablesBlocksAreThoseOfItsIndex() throws IOException {
        try (LsmCache cache = new LsmCache(CacheMode.ALL, MIB, 8 * MIB, 1, null);
                LsmDatabase database = open(cache)) {
            fill(database, 3 * MIB);
            int tables = 0;
            List<LiveFileMetaData> files = database.tables().stream()
                    .filter(file ->
                            !Arrays.equals(file.columnFamilyName(), RocksDB.DEFAULT_COLUMN_FAMILY))
                    .toList();
            for (LiveFileMetaData file : files) {
                try (ReadChannel channel = new ReadChannel(
                        Path.of(file.path(), file.fileName()), (nanos, bytes) -> {})) {
                    TableIndex index =
                            Objects.requireNonNull(TableIndex.of(channel::part, channel.bytes()));
                    List<TableFile.Block> all =
                            TableFile.of(channel::part, channel.bytes()).blocks();
                    // Those of data lie first.
                    for (int i = 0; i < index.blocks(); i++) {
                        assertThat(index.bytes(i)).isEqualTo(all.get(i).bytes());
                    }
                    long first = MailboxKey.packed(file.smallestKey());
                    long last = MailboxKey.packed(file.largestKey());
                    assertThat(index.block(first)).isZero();
                    assertThat(index.block(last)).isEqualTo(index.blocks() - 1);
                    assertThat(index.block(last + 1)).isEqualTo(-1);
                    assertThat(index.metadataBytes()).isPositive();
                }
                tables++;
            }
            assertThat(tables).isGreaterThan(1);
        }
    }

    @Test
    void garbageHasNoIndex() throws IOException {
        assertThat(TableIndex.of((offset, bytes) -> ByteBuffer.allocate(bytes), 4096))
                .isNull();
    }

    @Test
    void keysSortAsNumbersDo() {
        long[] packed = {
            MailboxKey.packed(MailboxKey.of(0, 0)),
            MailboxKey.packed(MailboxKey.of(0, 1)),
            MailboxKey.packed(MailboxKey.of(0, 1L << 40)),
            // Shortened: all of a folder before 3, none of 3.
            MailboxKey.packed(MailboxKey.of(3, 0), 4),
            MailboxKey.packed(MailboxKey.of(3, 1)),
            MailboxKey.packed(MailboxKey.of(4000, 0)),
        };
        assertThat(packed).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void everyReadIsOfAKnownBlock() throws IOException {
        try (LsmCache cache = new LsmCache(CacheMode.ALL, MIB, 8 * MIB, 1, null);
                LsmDatabase database = open(cache)) {
            fill(database, 6 * MIB);
            ReuseSampler sampler = new ReuseSampler();
            BlockReads blocks = database.profile(0, sampler);
            SplittableRandom random = new SplittableRandom(2);
            MessageSizes sizes = new MessageSizes(random.split());
            for (int i = 0; i < 2000; i++) {
                database.run(TransactionKind.READ, sizes, random, false);
            }
            BlockReads.Counts counts = blocks.counts();
            // Of some messages the row and the content.
            assertThat(counts.cached() + counts.stored()).isGreaterThan(3000);
            assertThat(counts.unknown()).isLessThan(40);
            ReuseProfile profile = Objects.requireNonNull(sampler.profile());
            assertThat(profile.workingSetBytes()).isBetween(MIB, blocks.sizes().data());
        }
    }
}
