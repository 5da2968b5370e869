package org.hubmark.bench.machine.volumes;

import org.hubmark.bench.machine.statistics.SteadyWindows;
import org.hubmark.hub.volumes.VolumeStack;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Record of a file system that was written and read until its rates were steady, before any
 * measurement on it: the rates of a fresh SSD, a fresh image of a virtual disk and a cloud volume
 * with credits change with use.
 *
 * @param paths of the volumes that lie on it
 * @param device by the kernel's name; null for a virtual file system
 * @param writtenBytes that do not compress and do not repeat
 * @param direct whether they went past the page cache
 * @param seconds of it all
 * @param beginMbPerS how fast the first tenth of the file was first written, MB of 1000 KB
 * @param endMbPerS how fast it was written in the last five windows; of the file's last tenth in
 *     earlier files
 * @param steadiness whether the rates were steady; null in earlier files
 */
public record Preconditioned(
        List<String> paths,
        @Nullable String device,
        long writtenBytes,
        boolean direct,
        double seconds,
        double beginMbPerS,
        double endMbPerS,
        @Nullable Steadiness steadiness) {
    /** The file takes at most this share of the free space: others may live on the file system. */
    static final double FREE_SHARE_MAX = 0.25;

    private static final int CHUNK_BYTES = 1 << 20;
    /** Where the page cache can't be passed by, it is not to take all of it first. */
    private static final int SYNC_EVERY_CHUNKS = 8;

    /** Copies the list. */
    public Preconditioned {
        paths = List.copyOf(paths);
    }

    /**
     * How long, and with how large a file.
     *
     * @param fileBytes at most; less where the free space does not allow it: {@link #bytes}
     * @param atMost after the file is written once
     * @param seed of the octets and places
     */
    public record Effort(long fileBytes, Duration atMost, long seed) {}

    /** {@return how long it takes at least, after the file is written once} */
    public static Duration atLeast(Duration atMost) {
        return SteadyLoad.window(atMost).multipliedBy(SteadyWindows.COUNT);
    }

    /** {@return how much was written, how fast, and whether that was steady} */
    public String words() {
        return String.format(
                Locale.ROOT,
                "%.1f GB written, %.0f MB/s first and %.0f MB/s last; %s",
                writtenBytes / 1e9,
                beginMbPerS,
                endMbPerS,
                steadiness == null
                        ? "it was not checked whether that was steady"
                        : steadiness.words());
    }

    /** {@return how large the file would be there: whole MiB, at least one} */
    public static long bytes(Path folder, long bytesMax) throws IOException {
        double free = Files.getFileStore(folder).getUsableSpace() * FREE_SHARE_MAX;
        return Math.max(1, (long) Math.min(free, (double) bytesMax) / CHUNK_BYTES) * CHUNK_BYTES;
    }

    /**
     * Writes a file from its start to its end, then goes on writing and reading it in turn until the
     * rates are steady. The file has no name any more as soon as it is open, so that nothing is left
     * behind however this ends.
     *
     * @param volumes folders on one file system
     * @param heard gets the rates of each window as it ends
     */
    public static Preconditioned untilSteady(
            List<Path> volumes, Effort effort, Consumer<Steadiness.Rates> heard)
            throws IOException, InterruptedException {
        Path folder = volumes.getFirst();
        long chunks = bytes(folder, effort.fileBytes()) / CHUNK_BYTES;
        Path name = Files.createTempFile(folder, ".hubmark-precondition-", ".tmp");
        Octets octets = new Octets(effort.seed());
        long begun = System.nanoTime();
        FileChannel direct = null;
        try (FileChannel plain =
                FileChannel.open(name, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            direct = DirectFiles.open(name, octets.next());
            Files.delete(name);
            FileMedium file =
                    new FileMedium(direct == null ? plain : direct, direct == null, octets, chunks);
            double beginMbPerS = file.fill();
            Steadiness steadiness =
                    new SteadyLoad(file, CHUNK_BYTES, System::nanoTime).run(effort.atMost(), heard);
            plain.force(false);
            Double endMbPerS = steadiness.writeMbPerS();
            return new Preconditioned(
                    volumes.stream().map(Path::toString).toList(),
                    VolumeStack.of(folder).deviceName(),
                    file.written * CHUNK_BYTES,
                    direct != null,
                    (System.nanoTime() - begun) / 1e9,
                    beginMbPerS,
                    endMbPerS == null ? beginMbPerS : endMbPerS,
                    steadiness);
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

    /** A file that is written in a circle, and read anywhere. */
    private static final class FileMedium implements SteadyLoad.Medium {
        private final FileChannel file;
        private final boolean cached;
        private final Octets octets;
        private final long chunks;
        private final ByteBuffer read = DirectFiles.buffer(CHUNK_BYTES);
        private ByteBuffer next;
        private long written;

        FileMedium(FileChannel file, boolean cached, Octets octets, long chunks) {
            this.file = file;
            this.cached = cached;
            this.octets = octets;
            this.chunks = chunks;
            this.next = octets.next();
        }

        /** {@return how fast the first tenth was, MB a second} */
        double fill() throws IOException {
            long tenth = Math.max(1, chunks / 10);
            long nanos = 0;
            for (long i = 0; i < chunks; i++) {
                prepare();
                long begun = System.nanoTime();
                write();
                nanos += i < tenth ? System.nanoTime() - begun : 0;
            }
            file.force(false);
            return tenth * CHUNK_BYTES * 1e3 / Math.max(1, nanos);
        }

        @Override
        public void prepare() {
            next = octets.next();
        }

        @Override
        public void write() throws IOException {
            DirectFiles.write(file, next, written % chunks * CHUNK_BYTES);
            written++;
            if (cached && written % SYNC_EVERY_CHUNKS == 0) {
                file.force(false);
            }
        }

        @Override
        public void read() throws IOException {
            long at = octets.random.nextLong(chunks) * CHUNK_BYTES;
            read.clear();
            while (read.hasRemaining()) {
                int count = file.read(read, at + read.position());
                if (count < 0) {
                    throw new IOException("the file is shorter than what was written to it");
                }
            }
        }
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
