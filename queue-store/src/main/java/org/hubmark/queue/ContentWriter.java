package org.hubmark.queue;

import org.hubmark.queue.log.LogFormat;
import org.hubmark.queue.log.Pages;
import org.hubmark.queue.table.ContentExtent;
import org.hubmark.queue.table.ContentFiles;
import org.hubmark.queue.table.ContentPlace;
import org.hubmark.queue.table.QueueBatch;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Appends extents to content files, in large writes from a buffer that is aligned for writing past
 * the page cache. One thread.
 *
 * <p>What was appended can be read after {@link #write}. It is durable after {@link #sync}, and
 * only then the database may rely on it. Each write is padded to a block, so that no later one
 * touches a block that is durable.
 */
final class ContentWriter {
    private final ContentFiles files;
    private final long fileBytesMax;
    private final ByteBuffer buffer;
    private long number;
    private long writtenBytes;
    private boolean hasFile;
    private boolean isNew;
    private boolean unsynced;
    private Repetition repetition = failure -> false;

    /**
     * Begins with a new file.
     *
     * @param extentBytesMax the longest extent; one write takes as much, most extents are much shorter
     * @param fileBytesMax how large a file has to be for another to be begun at the next sync
     */
    ContentWriter(ContentFiles files, int extentBytesMax, long fileBytesMax) {
        this.files = files;
        this.buffer = Pages.allocate((int) LogFormat.paddedBytes(extentBytesMax));
        this.fileBytesMax = fileBytesMax;
    }

    /** Does something. */
    interface Step {
        void run() throws IOException;
    }

    /** Hears of a failure; says whether to try again. */
    interface Repetition {
        boolean isWanted(IOException failure) throws IOException;

        /** Does a step, again and again as long as that is wanted. */
        default void attempt(Step step) throws IOException {
            while (true) {
                try {
                    step.run();
                    return;
                } catch (IOException e) {
                    if (!isWanted(e)) {
                        throw e;
                    }
                }
            }
        }
    }

    /** From now on asks whether to try again when a file can't be made or written to. A sync is not repeated. */
    void ask(Repetition asked) {
        repetition = asked;
    }

    /** {@return whether so many octets can be appended without a write} */
    boolean hasRoomFor(int octets) {
        return octets <= buffer.remaining();
    }

    /** Copies an extent, from position to limit. {@return where it will be} */
    ContentPlace append(ByteBuffer octets, ContentExtent extent) throws IOException {
        if (!hasFile) {
            repetition.attempt(() -> number = files.create());
            writtenBytes = 0;
            hasFile = true;
            isNew = true;
        }
        ContentPlace place =
                new ContentPlace(number, Math.toIntExact(writtenBytes + buffer.position()), extent);
        ByteBuffer rest = octets.duplicate();
        while (rest.hasRemaining()) {
            if (!buffer.hasRemaining()) {
                write();
            }
            int count = Math.min(rest.remaining(), buffer.remaining());
            buffer.put(buffer.position(), rest, rest.position(), count);
            buffer.position(buffer.position() + count);
            rest.position(rest.position() + count);
        }
        return place;
    }

    /** Writes what was appended. */
    void write() throws IOException {
        if (buffer.position() == 0) {
            return;
        }
        while (buffer.position() % LogFormat.PAGE_BYTES != 0) {
            buffer.put((byte) 0);
        }
        int count = buffer.position();
        repetition.attempt(
                () -> files.write(number, writtenBytes, buffer.duplicate().flip()));
        buffer.clear();
        writtenBytes += count;
        unsynced = true;
    }

    /**
     * Makes what was written durable.
     *
     * @param batch gets the note that the database relies on it from now on
     */
    void sync(QueueBatch batch) throws IOException {
        write();
        if (!unsynced) {
            return;
        }
        files.sync(number, isNew);
        isNew = false;
        unsynced = false;
        batch.putContentFile(number, writtenBytes);
        if (writtenBytes >= fileBytesMax) {
            closeFile();
        }
    }

    /** Lets what follows go to another file. {@return a number above those of all files so far} */
    long endFile() throws IOException {
        if (unsynced || buffer.position() > 0) {
            throw new IllegalStateException("a file can only be ended when it was synced");
        }
        closeFile();
        return files.nextNumber();
    }

    private void closeFile() throws IOException {
        if (hasFile) {
            files.endFile(number);
        }
        hasFile = false;
    }
}
