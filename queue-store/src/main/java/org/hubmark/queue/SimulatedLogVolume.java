package org.hubmark.queue;

import org.hubmark.queue.log.SimulatedVolume;
import org.hubmark.queue.log.VolumeFile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * A log volume in memory, for tests: it knows what a disk would have forgotten, so a test can cut
 * the power without being root. Outlives the stores that are opened on it, one at a time, with
 * {@link #openStore}.
 *
 * <p>The log has segments of 1 MiB, at most {@value #SEGMENTS_MAX} of them, each twice in memory: as
 * it is read and as it is on the medium. What is beyond half of them goes to the queue database, which lies in a
 * real folder; of that a power cut takes nothing that was flushed. Any thread.
 */
public final class SimulatedLogVolume {
    /** How many segments there are at most. */
    public static final int SEGMENTS_MAX = 8;

    private static final int SEGMENT_BYTES = 1 << 20;

    private final SimulatedVolume volume;

    /** Makes an empty volume; the name is for messages. */
    public SimulatedLogVolume(String name) {
        this.volume = new SimulatedVolume(name);
    }

    /**
     * Opens a store whose intake log is here; only the queue database lies in a folder. The
     * checkpoint depth and the size of segments are this volume's, not the configuration's.
     *
     * @throws StoreException if it can't be opened; the message says why and what to do
     */
    public QueueStore openStore(StoreConfiguration configuration) throws StoreException {
        LogSettings read =
                LogSettings.read(configuration.settings(), configuration.checkpointDepthBytes());
        LogSettings log = new LogSettings(SEGMENT_BYTES, SEGMENTS_MAX / 2, read.freeMin());
        return QueueStore.open(configuration, log, path -> volume);
    }

    /**
     * Cuts the power and gives it again: of what was not synced any subset of the sectors stays, so
     * writes are lost, torn and reordered. A store that has the volume open fails at its next
     * write; end it with {@link QueueStore#closeBroken}. Limits and sync times stay, faults that wait go.
     *
     * @param seed decides what stays; the same seed after the same writes keeps the same
     */
    public void cutPower(long seed) {
        volume.crash(seed);
    }

    /**
     * The nth sync from now on fails; what was written before it never becomes durable.
     *
     * @param seed decides what of it is on the medium all the same
     */
    public void failSync(long nth, long seed) {
        volume.failSync(nth, seed);
    }

    /** The nth write from now on, and each one after it, fails after a part of it was done. */
    public void failWrite(long nth, long seed) {
        volume.failWrite(nth, seed);
    }

    /** Lets the files grow to that many bytes together. */
    public void limit(long bytes) {
        volume.limit(bytes);
    }

    /** Makes each sync take that long. */
    public void delaySync(Duration time) {
        volume.delaySync(time);
    }

    /** {@return how many syncs were asked for so far} */
    public long syncs() {
        return volume.syncs();
    }

    /**
     * {@return when the oldest write was that no sync has covered, by {@link System#nanoTime}; empty
     * if a power cut would take nothing} What a failed sync has lost counts until the power is cut.
     */
    public OptionalLong unsyncedSinceNanos() {
        return volume.unsyncedSinceNanos();
    }

    /**
     * Writes what a reader would see now to the folder of a real log volume, so that what a test has
     * left can be looked into with the command {@code queue}.
     */
    public void copyTo(Path logVolume) throws IOException {
        Path folder = Files.createDirectories(logVolume.resolve(StoreStart.SEGMENTS_FOLDER));
        for (String name : volume.list()) {
            try (VolumeFile file = volume.open(name);
                    FileChannel copy = FileChannel.open(
                            folder.resolve(name),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE)) {
                ByteBuffer octets = ByteBuffer.allocate((int) file.length());
                file.read(0, octets);
                octets.flip();
                while (octets.hasRemaining()) {
                    copy.write(octets);
                }
            }
        }
    }
}
