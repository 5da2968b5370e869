package org.hubmark.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Proves that a cut keeps what was flushed, may keep any of the rest and nothing else, and changes nothing for
 * the disk that goes on; that the devices of one machine lose their power at once and each in its own way, so
 * that a flush of one says nothing of another. Each sector is filled with the number of the write that wrote it.
 */
class VolatileDisksTest {
    private static final int SECTOR = VolatileDisk.SECTOR_BYTES;
    private static final int SECTORS = 64;

    private final VolatileDisks devices = new VolatileDisks(2, (long) SECTORS * SECTOR);

    private void write(String name, int sector, int count, int value) {
        byte[] octets = new byte[count * SECTOR];
        Arrays.fill(octets, (byte) value);
        disk(name).write((long) sector * SECTOR, octets);
    }

    private VolatileDisk disk(String name) {
        return Objects.requireNonNull(devices.disk(name), name);
    }

    /** {@return the numbers of all sectors, each of which is of one write alone} */
    private int[] sectors(String name) {
        ByteBuffer octets = ByteBuffer.allocate(SECTORS * SECTOR);
        disk(name).read(0, SECTORS * SECTOR, octets);
        int[] numbers = new int[SECTORS];
        for (int i = 0; i < octets.capacity(); i++) {
            assertThat(i % SECTOR == 0 || octets.get(i) == octets.get(i - 1)).isTrue();
            numbers[i / SECTOR] = octets.get(i);
        }
        return numbers;
    }

    /** {@return what a cut has left of the first device} */
    private int[] cut(int number) {
        assertThat(devices.control("cut " + number + " " + number)).isTrue();
        return sectors("crash-" + number + "-0");
    }

    @Test
    void whatWasFlushedIsThere() {
        write("live-0", 0, SECTORS, 1);
        disk("live-0").flush();
        write("live-0", 10, 20, 2);
        for (int seed = 0; seed < 100; seed++) {
            int[] left = cut(seed);
            for (int i = 0; i < SECTORS; i++) {
                assertThat(left[i]).isIn(1, i >= 10 && i < 30 ? 2 : 1);
            }
        }
    }

    @Test
    void unflushedWritesAreLostTornAndReordered() {
        write("live-0", 0, 8, 1);
        write("live-0", 8, 8, 2);
        Set<String> seen = new HashSet<>();
        for (int seed = 0; seed < 500; seed++) {
            int[] left = cut(seed);
            seen.add(state(left, 0, 1) + " " + state(left, 8, 2));
        }
        assertThat(seen)
                .contains("none none", "all none", "none all", "all all", "torn none", "all torn");
    }

    private static String state(int[] left, int from, int value) {
        long count =
                Arrays.stream(left, from, from + 8).filter(one -> one == value).count();
        return count == 0 ? "none" : count == 8 ? "all" : "torn";
    }

    @Test
    void whatACutHasLeftIsACopyAndIsKeptUntilItIsDropped() {
        write("live-0", 0, SECTORS, 1);
        disk("live-0").flush();
        assertThat(cut(1)).containsOnly(1);
        write("crash-1-0", 5, 1, 3);
        write("live-0", 6, 1, 7);
        disk("live-0").flush();
        assertThat(sectors("crash-1-0")).containsSubsequence(1, 3, 1).doesNotContain(7);
        assertThat(sectors("live-0")).containsSubsequence(1, 7, 1).doesNotContain(3);
        assertThat(cut(2)).isEqualTo(sectors("live-0"));
        devices.control("drop 1");
        assertThat(devices.has("crash-1-0")).isFalse();
    }

    @Test
    void aFlushOfOneSaysNothingOfTheOthersAndEachLosesWhatItLoses() {
        write("live-0", 0, 1, 1);
        write("live-1", 0, 1, 1);
        Set<String> unflushed = new HashSet<>();
        for (int i = 1; i <= 200; i++) {
            unflushed.add(cut(i)[0] + " " + sectors("crash-" + i + "-1")[0]);
        }
        assertThat(unflushed).containsExactlyInAnyOrder("0 0", "0 1", "1 0", "1 1");
        disk("live-1").flush();
        Set<String> flushed = new HashSet<>();
        for (int i = 1; i <= 100; i++) {
            flushed.add(cut(i)[0] + " " + sectors("crash-" + i + "-1")[0]);
        }
        assertThat(flushed).containsExactlyInAnyOrder("0 1", "1 1");
    }

    @Test
    void aDeviceThatIgnoresFlushesLosesWhatItFlushed() {
        write("live-0", 0, 1, 1);
        devices.control("ignore-flushes");
        for (int i = 1; i <= 8; i++) {
            write("live-0", i, 1, 2);
            disk("live-0").flush();
        }
        Set<Integer> seen = new HashSet<>();
        for (int i = 1; i <= 100; i++) {
            int[] left = cut(i);
            assertThat(left[0]).isEqualTo(1);
            // In order: nothing is there without all that was before it.
            int there = 0;
            while (left[there + 1] == 2) {
                there++;
            }
            assertThat(Arrays.stream(left, there + 1, SECTORS)).containsOnly(0);
            seen.add(there);
        }
        assertThat(seen).contains(0, 7);
    }
}
