package org.hubmark.bench.machine.volumes;

import org.hubmark.hub.volumes.VolumeStack;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SplittableRandom;

/**
 * That a file system was written for real before anything was measured on it: a fresh SSD, and a fresh
 * image of a virtual disk, are faster than they stay, or slower until their space is there.
 *
 * @param paths of the volumes that lie on it
 * @param device by the kernel's name; null for a virtual file system
 * @param writtenBytes that do not compress and do not repeat
 * @param direct whether they went past the page cache
 * @param seconds of writing
 * @param beginMbPerS how fast the first tenth was, MB of 1000 KB
 * @param endMbPerS how fast the last tenth was
 */
public record Preconditioned(
        List<String> paths,
        @Nullable String device,
        long writtenBytes,
        boolean direct,
        double seconds,
        double beginMbPerS,
        double endMbPerS) {
    /** At most this share of the free space is written: others may live on the file system. */
    static final double FREE_SHARE_MAX = 0.25;

    private static final int CHUNK_BYTES = 1 << 20;
    /** Where the page cache can't be passed by, it is not to take all of it first. */
    private static final int SYNC_EVERY_CHUNKS = 8;

    /** Copies the list. */
    public Preconditioned {
        paths = List.copyOf(paths);
    }

    /** {@return how much would be written there: whole MiB, at least one} */
    public static long bytes(Path folder, long bytesMax) throws IOException {
        double free = Files.getFileStore(folder).getUsableSpace() * FREE_SHARE_MAX;
        return Math.max(1, (long) Math.min(free, (double) bytesMax) / CHUNK_BYTES) * CHUNK_BYTES;
    }

    /**
     * Writes the file system from the start of a file to its end. The file has no name any more as soon
     * as it is open, so that nothing is left behind however this ends.
     *
     * @param volumes folders on one file system
     * @param bytesMax less is written where the free space does not allow it: {@link #bytes}
     * @param seed of the octets
     */
    public static Preconditioned write(List<Path> volumes, long bytesMax, long seed)
            throws IOException, InterruptedException {
        Path folder = volumes.getFirst();
        long chunks = bytes(folder, bytesMax) / CHUNK_BYTES;
        Path name = Files.createTempFile(folder, ".hubmark-precondition-", ".tmp");
        Octets octets = new Octets(seed);
        FileChannel direct = null;
        try (FileChannel plain = FileChannel.open(name, StandardOpenOption.WRITE)) {
            direct = DirectFiles.open(name, octets.next());
            Files.delete(name);
            long[] nanos = write(direct == null ? plain : direct, direct == null, octets, chunks);
            int tenth = Math.max(1, nanos.length / 10);
            return new Preconditioned(
                    volumes.stream().map(Path::toString).toList(),
                    VolumeStack.of(folder).deviceName(),
                    chunks * CHUNK_BYTES,
                    direct != null,
                    sum(nanos, 0, nanos.length) / 1e9,
                    rate(nanos, 0, tenth),
                    rate(nanos, nanos.length - tenth, nanos.length));
        } catch (ClosedByInterruptException e) {
            // Else the next thing that blocks would be interrupted again.
            Thread.interrupted();
            throw new InterruptedException("while a volume was written");
        } finally {
            if (direct != null) {
                direct.close();
            }
            Files.deleteIfExists(name);
        }
    }

    /** {@return how long each chunk took} To make its octets is not part of that. */
    private static long[] write(FileChannel file, boolean cached, Octets octets, long chunks)
            throws IOException {
        long[] nanos = new long[Math.toIntExact(chunks)];
        for (int i = 0; i < nanos.length; i++) {
            ByteBuffer chunk = octets.next();
            long begun = System.nanoTime();
            DirectFiles.write(file, chunk, (long) i * CHUNK_BYTES);
            if (i == nanos.length - 1 || (cached && i % SYNC_EVERY_CHUNKS == 0)) {
                file.force(false);
            }
            nanos[i] = System.nanoTime() - begun;
        }
        return nanos;
    }

    private static double rate(long[] nanos, int from, int to) {
        return (double) (to - from) * CHUNK_BYTES * 1e3 / Math.max(1, sum(nanos, from, to));
    }

    private static long sum(long[] nanos, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += nanos[i];
        }
        return sum;
    }

    /** Random ones: a device that compresses, or finds repeats, has to write them all. */
    private static final class Octets {
        private final SplittableRandom random;
        private final byte[] noise = new byte[CHUNK_BYTES];
        private final ByteBuffer chunk = DirectFiles.buffer(CHUNK_BYTES);

        Octets(long seed) {
            this.random = new SplittableRandom(seed);
        }

        ByteBuffer next() {
            random.nextBytes(noise);
            return chunk.clear().put(0, noise);
        }
    }
}
