package org.hubmark.bench.qualify.phase;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.qualify.pages.CacheMode;
import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.pages.FileOperations;
import org.hubmark.bench.qualify.pages.MailboxDatabase;
import org.hubmark.bench.qualify.pages.MessageSizes;
import org.hubmark.bench.qualify.pages.Page;
import org.hubmark.bench.qualify.pages.PageCache;
import org.hubmark.bench.qualify.pages.TransactionKind;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Proves of a database on pages that its I/O is near that of the source, that it keeps its messages, and
 * that one flipped bit anywhere in it makes one bad page.
 */
@Timeout(120)
class MailboxDatabaseTest {
    private static final long MIB = 1 << 20;
    private static final int FLIPS = 100;

    @TempDir
    Path folder;

    private DatabasePlace place;

    @BeforeEach
    void place() {
        place = new DatabasePlace("I.1", folder.resolve("db"), folder.resolve("log"));
    }

    private static PageCache cache() {
        return new PageCache(CacheMode.ALL, MIB, 16 * MIB);
    }

    private MailboxDatabase open(PageCache cache, long bytes) throws IOException {
        return MailboxDatabase.open(place, cache, bytes, false, new FileOperations("I.1"));
    }

    private static SplittableRandom fill(MailboxDatabase database, long bytes) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        MessageSizes sizes = new MessageSizes(random.split());
        for (long grown = 0; grown < bytes; ) {
            grown += database.fill(sizes, random);
        }
        database.flush();
        return random;
    }

    private static IoCounts run(
            MailboxDatabase database, TransactionMix mix, SplittableRandom random, int transactions)
            throws IOException {
        MessageSizes sizes = new MessageSizes(random.split());
        IoCounts before = database.operations().counts();
        for (int i = 0; i < transactions; i++) {
            var unused = database.run(mix.draw(random), sizes, random, random.nextDouble() >= 0.7);
        }
        return database.operations().counts().since(before);
    }

    private static double mean(IoCounts counts, IoCounter bytes, IoCounter operations) {
        return (double) counts.get(bytes) / counts.get(operations);
    }

    @Test
    void theMixOfTheSourceReadsAndWritesAsTheSource() throws IOException {
        try (PageCache cache = cache();
                MailboxDatabase database = open(cache, 80 * MIB)) {
            SplittableRandom random = fill(database, 80 * MIB);
            var unused = run(database, TransactionMix.DEFAULT, random, 2000);
            IoCounts counts = run(database, TransactionMix.DEFAULT, random, 5000);
            double reads = counts.get(IoCounter.DB_READS);
            // The source's are 0.57, 34,900 and 36,400.
            assertThat(reads / (reads + counts.get(IoCounter.DB_WRITES))).isBetween(0.5, 0.65);
            assertThat(mean(counts, IoCounter.DB_READ_BYTES, IoCounter.DB_READS))
                    .isBetween(32768.0, 41000.0);
            assertThat(mean(counts, IoCounter.DB_WRITE_BYTES, IoCounter.DB_WRITES))
                    .isBetween(32768.0, 36900.0);
        }
    }

    @Test
    void messagesAreThereWhenItIsOpenedAgain() throws IOException {
        long messages;
        try (PageCache cache = cache();
                MailboxDatabase database = open(cache, 20 * MIB)) {
            SplittableRandom random = fill(database, 20 * MIB);
            var unused = run(database, TransactionMix.DEFAULT, random, 2000);
            messages = database.messages();
        }
        try (PageCache cache = cache();
                MailboxDatabase database = open(cache, 0)) {
            assertThat(database.messages()).isEqualTo(messages);
            assertThat(database.replayedBytes()).isZero();
            // Each has a content that is read.
            SplittableRandom random = new SplittableRandom(2);
            MessageSizes sizes = new MessageSizes(random.split());
            for (int i = 0; i < 1000; i++) {
                assertThat(database.run(TransactionKind.READ, sizes, random, false))
                        .isGreaterThan(200 + 256 - 1);
            }
        }
    }

    /** What was synced is there after a crash, out of the log; a commit behind it may be lost. */
    @Test
    void whatWasSyncedIsThereAfterACrash() throws IOException, InterruptedException {
        long synced;
        try (PageCache cache = cache()) {
            MailboxDatabase database = open(cache, 4 * MIB);
            SplittableRandom random = fill(database, 4 * MIB);
            MessageSizes sizes = new MessageSizes(random.split());
            for (int i = 0; i < 100; i++) {
                assertThat(database.run(TransactionKind.INSERT, sizes, random, true))
                        .isPositive();
            }
            synced = database.messages();
            assertThat(database.run(TransactionKind.INSERT, sizes, random, false))
                    .isPositive();
            database.abandon();
        }
        try (PageCache cache = cache();
                MailboxDatabase database = open(cache, 0)) {
            assertThat(database.messages()).isBetween(synced, synced + 1);
            assertThat(database.replayedBytes()).isPositive();
        }
    }

    @Test
    void aFlippedBitAnywhereIsFound() throws IOException, InterruptedException {
        try (PageCache cache = cache();
                MailboxDatabase database = open(cache, 4 * MIB)) {
            var unused = fill(database, 4 * MIB);
        }
        Path file = place.pages();
        PageCheck.Found sound = check(file);
        assertThat(sound.badPages()).isZero();
        assertThat(sound.pages()).isEqualTo(Files.size(file) / Page.BYTES);
        byte[] octets = Files.readAllBytes(file);
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < FLIPS; i++) {
            int at = random.nextInt(octets.length);
            octets[at] ^= 1;
            Files.write(file, octets);
            assertThat(check(file).badPages()).as("octet %d", at).isEqualTo(1);
            octets[at] ^= 1;
        }
    }

    private static PageCheck.Found check(Path file) throws IOException, InterruptedException {
        return PageCheck.check(
                file, new FileOperations("I.1"), IoCounter.DB_READS, PageCheck.Pace.NONE);
    }
}
