package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Reads and writes past the page cache take at least the time that they would take on the emulated
 * device. How much longer they take than that is this machine's, and not asserted.
 */
class DirectReadsTest {
    private static final int BLOCK = 32_768;
    private static final int BLOCKS = 20;
    private static final long REVOLUTION = 60_000_000_000L / 7200;
    private static final long POSITIONING = 11_000_000 + REVOLUTION / 2;
    private static final long TRANSFER = BLOCK * 1_000_000_000L / 62_000_000;
    private static final int FILE_BYTES = 12 << 20;

    private static final int RUNS = 20;

    /** Of all tests, each of which has another device: the library is compiled once. */
    @TempDir
    static Path emulation;

    @TempDir
    Path folder;

    private Path disk;
    private Path file;

    @BeforeEach
    void make() throws IOException {
        assumeTrue(PreloadLibrary.obstacle() == null, "no C compiler");
        disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(DirectFiles.arePossible(disk), "no direct I/O here");
        file = Files.write(disk.resolve("file"), new byte[FILE_BYTES]);
    }

    @Test
    void aReadAtARandomPlaceMovesTheHead() throws Exception {
        SyncEmulation emulation = acting(DeviceProfile.SATA_7200, 1);
        long took = run(emulation, "read", apart(0, BLOCKS));
        assertThat(took).isGreaterThanOrEqualTo(BLOCKS * (POSITIONING + TRANSFER));
        SyncEmulation.Counters counters = Objects.requireNonNull(emulation.counters(disk));
        assertThat(counters.reads()).isEqualTo(BLOCKS);
        assertThat(counters.readNanos()).isBetween(BLOCKS * (POSITIONING + TRANSFER), took);
        assertThat(counters.syncs()).isZero();
    }

    @Test
    void readsOneAfterTheOtherDoNot() throws Exception {
        SyncEmulation emulation = acting(DeviceProfile.SATA_7200, 1);
        List<Long> places = new ArrayList<>();
        for (int i = 0; i < BLOCKS; i++) {
            places.add((long) i * BLOCK);
        }
        long apart = BLOCKS * (POSITIONING + TRANSFER);
        assertThat(fastest(apart, emulation, "read", places))
                .isBetween(POSITIONING + BLOCKS * TRANSFER, apart - 1);
        Collections.reverse(places);
        assertThat(run(emulation, "read", places)).as("backwards").isGreaterThanOrEqualTo(apart);
    }

    @Test
    void threadsShareOneHead() throws Exception {
        SyncEmulation emulation = acting(DeviceProfile.SATA_7200, 1);
        assertThat(run(emulation, "read", apart(0, BLOCKS), apart(1, BLOCKS)))
                .isGreaterThanOrEqualTo(2 * BLOCKS * (POSITIONING + TRANSFER));
        SyncEmulation.Counters counters = Objects.requireNonNull(emulation.counters(disk));
        assertThat(counters.readNanos())
                .as("each waits for the other's")
                .isGreaterThanOrEqualTo(3 * BLOCKS * (POSITIONING + TRANSFER));
    }

    /** Threads that keep to one stripe each, and then to the same. */
    @Test
    void aStripedOneHasAHeadForEachDevice() throws Exception {
        SyncEmulation emulation = acting(DeviceProfile.SATA_7200, 2);
        // All blocks that apart names have even places, in units of 64 KiB.
        List<Long> odd = apart(0, BLOCKS).stream().map(at -> at + 65_536).toList();
        long onOne = 2 * BLOCKS * (POSITIONING + TRANSFER) - POSITIONING;
        assertThat(run(emulation, "read", apart(0, BLOCKS), apart(0, BLOCKS)))
                .isGreaterThanOrEqualTo(onOne);
        assertThat(fastest(onOne, emulation, "read", apart(0, BLOCKS), odd))
                .isBetween(BLOCKS * (POSITIONING + TRANSFER), onOne - 1);
    }

