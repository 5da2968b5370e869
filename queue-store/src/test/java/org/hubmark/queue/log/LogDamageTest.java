package org.hubmark.queue.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.queue.log.LogFixture.Entry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
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

    /** The last group is the sixth of the third segment; of a torn one the second page was not written. */
    @ParameterizedTest
    @ValueSource(ints = {0, 4096})
    void aTornOrZeroedTailIsWhereTheLogEndsAndNeverComesBack(int writtenBytes) throws IOException {
        byte[] last = read(THIRD, offset(5), GROUP_BYTES);
        overwrite(THIRD, offset(5) + writtenBytes, new byte[GROUP_BYTES - writtenBytes]);
        List<Entry> more = new ArrayList<>(written.subList(0, 19));
        assertThat(reopen()).isEqualTo(more);
        try (IntakeLog log = LogFixture.open(new DirectoryVolume(folder), new ArrayList<>())) {
            more.addAll(LogFixture.commitGroups(log, 2, 12));
        }
        overwrite(THIRD, offset(5), last);
        assertThat(reopen()).isEqualTo(more);
    }

    /** A zeroed group, or a bit of the head of a record, also where that is the last of a segment. */
    @ParameterizedTest
    @CsvSource({
        "segment-000003.log, 2, -1, 17",
        "segment-000002.log, 3, 565, 11",
        "segment-000001.log, 6, 560, 7"
    })
    void aDamagedGroupIsCorruption(String file, int group, int bit, int sequence)
            throws IOException {
        if (bit < 0) {
            overwrite(file, offset(group), new byte[GROUP_BYTES]);
        } else {
            flip(file, offset(group) * 8L + bit);
        }
        refuses(
                folder.resolve(file) + ", offset " + offset(group) + ":",
                "sequence " + sequence + " is damaged",
                "Restore this file");
    }

    @Test
    void aFlippedBitInAContentCostsThatContent() throws IOException {
        flip(SECOND, (offset(3) + 3000) * 8L + 5);
        List<Entry> expected = new ArrayList<>(written);
        Entry whole = expected.get(10);
        expected.set(10, new Entry(whole.type(), whole.id(), whole.head(), ""));
        for (int start = 0; start < 2; start++) {
            LogDamage damage = new LogDamage(false, Long::toString);
            assertThat(reopen(damage)).isEqualTo(expected);
            assertThat(damage.found())
                    .singleElement()
                    .asString()
                    .contains(folder.resolve(SECOND).toString(), "of message 11 ");
        }
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
                    .contains("the records from " + lost + " to " + lost + " are lost");
            overwrite(SECOND, offset(group), before);
        }
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
    void aSegmentThatIsNotAsItWasIsNamed() throws IOException {
        byte[] second = Files.readAllBytes(folder.resolve(SECOND));
        flip(SECOND, 35 * 8L);
        refuses(folder.resolve(SECOND).toString(), "header is damaged", "restore");

        ByteBuffer sector = ByteBuffer.wrap(Arrays.copyOf(second, 512));
        sector.putInt(8, 9).putInt(12, 0);
        CRC32C crc = new CRC32C();
        crc.update(sector.array());
        sector.putInt(12, (int) crc.getValue());
        overwrite(SECOND, 0, sector.array());
        refuses("version 9 is not known here (known: 3)");

        Files.write(folder.resolve(SECOND), Arrays.copyOf(second, 20_000));
        refuses(SECOND, "is 20000 bytes long instead of 65536");

        Files.delete(folder.resolve(SECOND));
        refuses("generation 2 is missing", "put the file back");

        Files.write(folder.resolve(SECOND), second);
        Files.copy(folder.resolve(FIRST), folder.resolve("segment-000009.log"));
        refuses("same generation 1", "remove it");

        Files.delete(folder.resolve("segment-000009.log"));
        Files.delete(folder.resolve(FIRST));
        refuses("generation 1 is missing");
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
    void replayStartsWhereTheQueueDatabaseSays() throws IOException {
        List<Entry> found = new ArrayList<>();
        LogDamage damage = new LogDamage(false, Long::toString);
        LogFixture.open(new DirectoryVolume(folder), 2, found, damage).close();
        assertThat(found).isEqualTo(written.subList(GROUPS_A_SEGMENT, 20));
    }

    @Test
    void anInterruptedPreallocationIsCleanedUp() throws IOException {
        Files.write(folder.resolve("segment-000007.log.new"), new byte[1000]);
        assertThat(reopen()).isEqualTo(written);
        assertThat(folder.resolve("segment-000007.log.new")).doesNotExist();
    }

    private void refuses(String... texts) {
        assertThatThrownBy(this::reopen)
                .isInstanceOf(LogException.class)
                .hasMessageContainingAll(texts);
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
