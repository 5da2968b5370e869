package org.hubmark.bench.machine.volumes;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumeStack;
import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    private static final long NANOS_MAX = Duration.ofMinutes(10).toNanos();
    /** The time is shared out in so many parts; the first sync gets several, the rest one each. */
    private static final int PARTS = 9;

    private static final int SYNC_PARTS = 3;
    private static final long SYNC_EVERY_BYTES = 8L << 20;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Plan plan;
    private final Path folder;
    private final List<FileChannel> open = new ArrayList<>();
    private final ByteBuffer block;
    private long fileBytes;

    /**
     * How to measure.
     *
     * @param duration of all together, about: an operation that has begun is waited for
     * @param fileBytes at most so much is written at one time; half as much again by appending
     */
    public record Plan(Duration duration, long fileBytes) {
        /** Checks what can be measured. */
        public Plan {
            if (fileBytes < 4L * CHUNK_BYTES) {
                throw new IllegalArgumentException("--size is 4MiB or more");
            }
            if (duration.isNegative() || duration.isZero() || duration.toNanos() > NANOS_MAX) {
                throw new IllegalArgumentException("--duration is more than 0 and at most 10m");
            }
        }
    }

    private VolumeProbe(Path folder, Plan plan) {
        this.folder = folder;
        this.plan = plan;
        this.block = buffer(BLOCK_BYTES);
    }

    /**
     * Measures.
     *
     * @param facts of the folder
     * @throws IOException if the folder can't be written to, or its disk is full
     */
    public static ProbeResult run(Path folder, VolumeFacts facts, Plan plan)
            throws IOException, InterruptedException {
        long spare = facts.freeBytes() - plan.fileBytes() - plan.fileBytes() / 2;
        if (spare < 0) {
            throw new IOException("not enough space in " + folder + ": "
                    + megabytes(facts.freeBytes()) + " are free, a file of "
                    + megabytes(plan.fileBytes())
                    + " needs half as much again; choose a smaller --size");
        }
        try (VolumeProbe probe = new VolumeProbe(folder, plan)) {
            return probe.run(facts);
        }
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }

    private ProbeResult run(VolumeFacts facts) throws IOException, InterruptedException {
        Path name = Files.createTempFile(folder, ".hubmark-probe-", ".tmp");
        FileChannel plain;
        FileChannel dsync;
        FileChannel direct;
        try {
            plain = open(name, StandardOpenOption.READ, StandardOpenOption.WRITE);
            dsync = open(name, StandardOpenOption.WRITE, StandardOpenOption.DSYNC);
            direct = openDirect(name);
        } finally {
            Files.delete(name);
        }
        FileChannel bulk = direct == null ? plain : direct;
        double writeRate = fill(bulk, parts(1));
        // What a file system does once after a file has grown is not part of a sync.
        plain.force(true);
        VolumeStack stack = VolumeStack.of(folder);
        Long flushesBefore = stack.flushes();
        Long writesBefore = stack.writes();
        Timings datasync = overwrite(plain, true, parts(SYNC_PARTS));
        Long flushesAfter = stack.flushes();
        Long writesAfter = stack.writes();
        Double flushesPerSync = each(flushesBefore, flushesAfter, datasync.count());
        Timings dsyncs = overwrite(dsync, false, parts(1));
        Timings appends = append(parts(1));
        double readRate = read(bulk, parts(1));
        Timings randomRead = random(bulk, false, parts(1));
        Timings randomWrite = random(bulk, true, parts(1));
        boolean emulated = SyncEmulation.active() && facts.emulates() != null;
        return new ProbeResult(
                facts,
                direct != null,
                emulated,
                fileBytes,
                BLOCK_BYTES,
                new ProbeResult.Syncs(
                        datasync,
                        dsyncs,
                        appends,
                        flushesPerSync,
                        each(writesBefore, writesAfter, datasync.count())),
                new ProbeResult.Sequential(writeRate, readRate),
                new ProbeResult.Random(THREADS, randomWrite, randomRead),
                SyncReliability.judge(new SyncReliability.Evidence(
                        facts, datasync.p50Ms(), flushesPerSync, emulated)));
    }

    /** Writes the file from its start to its end, or as far as the time allows. */
    private double fill(FileChannel channel, long nanos) throws IOException {
        ByteBuffer chunk = buffer(CHUNK_BYTES);
        long begun = System.nanoTime();
        do {
            chunk.clear();
            DirectFiles.write(channel, chunk, fileBytes);
            fileBytes += CHUNK_BYTES;
            if (fileBytes % SYNC_EVERY_BYTES == 0) {
                // Else a slow disk would have all of it to write after the time is over.
                channel.force(false);
            }
        } while (fileBytes + CHUNK_BYTES <= plan.fileBytes() && System.nanoTime() - begun < nanos);
        channel.force(false);
        return rate(fileBytes, begun);
    }

    private Timings overwrite(FileChannel channel, boolean sync, long nanos) throws IOException {
        long blocks = fileBytes / BLOCK_BYTES;
        return timings(nanos, Long.MAX_VALUE, number -> {
            write(channel, number % blocks);
            if (sync) {
                channel.force(false);
            }
        });
    }

    private Timings append(long nanos) throws IOException {
        Path name = Files.createTempFile(folder, ".hubmark-probe-", ".tmp");
        FileChannel channel;
        try {
            channel = open(name, StandardOpenOption.WRITE);
        } finally {
            Files.delete(name);
        }
        return timings(nanos, plan.fileBytes() / 2 / BLOCK_BYTES, number -> {
            write(channel, number);
            channel.force(false);
        });
    }

    private void write(FileChannel channel, long number) throws IOException {
        block.clear();
        DirectFiles.write(channel, block, number * BLOCK_BYTES);
    }

    private static Timings timings(long nanos, long countMax, Timings.Operation operation)
            throws IOException {
        long begun = System.nanoTime();
        Histogram taken = Timings.take(nanos, countMax, operation);
        return Timings.of(taken, System.nanoTime() - begun);
    }

    private double read(FileChannel channel, long nanos) throws IOException {
        ByteBuffer chunk = buffer(CHUNK_BYTES);
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
        ByteBuffer own = buffer(BLOCK_BYTES);
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
        FileChannel channel = DirectFiles.open(name, buffer(CHUNK_BYTES));
        if (channel != null) {
            open.add(channel);
        }
        return channel;
    }

    /** Not zeros, which a device might not write. */
    private ByteBuffer buffer(int bytes) {
        byte[] noise = new byte[bytes];
        new SplittableRandom(SEED).nextBytes(noise);
        return DirectFiles.buffer(bytes).put(0, noise);
    }

    private long parts(int count) {
        return plan.duration().toNanos() * count / PARTS;
    }

    private static double rate(long bytes, long begun) {
        return bytes * NANOS_PER_SECOND / Math.max(1, System.nanoTime() - begun);
    }

    private static @Nullable Double each(@Nullable Long before, @Nullable Long after, long count) {
        return before == null || after == null ? null : (after - before) / (double) count;
    }

    @Override
    public void close() throws IOException {
        for (FileChannel channel : open) {
            channel.close();
        }
    }
}
