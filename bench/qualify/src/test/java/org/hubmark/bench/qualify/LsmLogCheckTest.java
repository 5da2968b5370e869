package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.SplittableRandom;

/** Proves that the check knows the records that RocksDB writes, and that one flipped bit in them is found. */
class LsmLogCheckTest {
    private static final int FLIPS = 200;

    @TempDir
    Path folder;

    private Path log() throws IOException {
        DatabasePlace place = new DatabasePlace("I.1", folder.resolve("db"), folder.resolve("log"));
        SplittableRandom random = new SplittableRandom(1);
        try (SharedCache cache = SharedCache.keepingLogs(Engine.LSM, 1, 4 << 20);
                MailboxDatabase database = cache.open(place, 1 << 20, new FileOperations())) {
            MessageSizes sizes = new MessageSizes(random.split());
            for (int i = 0; i < 100; i++) {
                var unused = database.run(TransactionKind.INSERT, sizes, random, true);
            }
        }
        return place.logs().stream()
                .max(Comparator.comparingLong(file -> file.toFile().length()))
                .orElseThrow();
    }

    private static BlockCheck.Found check(Path log) throws IOException {
        return LsmLogCheck.check(log, (nanos, bytes) -> {});
    }

    @Test
    void everyFlippedBitIsFound() throws IOException {
        Path log = log();
        BlockCheck.Found whole = check(log);
        assertThat(whole.badBlocks()).isZero();
        assertThat(whole.blocks()).isGreaterThanOrEqualTo(100);
        byte[] octets = Files.readAllBytes(log);
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < FLIPS; i++) {
            int place = random.nextInt(octets.length);
            int bit = 1 << random.nextInt(8);
            octets[place] ^= (byte) bit;
            Files.write(log, octets);
            // The octets behind the last record of a block belong to none.
            assertThat(check(log).badBlocks() == 1 || isPadding(octets, place))
                    .as("octet %d", place)
                    .isTrue();
            octets[place] ^= (byte) bit;
        }
    }

    /** Fewer than a header has, at the end of a block of 32 KiB. */
    private static boolean isPadding(byte[] octets, int place) {
        int end = Math.min((place / 32768 + 1) * 32768, octets.length);
        return end - place < 7;
    }
}
