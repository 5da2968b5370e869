package org.hubmark.bench.volumes;

import org.hubmark.queue.log.DirectIo;
import org.hubmark.queue.log.DirectoryVolume;
import org.hubmark.queue.log.LogFormat;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.log.VolumeFile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
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
        // A group is whole pages.
        int pages = Math.ceilDiv(Integer.parseInt(arguments[1]), LogFormat.PAGE_BYTES);
        int groupBytes = pages * LogFormat.PAGE_BYTES;
        long nanos = Long.parseLong(arguments[2]) * 1_000_000;
        // Past the page cache where the log goes that way.
        Volume volume = DirectIo.AUTO.use(new DirectoryVolume(folder));
        String name = ".hubmark-ceiling-" + ProcessHandle.current().pid() + ".tmp";
        try (VolumeFile file = volume.create(name)) {
            volume.delete(name);
            long fileBytes = Math.max(FILE_BYTES, (long) GROUPS_MIN * groupBytes);
            fill(file, fileBytes);
            write(file, groupBytes, fileBytes, nanos);
        }
    }

    /** Overwriting needs no journal commit of the file system, as in a recycled segment. */
    private static void fill(VolumeFile file, long bytes) throws IOException {
        ByteBuffer chunk = random(CHUNK_BYTES);
        for (long at = 0; at < bytes; at += CHUNK_BYTES) {
            file.write(at, new ByteBuffer[] {chunk.clear()}, 1);
        }
        file.sync();
    }

    private static void write(VolumeFile file, int groupBytes, long fileBytes, long nanos)
            throws IOException {
        ByteBuffer group = random(groupBytes);
        ByteBuffer[] groupAlone = {group};
        long groups = 0;
        long at = 0;
        long begun = System.nanoTime();
        long now = begun;
        while (now - begun < nanos) {
            group.clear();
            file.write(at, groupAlone, 1);
            file.sync();
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
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes + LogFormat.PAGE_BYTES)
                .alignedSlice(LogFormat.PAGE_BYTES)
                .slice(0, bytes);
        SplittableRandom random = new SplittableRandom(1);
        while (buffer.remaining() >= Long.BYTES) {
            buffer.putLong(random.nextLong());
        }
        return buffer.clear();
    }
}
