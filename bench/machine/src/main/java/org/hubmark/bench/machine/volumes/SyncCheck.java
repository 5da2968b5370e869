package org.hubmark.bench.machine.volumes;

import org.HdrHistogram.Histogram;
import org.hubmark.hub.volumes.VolumeFacts;
import org.hubmark.hub.volumes.VolumeStack;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * A short look at whether a sync on a volume is honest, by the judgement of {@code volumes probe}: as
 * many overwritten and synced blocks as fit into a third of a second, on a volume that nobody else
 * writes to meanwhile. Its file has no name any more as soon as it is open. Blocks.
 */
public final class SyncCheck {
    /** About how long one takes; a sync that has begun is waited for. */
    public static final Duration TIME = Duration.ofMillis(350);

    private static final int BLOCK_BYTES = 4096;
    private static final int BLOCKS = 64;
    private static final int SYNCS_MAX = 200;
    private static final long NANOS_MAX = Duration.ofMinutes(10).toNanos();

    private SyncCheck() {}

    /**
     * Looks.
     *
     * @param folder on the volume, writable
     * @param facts of the folder; what it emulates is taken to be in force
     * @throws IOException if nothing can be written there
     * @throws InterruptedException if the thread was interrupted, which is no fault of the volume
     */
    public static SyncReliability of(Path folder, VolumeFacts facts)
            throws IOException, InterruptedException {
        if (facts.emulates() != null) {
            return SyncReliability.judge(new SyncReliability.Evidence(facts, 0, null, true));
        }
        Path name = Files.createTempFile(folder, ".hubmark-look-", ".tmp");
        FileChannel file;
        try {
            file = FileChannel.open(name, StandardOpenOption.WRITE);
        } finally {
            Files.delete(name);
        }
        try (file) {
            return look(file, folder, facts);
        } catch (ClosedByInterruptException e) {
            // Else the next thing that blocks would be interrupted again.
            Thread.interrupted();
            throw new InterruptedException("while a volume was looked at");
        }
    }

    private static SyncReliability look(FileChannel file, Path folder, VolumeFacts facts)
            throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
        for (int i = 0; i < BLOCKS; i++) {
            write(file, block, i);
        }
        // What a file system does once after a file has grown is not part of a sync.
        file.force(true);
        VolumeStack stack = VolumeStack.of(folder);
        Long flushesBefore = stack.flushes();
        Histogram histogram = new Histogram(NANOS_MAX, 3);
        long begun = System.nanoTime();
        long now = begun;
        while (now - begun < TIME.toNanos() && histogram.getTotalCount() < SYNCS_MAX) {
            long start = now;
            write(file, block, (int) histogram.getTotalCount() % BLOCKS);
            file.force(false);
            now = System.nanoTime();
            histogram.recordValue(Math.min(NANOS_MAX, now - start));
        }
        Long flushesAfter = stack.flushes();
        Double flushes = flushesBefore == null || flushesAfter == null
                ? null
                : (flushesAfter - flushesBefore) / (double) histogram.getTotalCount();
        return SyncReliability.judge(new SyncReliability.Evidence(
                facts, histogram.getValueAtPercentile(50) / 1e6, flushes, false));
    }

    private static void write(FileChannel file, ByteBuffer block, int index) throws IOException {
        block.clear();
        long at = (long) index * BLOCK_BYTES;
        while (block.hasRemaining()) {
            at += file.write(block, at);
        }
    }
}
