package org.hubmark.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Proves that the devices of one machine lose their power at once and each in its own way, that a flush
 * of one says nothing of another. Each sector is filled with the number of the write that wrote it.
 */
class VolatileDisksTest {
    private static final int SECTOR = VolatileDisk.SECTOR_BYTES;
    private static final int SECTORS = 64;

    private final VolatileDisks devices = new VolatileDisks(2, (long) SECTORS * SECTOR);

    @Test
    void aFlushOfOneSaysNothingOfTheOther() {
        write("live-0", 0, 1);
        write("live-1", 0, 1);
        disk("live-1").flush();
        Set<String> seen = new HashSet<>();
        for (int i = 1; i <= 100; i++) {
            assertThat(devices.control("cut " + i + " " + i)).isTrue();
            assertThat(first("crash-" + i + "-1")).isEqualTo(1);
            seen.add("" + first("crash-" + i + "-0"));
        }
        assertThat(seen).containsExactlyInAnyOrder("0", "1");
    }

    @Test
    void eachLosesWhatItLoses() {
        write("live-0", 0, 1);
        write("live-1", 0, 1);
        Set<String> seen = new HashSet<>();
        for (int i = 1; i <= 200; i++) {
            devices.control("cut " + i + " " + i);
            seen.add(first("crash-" + i + "-0") + " " + first("crash-" + i + "-1"));
        }
        assertThat(seen).containsExactlyInAnyOrder("0 0", "0 1", "1 0", "1 1");
    }

    @Test
    void whatACutHasLeftIsKeptUntilItIsDropped() {
        write("live-0", 0, 1);
        disk("live-0").flush();
        devices.control("cut 1 1");
        write("crash-1-0", 0, 3);
        assertThat(first("crash-1-0")).isEqualTo(3);
        assertThat(first("live-0")).isEqualTo(1);
        devices.control("drop 1");
        assertThat(devices.has("crash-1-0")).isFalse();
    }

    @Test
    void aDeviceThatIgnoresFlushesLosesWhatItFlushed() {
        write("live-0", 0, 1);
        devices.control("ignore-flushes");
        Set<Byte> seen = new HashSet<>();
        for (int i = 1; i <= 8; i++) {
            write("live-0", i, 2);
            disk("live-0").flush();
        }
        for (int i = 1; i <= 100; i++) {
            devices.control("cut " + i + " " + i);
            byte[] left = read("crash-" + i + "-0");
            assertThat(left[0]).isEqualTo((byte) 1);
            // In order: nothing is there without all that was before it.
            byte there = 0;
            while (left[(there + 1) * SECTOR] == 2) {
                there++;
            }
            for (int later = there + 1; later <= 8; later++) {
                assertThat(left[later * SECTOR]).isZero();
            }
            seen.add(there);
        }
        assertThat(seen).contains((byte) 0, (byte) 7);
    }

    private void write(String name, int sector, int value) {
        byte[] octets = new byte[SECTOR];
        Arrays.fill(octets, (byte) value);
        disk(name).write((long) sector * SECTOR, octets);
    }

    private VolatileDisk disk(String name) {
        return Objects.requireNonNull(devices.disk(name), name);
    }

    private int first(String name) {
        return read(name)[0];
    }

    private byte[] read(String name) {
        ByteBuffer octets = ByteBuffer.allocate(SECTORS * SECTOR);
        disk(name).read(0, SECTORS * SECTOR, octets);
        return octets.array();
    }
}
