package org.hubmark.bench.durability;

import org.hubmark.bench.machine.folders.Folders;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Bits that a medium has changed behind a server's back. One thread. */
final class BitFlips {
    private static final int BITS_MAX = 4;
    private static final int TRIES_MAX = 1000;
    private static final int SURROUNDINGS_BYTES = 512;

    private BitFlips() {}

    /**
     * Changes some bits of the files that a killed server has left, but for its tracking.
     *
     * @return where, as words; empty if there is nothing but zeros
     */
    static String flip(Path data, Random random) throws IOException {
        List<Path> files = new ArrayList<>();
        long total = 0;
        for (Path file : Folders.files(data)) {
            if (Files.size(file) > 0 && !file.toString().contains("/tracking/")) {
                files.add(file);
                total += Files.size(file);
            }
        }
        List<String> flipped = new ArrayList<>();
        int bits = 1 + random.nextInt(BITS_MAX);
        for (int tries = 0; flipped.size() < bits && tries < TRIES_MAX; tries++) {
            long at = (long) (random.nextDouble() * total);
            for (Path file : files) {
                if (at < Files.size(file)) {
                    if (flip(file, at, random.nextInt(8))) {
                        flipped.add(data.relativize(file) + "@" + at);
                    }
                    break;
                }
                at -= Files.size(file);
            }
        }
        return String.join(" ", flipped);
    }

    /** Changes a bit; not where all around is zero, which is most of a file that is not used yet. */
    private static boolean flip(Path file, long at, int bit) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            byte[] around = new byte[(int) Math.min(SURROUNDINGS_BYTES, open.length() - at)];
            open.seek(at);
            open.readFully(around);
            if (Arrays.equals(around, new byte[around.length])) {
                return false;
            }
            open.seek(at);
            open.write(around[0] ^ 1 << bit);
            return true;
        }
    }
}
