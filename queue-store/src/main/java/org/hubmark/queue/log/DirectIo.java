package org.hubmark.queue.log;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/**
 * Use of direct I/O: whether the log is written past the page cache. That saves a copy of each
 * large message and the kernel's bookkeeping for its pages. The price is paid by whoever reads the
 * log later: it reads from the device.
 */
public enum DirectIo {
    /** Where a short trial shows that it is not slower; not on a spindle, where later reads seek. */
    AUTO,
    /** Always; refused where the file system has no O_DIRECT. */
    ON,
    /** Never. */
    OFF;

    private static final Logger LOG = LoggerFactory.getLogger(DirectIo.class);

    private static final String TRIAL = "direct-trial";
    private static final int TRIAL_PAGES = 64;

    /** Least number of trial writes each way: the first writes of a file say little. */
    private static final int TRIAL_WRITES_MIN = 4;

    /** What speaks against direct I/O has to do so for this long, since others may use the disk. */
    private static final long TRIAL_NANOS_MAX = 400_000_000;

    /** A spindle turns in 4 ms or more (15,000 a minute), and a sync waits for it. */
    private static final long SPINDLE_SYNC_NANOS = 3_000_000;

    /** Differences below are noise, and the CPU that is spared is worth more. */
    private static final double SLOWER_MAX = 1.5;

    /**
     * {@return what opens a file for direct I/O} By its name: the compiler warns of a class of the JDK that
     * is not in Java SE, and warnings end the build.
     */
    static OpenOption openOption() throws IOException {
        try {
            Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
            return (OpenOption) options.getField("DIRECT").get(null);
        } catch (ReflectiveOperationException e) {
            throw new IOException("this Java runtime has no O_DIRECT", e);
        }
    }

    /** {@return whether files such as one that is there can be written past the page cache} */
    public static boolean isPossible(Path file) {
        try (FileChannel direct = FileChannel.open(file, StandardOpenOption.READ, openOption())) {
            return direct.isOpen();
        } catch (UnsupportedOperationException | IOException e) {
            return false;
        }
    }

    /**
     * {@return the volume as the log is to use it}
     *
     * @param volume one that is a folder, or it stays as it is
     * @throws LogException if direct I/O is asked for and the file system has none
     */
    public Volume use(Volume volume) throws IOException {
        if (this == OFF || !(volume instanceof DirectoryVolume buffered)) {
            return volume;
        }
        DirectoryVolume direct = buffered.withDirectIo(openOption());
        String why = refusal(buffered, direct);
        if (why.isEmpty()) {
            LOG.debug("{}: the log is written past the page cache", buffered.folder());
            return direct;
        }
        if (this == ON) {
            throw new LogException(buffered.folder() + ": direct I/O " + why
                    + "; set store.log.direct to auto or off");
        }
        LOG.atInfo()
                .addKeyValue("event", "log_through_cache")
                .log(
                        "{}: the log is written through the page cache: direct I/O {}",
                        buffered.folder(),
                        why);
        return buffered;
    }

    /** {@return why direct I/O isn't used, or nothing} */
    private String refusal(DirectoryVolume buffered, DirectoryVolume direct) throws IOException {
        long blockBytes = Files.getFileStore(buffered.folder()).getBlockSize();
        if (LogFormat.PAGE_BYTES % blockBytes != 0) {
            return "needs blocks of at most 4096 bytes, and these have " + blockBytes;
        }
        deleteTrial(buffered);
        try {
            if (this == AUTO) {
                return compare(buffered, direct);
            }
            try (VolumeFile file = direct.create(TRIAL)) {
                write(file, noise());
            }
            return "";
        } catch (UnsupportedOperationException | IOException e) {
            return "is not possible here (" + e.getMessage() + ")";
        } finally {
            deleteTrial(buffered);
        }
    }

    private static void deleteTrial(Volume volume) throws IOException {
        if (volume.list().contains(TRIAL)) {
            volume.delete(TRIAL);
        }
    }

    private static String compare(DirectoryVolume buffered, DirectoryVolume direct)
            throws IOException {
        ByteBuffer noise = noise();
        // Into blocks that the file has, as the log does.
        try (VolumeFile file = buffered.create(TRIAL)) {
            write(file, noise);
        }
        // The fastest of each: what other work on the machine adds says nothing of the volume.
        long bufferedNanos = Long.MAX_VALUE;
        long directNanos = Long.MAX_VALUE;
        String why = "";
        try (VolumeFile through = buffered.open(TRIAL);
                VolumeFile past = direct.open(TRIAL)) {
            long startNanos = System.nanoTime();
            for (int i = 0; i < TRIAL_WRITES_MIN || !why.isEmpty(); i++) {
                if (i > 0 && System.nanoTime() - startNanos > TRIAL_NANOS_MAX) {
                    break;
                }
                bufferedNanos = Math.min(bufferedNanos, write(through, noise));
                directNanos = Math.min(directNanos, write(past, noise));
                why = judge(bufferedNanos, directNanos);
            }
        }
        return why;
    }

    /** {@return what the fastest writes say against direct I/O, or nothing} */
    static String judge(long bufferedNanos, long directNanos) {
        if (Math.min(bufferedNanos, directNanos) > SPINDLE_SYNC_NANOS) {
            return "is not used: a sync takes as long as a spindle's turn, and reads would seek";
        }
        return directNanos > SLOWER_MAX * bufferedNanos
                ? "is not used: a write and sync takes " + directNanos / 1000
                        + " us, through the cache " + bufferedNanos / 1000
                : "";
    }

    /** Not zeros, which a device might not write. */
    private static ByteBuffer noise() {
        ByteBuffer pages = Pages.allocate(TRIAL_PAGES * LogFormat.PAGE_BYTES);
        byte[] noise = new byte[pages.capacity()];
        new SplittableRandom(1).nextBytes(noise);
        return pages.put(noise);
    }

    /** {@return how long it took, with a sync} */
    private static long write(VolumeFile file, ByteBuffer pages) throws IOException {
        long startNanos = System.nanoTime();
        file.write(0, new ByteBuffer[] {pages.clear()}, 1);
        file.sync();
        return System.nanoTime() - startNanos;
    }
}
