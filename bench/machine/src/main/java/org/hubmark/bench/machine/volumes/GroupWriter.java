package org.hubmark.bench.machine.volumes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a volume holds when it is written to as the intake log writes, by nothing else: groups, one after the
 * other, into a file that is there in full, each with one data sync; from the start again at its end. Past the
 * page cache and through it, of which the faster counts. Blocks.
 */
public final class GroupWriter {
    /** As much as a segment of the log, and room for some groups. */
    private static final long FILE_BYTES = 64L << 20;

    private static final int GROUPS_MIN = 4;

    private final List<Groups> sizes;
    private final SplittableRandom random;
    private final ByteBuffer noise;
    private final long fileBytes;

    /**
     * Groups of about one size.
     *
     * @param weight how often such a one is written, beside those of the other sizes
     * @param writes before the sync of each
     * @param writeBytes of each write; rounded up to whole pages
     * @param messages in each, on average
     */
    public record Groups(long weight, int writes, int writeBytes, double messages) {}

    private GroupWriter(List<Groups> sizes, long seed) {
        this.sizes = sizes;
        this.random = new SplittableRandom(seed);
        this.noise = DirectFiles.noise(
                pages(sizes.stream().mapToInt(Groups::writeBytes).max().orElseThrow()));
        this.fileBytes = Math.max(FILE_BYTES, (long) GROUPS_MIN * noise.capacity());
    }

    /**
     * {@return messages a second, in groups whose sizes are drawn from those given}
     *
     * @param folder on the volume; nothing is left in it
     * @param sizes at least one
     * @param seed of the order in which they come
     * @param time past the page cache, and through it
     * @throws IOException if the volume can't be written
     */
    public static double messagesPerSecond(
            Path folder, List<Groups> sizes, long seed, Duration time)
            throws IOException, InterruptedException {
        GroupWriter writer = new GroupWriter(sizes, seed);
        Path name = Files.createTempFile(folder, ".hubmark-ceiling-", ".tmp");
        try (FileChannel plain = FileChannel.open(name, StandardOpenOption.WRITE);
                FileChannel direct = DirectFiles.open(name)) {
            Files.delete(name);
            // Overwriting needs no journal commit of the file system, as in a recycled segment.
            for (long at = 0; at < writer.fileBytes; at += writer.noise.capacity()) {
                DirectFiles.write(plain, writer.noise.clear(), at);
            }
            plain.force(true);
            double through = writer.rate(plain, time.toNanos());
            return direct == null
                    ? through
                    : Math.max(through, writer.rate(direct, time.toNanos()));
        } catch (ClosedByInterruptException e) {
            // Else the next thing that blocks would be interrupted again.
            Thread.interrupted();
            throw new InterruptedException("while a volume was written");
        } finally {
            Files.deleteIfExists(name);
        }
    }

    private double rate(FileChannel file, long nanos) throws IOException {
        double messages = 0;
        long at = 0;
        long begun = System.nanoTime();
        long now = begun;
        while (now - begun < nanos) {
            Groups next = draw(sizes, random);
            int bytes = pages(next.writeBytes());
            for (int i = 0; i < next.writes(); i++) {
                at = at + bytes > fileBytes ? 0 : at;
                DirectFiles.write(file, noise.clear().limit(bytes), at);
                at += bytes;
            }
            file.force(false);
            messages += next.messages();
            now = System.nanoTime();
        }
        return messages * 1e9 / (now - begun);
    }

    private static int pages(int bytes) {
        return Math.ceilDiv(bytes, DirectFiles.ALIGNMENT_BYTES) * DirectFiles.ALIGNMENT_BYTES;
    }

    /** {@return one of the sizes, each as often as it weighs} */
    static Groups draw(List<Groups> sizes, SplittableRandom random) {
        long left = random.nextLong(sizes.stream().mapToLong(Groups::weight).sum());
        int place = 0;
        while (left >= sizes.get(place).weight()) {
            left -= sizes.get(place++).weight();
        }
        return sizes.get(place);
    }
}
