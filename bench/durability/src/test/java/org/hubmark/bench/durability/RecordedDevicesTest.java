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
class RecordedDevicesTest {
    private static final int SECTOR = RecordedDisk.SECTOR_BYTES;
    private static final int SECTORS = 64;

    private final RecordedDevices devices = new RecordedDevices(2, (long) SECTORS * SECTOR);

    @Test
    void aFlushOfOneSaysNothingOfTheOther() {
        write("live-0", 0, 1);
        write("live-1", 0, 1);
        disk("live-1").flush();
        Set<String> seen = new HashSet<>();
        for (int i = 1; i <= 100; i++) {
            assertThat(devices.control("cut live " + i + " " + i)).isTrue();
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
            devices.control("cut live " + i + " " + i);
            seen.add(first("crash-" + i + "-0") + " " + first("crash-" + i + "-1"));
        }
        assertThat(seen).containsExactlyInAnyOrder("0 0", "0 1", "1 0", "1 1");
    }

    @Test
    void aCutSaysHowMuchWasNotFlushed() {
        write("live-0", 0, 1);
        write("live-1", 0, 1);
        disk("live-1").flush();
        write("live-1", 1, 2);
        write("live-1", 2, 3);
        devices.control("cut live 1 1");
        assertThat(status("unflushed-1")).isEqualTo(3);
        disk("live-0").flush();
        disk("live-1").flush();
        devices.control("cut live 2 1");
        assertThat(status("unflushed-2")).isZero();
        // What was on the way to the disks comes to them after the cut.
        write("live-0", 5, 4);
        assertThat(status("unflushed-1")).isEqualTo(4);
        assertThat(status("unflushed-2")).isOne();
        devices.control("cut crash-2 3 1");
        devices.control("drop 2");
        write("live-0", 6, 5);
        assertThat(status("unflushed-2")).isEqualTo(2);
    }

    @Test
    void anArmedCutComesWithTheWriteOrFlushItWasArmedFor() {
        devices.control("arm live 7 1 3");
        write("live-0", 0, 1);
        disk("live-0").flush();
        devices.served("live-0");
        assertThat(devices.has("crash-7-0")).isFalse();
        long before = System.nanoTime();
        write("live-1", 0, 1);
        assertThat(devices.has("crash-7-1")).isTrue();
        assertThat(first("crash-7-0")).isEqualTo(1);
        assertThat(status("cut-7")).isBetween(before, System.nanoTime());
        write("live-0", 0, 2);
        assertThat(first("crash-7-0")).isEqualTo(1);
    }

    @Test
    void whatACutHasLeftCanBeCutAgain() {
        write("live-0", 0, 1);
        disk("live-0").flush();
        devices.control("cut live 1 1");
        write("crash-1-0", 1, 2);
        write("crash-1-0", 0, 3);
        disk("crash-1-0").flush();
        write("crash-1-0", 0, 4);
        devices.control("cut crash-1 2 5");
        byte[] left = read("crash-2-0");
        assertThat(left[SECTOR]).isEqualTo((byte) 2);
        assertThat(left[0]).isIn((byte) 3, (byte) 4);
        assertThat(first("kept-1-0")).isEqualTo(1);
        devices.control("drop 1");
        assertThat(devices.has("crash-1-0")).isFalse();
        assertThat(devices.has("kept-1-0")).isFalse();
        assertThat(devices.control("cut crash-1 3 5")).isFalse();
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
            devices.control("cut live " + i + " " + i);
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

    @Test
    void itIgnoresFlushesAfterACutToo() {
        devices.control("ignore-flushes");
        devices.control("cut live 1 1");
        write("crash-1-0", 1, 2);
        disk("crash-1-0").flush();
        assertThat(disk("crash-1-0").unflushed()).isOne();
        assertThat(disk("kept-1-0").ignoresFlushes()).isFalse();
    }

    private void write(String name, int sector, int value) {
        byte[] octets = new byte[SECTOR];
        Arrays.fill(octets, (byte) value);
        disk(name).write((long) sector * SECTOR, octets);
        devices.served(name);
    }

    private RecordedDisk disk(String name) {
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

    private long status(String key) {
        return devices.status()
                .lines()
                .filter(line -> line.startsWith(key + " "))
                .mapToLong(line -> Long.parseLong(line.substring(key.length() + 1)))
                .sum();
    }
}
