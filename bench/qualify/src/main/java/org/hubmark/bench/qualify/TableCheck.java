package org.hubmark.bench.qualify;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Checks the checksum of every block of a table, in one pass over the file. One thread.
 */
final class TableCheck {
    private final ReadChannel file;
    private final BlockCheck.Pace pace;
    private long blocks;
    private long badBlocks;

    private TableCheck(ReadChannel file, BlockCheck.Pace pace) {
        this.file = file;
        this.pace = pace;
    }

    /** Checks a file. */
    static BlockCheck.Found check(Path path, ReadChannel.ReadCounter counter, BlockCheck.Pace pace)
            throws IOException, InterruptedException {
        try (ReadChannel file = new ReadChannel(path, counter)) {
            TableCheck check = new TableCheck(file, pace);
            check.run();
            return new BlockCheck.Found(file.bytes(), check.blocks, check.badBlocks);
        }
    }

    private void run() throws IOException, InterruptedException {
        TableFile table = TableFile.of(file::part, file.bytes());
        badBlocks = table.badBlocks();
        blocks = table.blocks().size() + badBlocks;
        long partFrom = 0;
        ByteBuffer part = ByteBuffer.allocate(0);
        for (TableFile.Block block : table.blocks()) {
            CRC32C checksum = new CRC32C();
            ByteBuffer written = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            long at = block.offset();
            long checksumFrom = block.end() - Integer.BYTES;
            while (at < block.end()) {
                while (at >= partFrom + part.limit()) {
                    pace.await();
                    partFrom = file.position();
                    part = file.next();
                }
                boolean ofContent = at < checksumFrom;
                long to = Math.min(ofContent ? checksumFrom : block.end(), partFrom + part.limit());
                ByteBuffer piece = part.slice((int) (at - partFrom), (int) (to - at));
                if (ofContent) {
                    checksum.update(piece);
                } else {
                    written.put(piece);
                }
                at = to;
            }
            if (TableFile.masked(checksum) != written.getInt(0)) {
                badBlocks++;
            }
        }
    }
}
