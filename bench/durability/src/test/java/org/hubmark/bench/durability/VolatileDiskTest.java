package org.hubmark.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Proves that a cut keeps what was flushed, may keep any of the rest and nothing else, and changes
 * nothing for the disk that goes on. Each sector is filled with the number of the write that wrote it.
 */
class VolatileDiskTest {
    private static final int SECTOR = 512;
    private static final int SECTORS = 256;

    @Test
    void whatWasFlushedIsThere() {
        VolatileDisk disk = new VolatileDisk((long) SECTORS * SECTOR);
        disk.write(0, filled(1, SECTORS));
        disk.flush();
        disk.write(10 * SECTOR, filled(2, 20));
        for (long seed = 0; seed < 100; seed++) {
            byte[] left = read(disk.cut(seed));
            for (int i = 0; i < SECTORS; i++) {
                boolean rewritten = i >= 10 && i < 30;
                assertThat(left[i * SECTOR]).isIn((byte) 1, (byte) (rewritten ? 2 : 1));
            }
        }
    }

    @Test
    void unflushedWritesAreLostTornAndReordered() {
        VolatileDisk disk = new VolatileDisk((long) SECTORS * SECTOR);
        disk.write(0, filled(1, 8));
        disk.write(8 * SECTOR, filled(2, 8));
        Set<String> seen = new HashSet<>();
        for (long seed = 0; seed < 500; seed++) {
            byte[] left = read(disk.cut(seed));
            int first = count(left, 0, 1);
            int second = count(left, 8, 2);
            seen.add(state(first) + " " + state(second));
        }
        assertThat(seen)
                .contains("none none", "all none", "none all", "all all", "torn none", "all torn");
    }

    @Test
    void aCutIsACopy() {
        VolatileDisk disk = new VolatileDisk((long) SECTORS * SECTOR);
        disk.write(0, filled(1, SECTORS));
        disk.flush();
        BlockImage left = disk.cut(1);
        BlockImage again = left.copy();
        left.write(5 * SECTOR, filled(9, 1), 0, SECTOR);
        disk.write(6 * SECTOR, filled(7, 1));
        disk.flush();
        assertThat(read(left)[5 * SECTOR]).isEqualTo((byte) 9);
        assertThat(read(left)[6 * SECTOR]).isEqualTo((byte) 1);
        assertThat(read(again)).isEqualTo(filled(1, SECTORS));
        ByteBuffer seen = ByteBuffer.allocate(2 * SECTOR);
        disk.read(5 * SECTOR, 2 * SECTOR, seen);
        assertThat(seen.get(0)).isEqualTo((byte) 1);
        assertThat(seen.get(SECTOR)).isEqualTo((byte) 7);
    }

    private static String state(int sectors) {
        return sectors == 0 ? "none" : sectors == 8 ? "all" : "torn";
    }

    private static int count(byte[] octets, int from, int value) {
        int count = 0;
        for (int i = from; i < from + 8; i++) {
            count += octets[i * SECTOR] == value ? 1 : 0;
        }
        return count;
    }

    private static byte[] filled(int value, int sectors) {
        byte[] octets = new byte[sectors * SECTOR];
        Arrays.fill(octets, (byte) value);
        return octets;
    }

    private static byte[] read(BlockImage image) {
        ByteBuffer octets = ByteBuffer.allocate(SECTORS * SECTOR);
        image.read(0, SECTORS * SECTOR, octets);
        return octets.array();
    }
}
