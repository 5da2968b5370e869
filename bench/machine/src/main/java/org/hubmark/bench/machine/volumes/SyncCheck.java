package org.hubmark.bench.machine.volumes;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumeStack;

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
        Long before = stack.flushes();
        Histogram syncs = Timings.take(TIME.toNanos(), SYNCS_MAX, number -> {
            write(file, block, number % BLOCKS);
            file.force(false);
        });
        Long after = stack.flushes();
        Double flushes = before == null || after == null
                ? null
                : (Double) ((after - before) / (double) syncs.getTotalCount());
        return SyncReliability.judge(new SyncReliability.Evidence(
                facts, syncs.getValueAtPercentile(50) / 1e6, flushes, false));
    }

    private static void write(FileChannel file, ByteBuffer block, long number) throws IOException {
        block.clear();
        DirectFiles.write(file, block, number * BLOCK_BYTES);
    }
}
