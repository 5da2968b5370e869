package org.hubmark.bench.qualify.pages;

import org.hubmark.bench.machine.volumes.DirectFiles;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Where the log begins that a store needs after a crash. It is written in turn into two blocks of a file,
 * so that one of them is whole.
 *
 * @param number of this one, from 1
 * @param lsn that place
 * @param opening number of the last opening of the store
 */
record Checkpoint(long number, long lsn, int opening) {
    private static final Checkpoint NONE = new Checkpoint(0, 0, 0);
    private static final int BLOCK = DirectFiles.ALIGNMENT_BYTES;
    private static final int CONTENT_BYTES = 2 * Long.BYTES + Integer.BYTES;

    /** {@return the last one; a number of 0 when there is none} */
    static Checkpoint read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return NONE;
        }
        ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file));
        Checkpoint last = NONE;
        for (int at = 0; at + BLOCK <= all.capacity(); at += BLOCK) {
            Checkpoint one = new Checkpoint(
                    all.getLong(at), all.getLong(at + Long.BYTES), all.getInt(at + 2 * Long.BYTES));
            boolean isSound = all.getInt(at + CONTENT_BYTES) == crc(all.slice(at, CONTENT_BYTES));
            if (isSound && one.number > last.number) {
                last = one;
            }
        }
        if (last.number == 0) {
            throw new IOException(file + " is damaged: it has no checkpoint");
        }
        return last;
    }

    /** Writes it; it is durable then. */
    void write(FileChannel file) throws IOException {
        ByteBuffer block = DirectFiles.buffer(BLOCK);
        block.putLong(number).putLong(lsn).putInt(opening);
        block.putInt(crc(block.slice(0, CONTENT_BYTES))).position(0);
        DirectFiles.write(file, block, number % 2 * BLOCK);
        file.force(true);
    }

    private static int crc(ByteBuffer content) {
        CRC32C crc = new CRC32C();
        crc.update(content);
        return (int) crc.getValue();
    }
}
