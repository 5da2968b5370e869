package org.hubmark.queue.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.queue.log.LogFixture.Entry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Proves that each kind of damage to the log is recognised for what it is: twenty synced groups of
 * 8 KiB in two segments are damaged in one way, and the log is opened again.
 */
final class LogDamageTest {
    private static final int GROUP_BYTES = 8192;
    private static final int GROUPS_A_SEGMENT = 7;
    private static final String FIRST = "segment-000001.log";
    private static final String SECOND = "segment-000002.log";
    private static final String THIRD = "segment-000003.log";

    @TempDir
    Path folder;

    private List<Entry> written = List.of();

    @BeforeEach
    void write() throws IOException {
        try (IntakeLog log = LogFixture.open(new DirectoryVolume(folder), new ArrayList<>())) {
            written = LogFixture.commitGroups(log, 20, 11);
        }
    }

    @Test
    void aTornTailIsWhereTheLogEnds() throws IOException {
        // The last group is the sixth of the third segment; its second page was not written.
        overwrite(THIRD, offset(5) + 4096, new byte[4096]);
        assertThat(reopen()).isEqualTo(written.subList(0, 19));
    }

    @Test
    void aZeroedTailIsWhereTheLogEnds() throws IOException {
        overwrite(THIRD, offset(5), new byte[GROUP_BYTES]);
        assertThat(reopen()).isEqualTo(written.subList(0, 19));
    }

    @Test
    void whatATornTailLeftBehindNeverComesBack() throws IOException {
        byte[] last = read(THIRD, offset(5), GROUP_BYTES);
        overwrite(THIRD, offset(5), new byte[GROUP_BYTES]);
        List<Entry> more = new ArrayList<>(written.subList(0, 19));
        try (IntakeLog log = LogFixture.open(new DirectoryVolume(folder), new ArrayList<>())) {
            more.addAll(LogFixture.commitGroups(log, 2, 12));
        }
        overwrite(THIRD, offset(5), last);
        assertThat(reopen()).isEqualTo(more);
    }

    @Test
    void aZeroedMiddleIsCorruption() throws IOException {
        overwrite(THIRD, offset(2), new byte[GROUP_BYTES]);
        assertCorrupt(THIRD, offset(2), 17);
    }

    @Test
    void aFlippedBitInARecordsHeadIsCorruption() throws IOException {
        flip(SECOND, (offset(3) + 70) * 8L + 5);
        assertCorrupt(SECOND, offset(3), 11);
    }

    @Test
    void aFlippedBitInAContentCostsThatContent() throws IOException {
        flip(SECOND, (offset(3) + 3000) * 8L + 5);
        LogDamage damage = new LogDamage(false, Long::toString);
        List<Entry> found = reopen(damage);
        assertThat(found).isEqualTo(withoutContent(11));
        assertThat(damage.found())
                .singleElement()
                .asString()
                .contains(folder.resolve(SECOND).toString())
                .contains("of message 11 ");
        assertThat(reopen(new LogDamage(false, Long::toString))).isEqualTo(found);
    }

    @Test
    void whatLiesBehindADamagedGroupIsReadIfThatIsAccepted() throws IOException {
        for (int group : new int[] {0, 3, 6}) {
            byte[] before = read(SECOND, offset(group), GROUP_BYTES);
            overwrite(SECOND, offset(group), new byte[GROUP_BYTES]);
            LogDamage damage = new LogDamage(true, Long::toString);
            List<Entry> expected = new ArrayList<>(written);
            expected.remove(GROUPS_A_SEGMENT + group);
            assertThat(reopen(damage)).isEqualTo(expected);
            int lost = GROUPS_A_SEGMENT + group + 1;
            assertThat(damage.found())
                    .singleElement()
                    .asString()
                    .contains("lost are the records from " + lost + " to " + lost);
            overwrite(SECOND, offset(group), before);
        }
    }

    /** What was written, if the content of one record is damaged. */
    private List<Entry> withoutContent(int sequence) {
        List<Entry> expected = new ArrayList<>(written);
        Entry whole = expected.get(sequence - 1);
        expected.set(sequence - 1, new Entry(whole.type(), whole.id(), whole.head(), ""));
        return expected;
    }

    @Test
    void aFlippedBitInTheLastGroupOfASegmentIsCorruption() throws IOException {
        flip(FIRST, (offset(6) + 70) * 8L);
        assertCorrupt(FIRST, offset(6), 7);
    }

    @Test
    void noFlippedBitIsSkippedSilently() throws IOException {
        Random random = new Random(77);
        for (int i = 0; i < 300; i++) {
            String file = List.of(FIRST, SECOND, THIRD).get(random.nextInt(3));
            long bit = random.nextLong((4096L + 5 * GROUP_BYTES) * 8);
            flip(file, bit);
            LogDamage damage = new LogDamage(false, Long::toString);
            try {
                List<Entry> found = reopen(damage);
                // Only the padding, which no checksum covers, may be changed without notice.
                if (damage.found().isEmpty()) {
                    assertThat(found).as("%s bit %d", file, bit).isEqualTo(written);
                } else {
                    assertThat(found).as("%s bit %d", file, bit).hasSameSizeAs(written);
                    assertThat(damage.found()).hasSize(1);
                }
            } catch (LogException e) {
                assertThat(e).hasMessageContaining(file);
            }
            flip(file, bit);
        }
        assertThat(reopen()).isEqualTo(written);
    }

