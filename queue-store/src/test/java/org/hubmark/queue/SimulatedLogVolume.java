package org.hubmark.queue;

import org.hubmark.core.FileErrors;
import org.hubmark.core.StoreException;
import org.hubmark.queue.log.DirectIo;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.log.VolumeFile;
import org.hubmark.queue.simulation.SimulatedDatabase;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.hubmark.queue.table.ContentFiles;
import org.hubmark.queue.table.QueueDatabase;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
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
 * <p>The log has at most {@value #SEGMENTS_MAX} segments, each twice in memory: as it is read and as it
 * is on the medium. What is beyond half of them goes to the queue database, whose tables lie in a real
 * folder and whose contents lie in memory too; of its files a power cut leaves what was synced, and any
 * part of the rest. Any thread.
 */
public final class SimulatedLogVolume {
    /** How many segments there are at most. */
    public static final int SEGMENTS_MAX = 8;

    private static final int SEGMENT_BYTES = 1 << 20;

    /** Where something can happen in the midst of what the store does. */
    public enum Part {
        /** The segments of the log. */
        LOG,
        /** The content files. */
        CONTENT,
        /** The queue database. */
        DATABASE
    }

    private final SimulatedVolume volume;
    private final int segmentBytes;
    private final long memtableBytesMax;
    private @Nullable SimulatedDatabase database;
    private long databaseSeed;

    /** Makes an empty volume with segments of 1 MiB; the name is for messages. */
    public SimulatedLogVolume(String name) {
        this(name, SEGMENT_BYTES, Long.MAX_VALUE);
    }

    /**
     * Makes an empty volume whose log wraps sooner.
     *
     * @param memtableBytesMax of the queue database: a small one fills while a segment is moved
     */
    public SimulatedLogVolume(String name, int segmentBytes, long memtableBytesMax) {
        this.volume = new SimulatedVolume(name);
        this.segmentBytes = segmentBytes;
        this.memtableBytesMax = memtableBytesMax;
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
        LogSettings log = new LogSettings(
                // Whatever lives shortly is to meet rewriting too.
                segmentBytes,
                SEGMENTS_MAX / 2,
                read.freeMin(),
                Duration.ZERO,
                read.stallTime(),
                read.indexBytesMax(),
                DirectIo.AUTO);
        SimulatedDatabase files = turnOn(configuration.queueVolume());
        return QueueStore.open(configuration, log, new StoreStart.Segments() {
            @Override
            public Volume open(Path logVolume) {
                return volume;
            }

            @Override
            public SimulatedDatabase database() {
                return files;
            }
        });
    }

    /**
     * Cuts the power: of what was not synced any subset of the sectors stays, so writes are lost, torn
     * and reordered; so are new, renamed and deleted files. A store that has the volume open fails at
     * its next write; end it with {@link QueueStore#closeBroken}. The next one that is opened has power
     * again. Limits and sync times stay, faults that wait go.
     *
     * @param seed decides what stays; the same seed after the same writes keeps the same
     */
    public void cutPower(long seed) {
        // Both at one moment: no sync of the log comes between, and one of the database's that does
        // is as good as one before.
        synchronized (volume) {
            volume.cut(seed);
            databaseSeed = seed;
            if (database != null) {
                try {
                    database.cutPower(seed);
                } catch (IOException e) {
                    throw new UncheckedIOException("the simulated queue database", e);
                }
            }
        }
    }

    /**
     * Calls back once, on the thread of the store, before the nth write, sync or change of names of
     * the log from now on: to cut the power there.
     */
    public void beforeOperation(long nth, Runnable runnable) {
        volume.callBefore(nth, runnable);
    }

    /**
     * The same of any part, where it may also throw an Error: nothing is done of the operation then. Of a
     * database that was never opened there is none.
     */
    public void beforeOperation(Part part, long nth, Runnable runnable) {
        SimulatedDatabase files = database;
        switch (part) {
            case LOG -> volume.callBefore(nth, runnable);
            case CONTENT -> {
                if (files != null) {
                    files.content().callBefore(nth, runnable);
                }
            }
            case DATABASE -> {
                if (files != null) {
                    files.callBefore(nth, runnable);
                }
            }
        }
    }

    /** From now on some writes take fewer bytes than they are given, and go on in another call. */
    public void shortenWrites(long seed) {
        volume.shortenWrites(seed);
    }

    /** {@return whether the power has been cut since a store was opened} */
    public boolean isOff() {
        return volume.isOff();
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
     * Writes what a reader would see now to the folder of a real log volume, and the contents to the
     * queue volume, so that what a test has left can be looked into with the command {@code queue}.
     */
    public void copyTo(Path logVolume) throws IOException {
        volume.turnOn();
        copy(volume, logVolume.resolve(StoreStart.SEGMENTS_FOLDER));
        SimulatedDatabase files = database;
        if (files != null) {
            copy(files.content(), files.queueVolume().resolve(ContentFiles.FOLDER));
        }
    }

    private static void copy(Volume from, Path to) throws IOException {
        Path folder = Files.createDirectories(to);
        for (String name : from.list()) {
            try (VolumeFile file = from.open(name);
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

    /** {@return the volume itself} */
    SimulatedVolume volume() {
        return volume;
    }

    /** Gives the power again, before the next store or who else looks at what the cut has left. */
    SimulatedDatabase turnOn(Path queueVolume) throws StoreException {
        synchronized (volume) {
            volume.turnOn();
            SimulatedDatabase files = database == null
                    ? new SimulatedDatabase(queueVolume, QueueDatabase.FOLDER, memtableBytesMax)
                    : database;
            database = files;
            try {
                files.turnOn(databaseSeed);
            } catch (IOException e) {
                throw new StoreException(
                        "can't simulate the queue database: " + FileErrors.text(e), e);
            }
            return files;
        }
    }
}
