package org.hubmark.queue;

import org.hubmark.queue.log.DirectIo;
import org.hubmark.queue.log.DirectoryVolume;
import org.hubmark.queue.log.LogFormat;
import org.hubmark.queue.log.Pages;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.log.VolumeFile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Groups, written to a volume the way the intake log writes them, and nothing else: one after the
 * other into a file that is there in full, past the page cache where the log goes that way, each
 * with one data sync; from the start again at its end. For what a volume could take at most. One
 * thread.
 */
public final class BareGroups implements AutoCloseable {
    private static final int CHUNK_BYTES = 1 << 20;

    /** As much as a segment of the log, and room for some groups. */
    private static final long FILE_BYTES = 64L << 20;

    private static final int GROUPS_MIN = 4;

    private final VolumeFile file;
    private final long fileBytes;
    private final ByteBuffer[] group;
    private long offset;

    private BareGroups(VolumeFile file, long fileBytes, ByteBuffer group) {
        this.file = file;
        this.fileBytes = fileBytes;
        this.group = new ByteBuffer[] {group};
    }

    /**
     * Makes the file, which has no name by the time that this returns.
     *
     * @param groupBytesMax of the largest group; rounded up to whole pages
     */
    public static BareGroups create(Path folder, int groupBytesMax) throws IOException {
        Volume volume = DirectIo.AUTO.use(new DirectoryVolume(folder));
        String name = ".hubmark-ceiling-" + ProcessHandle.current().pid() + ".tmp";
        VolumeFile file = volume.create(name);
        volume.delete(name);
        ByteBuffer group = random(pages(groupBytesMax));
        long fileBytes = Math.max(FILE_BYTES, (long) GROUPS_MIN * group.capacity());
        // Overwriting needs no journal commit of the file system, as in a recycled segment.
        ByteBuffer chunk = random(CHUNK_BYTES);
        for (long at = 0; at < fileBytes; at += CHUNK_BYTES) {
            file.write(at, new ByteBuffer[] {chunk.clear()}, 1);
        }
        file.sync();
        return new BareGroups(file, fileBytes, group);
    }

    /** Makes a group of the largest size durable, by one write and one sync. */
    public void write() throws IOException {
        write(group[0].capacity(), 1);
    }

    /**
     * Makes a group durable, by one sync after its writes.
     *
     * @param writeBytes of each write, rounded up to whole pages; no more than the largest group
     * @param writes in the group
     */
    public void write(int writeBytes, int writes) throws IOException {
        for (int i = 0; i < writes; i++) {
            group[0].clear().limit(pages(writeBytes));
            int bytes = group[0].remaining();
            if (offset + bytes > fileBytes) {
                offset = 0;
            }
            file.write(offset, group, 1);
            offset += bytes;
        }
        file.sync();
    }

    private static int pages(int bytes) {
        return (int) LogFormat.paddedBytes(bytes);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** Not zeros, which a device might not write. */
    private static ByteBuffer random(int bytes) {
        ByteBuffer buffer = Pages.allocate(bytes);
        SplittableRandom random = new SplittableRandom(1);
        while (buffer.remaining() >= Long.BYTES) {
            buffer.putLong(random.nextLong());
        }
        return buffer.clear();
    }
}
