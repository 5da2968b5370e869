package org.hubmark.bench.machine.volumes;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumeStack;
import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures what a volume can do, within a time and a space. Its files have no name any more as soon
 * as they are open, so that nothing is left behind however it ends. One thread, which starts those
 * that read and write at random.
 */
public final class VolumeProbe implements Closeable {
    /** Size of a synced and of a random operation: a page of most databases' caches and file systems. */
    private static final int BLOCK_BYTES = 4096;

    /** So many read and write at random at the same time. */
    private static final int THREADS = 4;

    /** Seed of the random places. */
    private static final long SEED = 1;

    /** Size of a sequential read or write. */
    private static final int CHUNK_BYTES = 1 << 20;

    /** The least that is written. */
    public static final long FILE_BYTES_MIN = 4L * CHUNK_BYTES;

    /** The time is shared out in so many parts; the first sync gets several, the rest one each. */
    private static final int PARTS = 7;

    private static final int SYNC_PARTS = 3;
    private static final long SYNC_EVERY_BYTES = 8L << 20;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String PREFIX = ".hubmark-probe-";
    private static final String SUFFIX = ".tmp";

    /** About how long a short look takes; a sync that has begun is waited for. */
    public static final Duration LOOK_TIME = Duration.ofMillis(350);

    private static final int LOOK_BLOCKS = 64;
    private static final int LOOK_SYNCS_MAX = 200;

    private final long fileBytesMax;
    private final Path folder;
    private final List<FileChannel> open = new ArrayList<>();
    private final ByteBuffer block;
    private long fileBytes;

    private VolumeProbe(Path folder, long fileBytesMax) {
        this.folder = folder;
        this.fileBytesMax = fileBytesMax;
        this.block = DirectFiles.noise(BLOCK_BYTES);
    }

    /**
     * Measures.
     *
     * @param facts of the folder
     * @param duration of all together, about: an operation that has begun is waited for
     * @param fileBytes at most so much is written; {@link #FILE_BYTES_MIN} or more
     * @throws IOException if the folder can't be written to, or its disk is full
     */
    public static ProbeResult run(Path folder, VolumeFacts facts, Duration duration, long fileBytes)
            throws IOException, InterruptedException {
        if (facts.freeBytes() < fileBytes) {
            throw new IOException("not enough space in " + folder + ": " + facts.freeBytes()
                    + " bytes are free; choose a smaller --size");
        }
        try (VolumeProbe probe = new VolumeProbe(folder, fileBytes)) {
            return probe.run(facts, duration.toNanos() / PARTS);
        }
    }

    /**
     * Looks shortly whether a sync on a volume is honest: as many overwritten and synced blocks as fit into
     * a third of a second, on a volume that nobody else writes to meanwhile.
     *
     * @param folder on the volume, writable
     * @param facts of the folder; what it emulates is taken to be in force
     * @throws IOException if nothing can be written there
     * @throws InterruptedException if the thread was interrupted, which is no fault of the volume
     */
    public static SyncReliability look(Path folder, VolumeFacts facts)
            throws IOException, InterruptedException {
        if (facts.emulates() != null) {
            return SyncReliability.judge(facts, 0, null, true);
        }
        try (VolumeProbe probe = new VolumeProbe(folder, LOOK_BLOCKS * BLOCK_BYTES)) {
            FileChannel file = probe.unnamed();
            double unused = probe.fill(file, BLOCK_BYTES, Long.MAX_VALUE);
            Syncs syncs = probe.syncs(file, LOOK_TIME.toNanos(), LOOK_SYNCS_MAX);
            return SyncReliability.judge(facts, syncs.times.p50Ms(), syncs.flushesEach, false);
        } catch (ClosedByInterruptException e) {
            // Else the next thing that blocks would be interrupted again.
            Thread.interrupted();
            throw new InterruptedException("while a volume was looked at");
        }
    }

    /** Blocks that were overwritten and synced, with what the device counted for each; null if nothing. */
    private record Syncs(Timings times, @Nullable Double flushesEach) {}

    private ProbeResult run(VolumeFacts facts, long partNanos)
            throws IOException, InterruptedException {
        Path name = Files.createTempFile(folder, PREFIX, SUFFIX);
        FileChannel plain;
        FileChannel direct;
        try {
            plain = open(name, StandardOpenOption.READ, StandardOpenOption.WRITE);
            direct = openDirect(name);
        } finally {
            Files.delete(name);
        }
        FileChannel bulk = direct == null ? plain : direct;
        double writeRate = fill(bulk, CHUNK_BYTES, partNanos);
        Syncs syncs = syncs(plain, SYNC_PARTS * partNanos, Long.MAX_VALUE);
        double readRate = read(bulk, partNanos);
        Timings randomRead = random(bulk, false, partNanos);
        Timings randomWrite = random(bulk, true, partNanos);
        boolean emulated = SyncEmulation.active() && facts.emulates() != null;
        return new ProbeResult(
                facts,
                direct != null,
                emulated,
                fileBytes,
                BLOCK_BYTES,
                new ProbeResult.Syncs(syncs.times, syncs.flushesEach),
                new ProbeResult.Sequential(writeRate, readRate),
                new ProbeResult.Random(THREADS, randomWrite, randomRead),
                SyncReliability.judge(facts, syncs.times.p50Ms(), syncs.flushesEach, emulated));
    }

