package org.hubmark.queue.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what can be read of a file on a medium with bad sectors. A page that can't be read is zeros,
 * which no checksum of ours fits, so it is damage like any other. Any thread; no state.
 */
final class ReadErrors {
    /**
     * A bad sector is a page or some; where more than this of one read fails, the device does, and
     * what is on it may be read again later. Then nothing is taken for lost.
     */
    private static final int UNREADABLE_BYTES_MAX = 256 << 10;

    private ReadErrors() {}

    /**
     * Fills the buffer from a position on, as {@link VolumeFile#read} does.
     *
     * @return the positions in the file of the pages that can't be read; usually none
     * @throws IOException if the device has failed, or the file is closed
     */
    static List<Long> read(VolumeFile file, long position, ByteBuffer target) throws IOException {
        int start = target.position();
        try {
            file.read(position, target);
            return List.of();
        } catch (IOException e) {
            requireBadSector(e);
            target.position(start);
            return readPages(file, position, target, e);
        }
    }

    private static List<Long> readPages(
            VolumeFile file, long position, ByteBuffer target, IOException first)
            throws IOException {
        List<Long> unreadable = new ArrayList<>();
        int limit = target.limit();
        long at = position;
        while (target.position() < limit) {
            int pageRest = LogFormat.PAGE_BYTES - (int) (at % LogFormat.PAGE_BYTES);
            int start = target.position();
            int end = Math.min(limit, start + pageRest);
            target.limit(end);
            try {
                if (file.read(at, target) < end - start) {
                    break;
                }
            } catch (IOException e) {
                requireBadSector(e);
                unreadable.add(at - at % LogFormat.PAGE_BYTES);
                if ((long) unreadable.size() * LogFormat.PAGE_BYTES > UNREADABLE_BYTES_MAX) {
                    throw first;
                }
                target.position(start);
                target.put(new byte[end - start]);
            }
            at += end - start;
        }
        target.limit(limit);
        return unreadable;
    }

    /** EIO has no type of its own in Java; what a closed file or an absent one gives has one. */
    private static void requireBadSector(IOException e) throws IOException {
        if (e.getClass() != IOException.class) {
            throw e;
        }
    }
}
