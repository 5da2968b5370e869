package org.hubmark.bench.volumes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Writes to a volume as the intake log does, and does nothing else: groups of one size, one after the
 * other into a file that is there in full, each with one write and one data sync; from the start
 * again at its end. Prints how many groups it wrote in how many nanoseconds. A process of its own, so
 * that a preloaded emulation of a device holds for it.
 */
final class LogWriterMain {
    private static final int CHUNK_BYTES = 1 << 20;
    /** As much as a segment of the log, and room for some groups. */
    private static final long FILE_BYTES = 64L << 20;

    private static final int GROUPS_MIN = 4;

    private LogWriterMain() {}

    /** Arguments: folder, bytes of a group, milliseconds. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        int groupBytes = Integer.parseInt(arguments[1]);
        long nanos = Long.parseLong(arguments[2]) * 1_000_000;
        Path name = Files.createTempFile(folder, ".hubmark-ceiling-", ".tmp");
        try (FileChannel channel = FileChannel.open(name, StandardOpenOption.WRITE)) {
            Files.delete(name);
            long fileBytes = Math.max(FILE_BYTES, (long) GROUPS_MIN * groupBytes);
            fill(channel, fileBytes);
            write(channel, groupBytes, fileBytes, nanos);
        }
    }

    /** Overwriting needs no journal commit of the file system, as in a recycled segment. */
    private static void fill(FileChannel channel, long bytes) throws IOException {
        ByteBuffer chunk = random(CHUNK_BYTES);
        for (long at = 0; at < bytes; at += CHUNK_BYTES) {
            chunk.clear();
            writeFully(channel, chunk, at);
        }
        channel.force(true);
    }

    private static void write(FileChannel channel, int groupBytes, long fileBytes, long nanos)
            throws IOException {
        ByteBuffer group = random(groupBytes);
        long groups = 0;
        long at = 0;
        long begun = System.nanoTime();
        long now = begun;
        while (now - begun < nanos) {
            group.clear();
            writeFully(channel, group, at);
            channel.force(false);
            now = System.nanoTime();
            groups++;
            at += groupBytes;
            if (at + groupBytes > fileBytes) {
                at = 0;
            }
        }
        System.out.printf(Locale.ROOT, "%d %d%n", groups, now - begun);
    }

    private static ByteBuffer random(int bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        SplittableRandom random = new SplittableRandom(1);
        while (buffer.remaining() >= Long.BYTES) {
            buffer.putLong(random.nextLong());
        }
        return buffer.clear();
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes, long at)
            throws IOException {
        long position = at;
        while (bytes.hasRemaining()) {
            position += channel.write(bytes, position);
        }
    }
}