    @Test
    void aDamagedHeaderIsNamed() throws IOException {
        flip(SECOND, 35 * 8L);
        assertThatThrownBy(this::reopen)
                .isInstanceOf(LogException.class)
                .hasMessageContaining(folder.resolve(SECOND).toString())
                .hasMessageContaining("header is damaged")
                .hasMessageContaining("restore");
    }

    @Test
    void aMissingSegmentIsNamed() throws IOException {
        Files.delete(folder.resolve(SECOND));
        assertThatThrownBy(this::reopen)
                .isInstanceOf(LogException.class)
                .hasMessageContaining("generation 2 is missing")
                .hasMessageContaining("put the file back");
    }

    @Test
    void aMissingOldestSegmentIsMissing() throws IOException {
        Files.delete(folder.resolve(FIRST));
        assertThatThrownBy(this::reopen).hasMessageContaining("generation 1 is missing");
    }

    @Test
    void aRecycledSegmentIsNotMissing() throws IOException {
        try (IntakeLog log = LogFixture.open(new DirectoryVolume(folder), new ArrayList<>())) {
            log.segments().recycle(1);
            log.writer().openNext(true);
        }
        for (String name : new DirectoryVolume(folder).list()) {
            byte[] header = read(folder.resolve(name).getFileName().toString(), 0, 512);
            if (ByteBuffer.wrap(header).getLong(32) == 1) {
                Files.delete(folder.resolve(name));
            }
        }
        assertThat(reopen()).isEqualTo(written.subList(GROUPS_A_SEGMENT, 20));
    }

    @Test
    void aSegmentOfAnotherStoreIsNamed() throws IOException {
        UUID other = UUID.randomUUID();
        assertThatThrownBy(() -> IntakeLog.open(
                        new DirectoryVolume(folder),
                        other,
                        LogFixture.SIZE,
                        Counterpart.NONE,
                        record -> {},
                        new LogDamage(false, Long::toString),
                        Runnable::run))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("belongs to store " + LogFixture.STORE)
                .hasMessageContaining("not to " + other)
                .hasMessageContaining("move it back");
    }

    @Test
    void aCopiedSegmentIsNamed() throws IOException {
        Files.copy(folder.resolve(FIRST), folder.resolve("segment-000009.log"));
        assertThatThrownBy(this::reopen)
                .hasMessageContaining("same generation 1")
                .hasMessageContaining("remove it");
    }

    @Test
    void anUnknownVersionIsRefusedByName() throws IOException {
        ByteBuffer sector = ByteBuffer.wrap(read(SECOND, 0, 512));
        sector.putInt(8, 9).putInt(12, 0);
        CRC32C crc = new CRC32C();
        crc.update(sector.array());
        sector.putInt(12, (int) crc.getValue());
        overwrite(SECOND, 0, sector.array());
        assertThatThrownBy(this::reopen)
                .isInstanceOf(LogException.class)
                .hasMessageContaining("version 9 is not known here (known: 3)");
    }

    @Test
    void aCutOffSegmentIsNamed() throws IOException {
        try (FileChannel channel =
                FileChannel.open(folder.resolve(SECOND), StandardOpenOption.WRITE)) {
            channel.truncate(20_000);
        }
        assertThatThrownBy(this::reopen)
                .hasMessageContaining(SECOND)
                .hasMessageContaining("is 20000 bytes long instead of 65536");
    }

    @Test
    void aLogThatIsOlderThanTheQueueDatabaseIsRefused() {
        assertThatThrownBy(
                        () -> LogFixture.open(new DirectoryVolume(folder), 12, new ArrayList<>()))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("the queue database goes on at 12")
                .hasMessageContaining("mount the log volume that belongs to this queue volume");
    }

    @Test
    void replayStartsWhereTheQueueDatabaseSays() throws IOException {
        List<Entry> found = new ArrayList<>();
        LogFixture.open(new DirectoryVolume(folder), 2, found).close();
        assertThat(found).isEqualTo(written.subList(GROUPS_A_SEGMENT, 20));
    }

    @Test
    void anInterruptedPreallocationIsCleanedUp() throws IOException {
        Files.write(folder.resolve("segment-000007.log.new"), new byte[1000]);
        assertThat(reopen()).isEqualTo(written);
        assertThat(folder.resolve("segment-000007.log.new")).doesNotExist();
    }

    private void assertCorrupt(String file, long offset, int sequence) {
        assertThatThrownBy(this::reopen)
                .isInstanceOf(LogException.class)
                .hasMessageContaining(folder.resolve(file) + ", offset " + offset + ":")
                .hasMessageContaining("sequence " + sequence + " is damaged")
                .hasMessageContaining("Restore this file");
    }

    private List<Entry> reopen() throws IOException {
        return reopen(new LogDamage(false, Long::toString));
    }

    private List<Entry> reopen(LogDamage damage) throws IOException {
        List<Entry> found = new ArrayList<>();
        LogFixture.open(new DirectoryVolume(folder), 0, found, damage).close();
        return found;
    }

    private static int offset(int group) {
        return LogFormat.PAGE_BYTES + group * GROUP_BYTES;
    }

    private void flip(String file, long bit) throws IOException {
        byte[] changed = read(file, bit / 8, 1);
        changed[0] ^= (byte) (1 << bit % 8);
        overwrite(file, bit / 8, changed);
    }

    private byte[] read(String file, long offset, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try (FileChannel channel = FileChannel.open(folder.resolve(file))) {
            channel.read(bytes, offset);
        }
        return bytes.array();
    }

    private void overwrite(String file, long offset, byte[] bytes) throws IOException {
        try (FileChannel channel =
                FileChannel.open(folder.resolve(file), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes), offset);
        }
    }
}
