package org.hubmark.queue.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.queue.log.LogFixture.Entry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * What is too large to be copied into the front of a group has its pages in the group's body: groups of
 * small and large content are read back by the scan and by single records, through the page cache
 * and past it, and a changed bit of a body is noticed.
 */
class LargeContentTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(names = {"OFF", "ON"})
    void groupsOfSmallAndLargeContentAreReadBack(DirectIo direct) throws IOException {
        for (int seed = 0; seed < 8; seed++) {
            DirectoryVolume volume =
                    new DirectoryVolume(Files.createDirectory(folder.resolve("seed" + seed)));
            Volume used = volume;
            try {
                used = direct.use(volume);
            } catch (LogException e) {
                assumeTrue(false, e.getMessage());
            }
            readBack(used, seed);
        }
    }

    private static void readBack(Volume volume, long seed) throws IOException {
        Random random = new Random(seed);
        List<Entry> written = new ArrayList<>();
        Map<LogPosition, Entry> places = new HashMap<>();
        try (IntakeLog log = LogFixture.open(volume, new ArrayList<>())) {
            for (int group = 0; group < 6; group++) {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    int contentBytesMax = random.nextBoolean() ? 3_000 : 24_000;
                    Entry entry = LogFixture.random(random, written.size() + 1L, contentBytesMax);
                    places.put(LogFixture.add(log.writer(), entry), entry);
                    written.add(entry);
                }
                log.writer().write();
                log.writer().sync();
            }
            for (Map.Entry<LogPosition, Entry> place : places.entrySet()) {
                LogPosition position = place.getKey();
                Entry entry = place.getValue();
                LogRecord record = Objects.requireNonNull(log.reader().read(position));
                assertThat(LogFixture.entry(record)).as("seed %d", seed).isEqualTo(entry);
                int headBytes = record.head().remaining();
                LogRecord head = Objects.requireNonNull(log.reader().readHead(position, headBytes));
                assertThat(LogFixture.text(head.head())).isEqualTo(entry.head());
                ByteBuffer unverified =
                        Objects.requireNonNull(log.reader().readUnverified(position, headBytes));
                assertThat(LogFixture.text(unverified)).isEqualTo(entry.content());
            }
        }
        List<Entry> found = new ArrayList<>();
        LogFixture.open(volume, found).close();
        assertThat(found).as("seed %d", seed).isEqualTo(written);
    }

    @Test
    void aChangedBitOfABodyIsNoticed() throws IOException {
        Random random = new Random(3);
        Volume volume = new DirectoryVolume(folder);
        LogPosition large;
        try (IntakeLog log = LogFixture.open(volume, new ArrayList<>())) {
            Entry entry = new Entry(RecordType.ENQUEUE, 1, "head", "content ".repeat(2_500));
            large = LogFixture.add(log.writer(), entry);
            log.writer().write();
            log.writer().sync();
            LogFixture.commitGroups(log, 2, 4);
            flip(large.bodyOffset + random.nextInt(large.bodyBytes));
            assertThatThrownBy(() -> log.reader().read(large))
                    .isInstanceOf(LogException.class)
                    .hasMessageContaining("does not match its checksum");
        }
        LogDamage damage = new LogDamage(false, Long::toString);
        List<Entry> found = new ArrayList<>();
        LogFixture.open(volume, 0, found, damage).close();
        assertThat(found).hasSize(3);
        assertThat(found.getFirst().content()).isEmpty();
        assertThat(damage.found())
                .singleElement()
                .asString()
                .contains("the content of a record of message 1 is damaged");
    }

    /** 57,000 octets, 16 a group, and what stands before each in a log: no more than 3 % more. */
    @Test
    void theLogWritesLittleMoreThanTheContent() throws IOException {
        try (IntakeLog log = IntakeLog.open(
                new DirectoryVolume(folder),
                new UUID(1, 2),
                new IntakeLog.Size(8 << 20, 4, 0),
                Counterpart.NONE,
                record -> {},
                new LogDamage(false, Long::toString),
                Runnable::run)) {
            log.writer().openNext(true);
            log.counters().bytesWritten.reset();
            ByteBuffer content = ByteBuffer.allocateDirect(57_150);
            CRC32C crc = new CRC32C();
            crc.update(content.duplicate());
            int messages = 6 * 16;
            for (int i = 1; i <= messages; i++) {
                log.writer().start(RecordType.ENQUEUE, i, 200).put(new byte[200]);
                log.writer().finish(content, (int) crc.getValue());
                if (i % 16 == 0) {
                    log.writer().write();
                }
            }
            assertThat((double) log.counters().bytesWritten.sum() / messages)
                    .isBetween(57_150.0, 1.03 * 57_150);
        }
    }

    private void flip(long offset) throws IOException {
        Path file = folder.resolve(LogFormat.segmentName(1));
        try (RandomAccessFile octets = new RandomAccessFile(file.toFile(), "rw")) {
            octets.seek(offset);
            int octet = octets.read();
            octets.seek(offset);
            octets.write(octet ^ 4);
        }
    }
}