    /** Through the page cache, and of a device of which no time is known. */
    @ParameterizedTest
    @CsvSource({"SATA_7200, buffered", "SCSI_15K_BBWC, read"})
    void otherReadsAreNotDelayed(DeviceProfile profile, String what) throws Exception {
        SyncEmulation emulation = acting(profile, 1);
        var unused = run(emulation, what, apart(0, BLOCKS));
        assertThat(Objects.requireNonNull(emulation.counters(disk)).reads()).isZero();
    }

    @Test
    void flashReadsSeveralAtATime() throws Exception {
        SyncEmulation emulation = acting(DeviceProfile.NVME, 1);
        assertThat(run(emulation, "read", apart(0, BLOCKS)))
                .isGreaterThanOrEqualTo(BLOCKS * 85_000L);
    }

    /** The first one is next to what opening the file wrote. */
    @Test
    void aWriteThatNobodySyncsTakesTheDevicesTimeToo() throws Exception {
        SyncEmulation emulation = acting(DeviceProfile.SATA_7200, 1);
        assertThat(run(emulation, "write", apart(0, BLOCKS)))
                .isGreaterThanOrEqualTo((BLOCKS - 1) * (POSITIONING + TRANSFER));
        Path cached = Files.createDirectory(folder.resolve("cached"));
        disk = cached;
        file = Files.write(cached.resolve("file"), new byte[FILE_BYTES]);
        long limit = (BLOCKS - 1) * (POSITIONING + TRANSFER);
        assertThat(fastest(
                        limit, acting(DeviceProfile.SATA_7200_CACHE, 1), "write", apart(0, BLOCKS)))
                .as("a cache answers")
                .isLessThan(limit);
    }

    /** What was there and its parity are read first, and their sectors come round again. */
    @Test
    void aWriteOfLessThanARowOfRaid5ReadsFirst() throws Exception {
        SyncEmulation emulation = acting(DeviceProfile.SATA_7200_RAID5, 1);
        assertThat(run(emulation, "write", apart(0, BLOCKS)))
                .isGreaterThanOrEqualTo((BLOCKS - 1) * (POSITIONING + TRANSFER + REVOLUTION));
        assertThat(run(emulation, "read", apart(0, BLOCKS)))
                .isGreaterThanOrEqualTo(BLOCKS * (POSITIONING + TRANSFER));
    }

    /** Two threads on the same pair: each reads from a disk of its own, and both write to both. */
    @ParameterizedTest
    @EnumSource(names = {"SATA_7200_RAID1", "SATA_7200_RAID10"})
    void aPairSharesReadsAndNoWrites(DeviceProfile profile) throws Exception {
        SyncEmulation emulation = acting(profile, 1);
        long onOne = (2 * BLOCKS - 1) * (POSITIONING + TRANSFER);
        assertThat(run(emulation, "write", apart(0, BLOCKS), apart(1, BLOCKS)))
                .isGreaterThanOrEqualTo(onOne);
        assertThat(fastest(onOne, emulation, "read", apart(0, BLOCKS), apart(1, BLOCKS)))
                .isLessThan(onOne);
    }

    private SyncEmulation acting(DeviceProfile profile, int stripes) throws IOException {
        return SyncEmulation.prepare(
                emulation, List.of(new SyncEmulation.Device(disk, profile, stripes)));
    }

    /** Places in no order, none beside another; from another number others. */
    private static List<Long> apart(int from, int count) {
        List<Long> places = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            places.add((long) (i * 7 % count) * 4 * 131_072 + from * 131_072L);
        }
        return places;
    }

    /** Of some runs, or the first that is below a limit: one alone may have been held up by the machine. */
    @SafeVarargs
    private long fastest(long limit, SyncEmulation emulation, String what, List<Long>... threads)
            throws IOException, InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < RUNS && least >= limit; i++) {
            least = Math.min(least, run(emulation, what, threads));
        }
        return least;
    }

    @SafeVarargs
    private long run(SyncEmulation emulation, String what, List<Long>... threads)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // It lives for less than a second.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                DirectReadsMain.class.getName(),
                file.toString(),
                what,
                String.valueOf(BLOCK)));
        for (List<Long> places : threads) {
            command.add(String.join(",", places.stream().map(String::valueOf).toList()));
        }
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(emulation.environment());
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(process.waitFor()).isZero();
        return Long.parseLong(out.strip());
    }
}