    /** Writes the file from its start to its end, or as far as the time allows. */
    private double fill(FileChannel channel, int pieceBytes, long nanos) throws IOException {
        ByteBuffer piece = DirectFiles.noise(pieceBytes);
        long begun = System.nanoTime();
        do {
            piece.clear();
            DirectFiles.write(channel, piece, fileBytes);
            fileBytes += pieceBytes;
            if (fileBytes % SYNC_EVERY_BYTES == 0) {
                // Else a slow disk would have all of it to write after the time is over.
                channel.force(false);
            }
        } while (fileBytes + pieceBytes <= fileBytesMax && System.nanoTime() - begun < nanos);
        channel.force(false);
        return rate(fileBytes, begun);
    }

    private Syncs syncs(FileChannel file, long nanos, long countMax) throws IOException {
        // What a file system does once after a file has grown is not part of a sync.
        file.force(true);
        VolumeStack stack = VolumeStack.of(folder);
        Long before = stack.flushes();
        long blocks = fileBytes / BLOCK_BYTES;
        long begun = System.nanoTime();
        Histogram taken = Timings.take(nanos, countMax, number -> {
            block.clear();
            DirectFiles.write(file, block, number % blocks * BLOCK_BYTES);
            file.force(false);
        });
        Timings times = Timings.of(taken, System.nanoTime() - begun);
        Long after = stack.flushes();
        return new Syncs(
                times,
                before == null || after == null
                        ? null
                        : (Double) ((after - before) / (double) times.count()));
    }

    private FileChannel unnamed() throws IOException {
        Path name = Files.createTempFile(folder, PREFIX, SUFFIX);
        try {
            return open(name, StandardOpenOption.WRITE);
        } finally {
            Files.delete(name);
        }
    }

    private double read(FileChannel channel, long nanos) throws IOException {
        ByteBuffer chunk = DirectFiles.noise(CHUNK_BYTES);
        long begun = System.nanoTime();
        long bytes = 0;
        long at = 0;
        do {
            chunk.clear();
            bytes += channel.read(chunk, at);
            at = at + 2 * CHUNK_BYTES > fileBytes ? 0 : at + CHUNK_BYTES;
        } while (System.nanoTime() - begun < nanos);
        return rate(bytes, begun);
    }

    private Timings random(FileChannel channel, boolean write, long nanos)
            throws IOException, InterruptedException {
        Histogram all = Timings.histogram();
        SplittableRandom seeds = new SplittableRandom(SEED);
        long begun = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(
                THREADS, Thread.ofPlatform().name("probe-", 0).factory())) {
            List<Future<Histogram>> parts = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                SplittableRandom random = seeds.split();
                parts.add(threads.submit(() -> randomly(channel, write, nanos, random)));
            }
            for (Future<Histogram> part : parts) {
                all.add(part.get());
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
        }
        return Timings.of(all, System.nanoTime() - begun);
    }

    /** What one thread does. */
    private Histogram randomly(
            FileChannel channel, boolean write, long nanos, SplittableRandom random)
            throws IOException {
        ByteBuffer own = DirectFiles.noise(BLOCK_BYTES);
        long blocks = fileBytes / BLOCK_BYTES;
        return Timings.take(nanos, Long.MAX_VALUE, number -> {
            long at = random.nextLong(blocks) * BLOCK_BYTES;
            own.clear();
            if (write) {
                DirectFiles.write(channel, own, at);
            } else if (channel.read(own, at) != BLOCK_BYTES) {
                throw new IOException("a read of " + BLOCK_BYTES + " bytes fell short");
            }
        });
    }

    private FileChannel open(Path name, OpenOption... options) throws IOException {
        FileChannel channel = FileChannel.open(name, options);
        open.add(channel);
        return channel;
    }

    /** {@return a channel past the page cache, or null where the file system has none} */
    private @Nullable FileChannel openDirect(Path name) throws IOException {
        FileChannel channel = DirectFiles.open(name);
        if (channel != null) {
            open.add(channel);
        }
        return channel;
    }

    private static double rate(long bytes, long begun) {
        return bytes * NANOS_PER_SECOND / Math.max(1, System.nanoTime() - begun);
    }

    @Override
    public void close() throws IOException {
        for (FileChannel channel : open) {
            channel.close();
        }
    }
}
