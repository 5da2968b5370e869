package org.hubmark.queue;

import org.hubmark.core.PrivateFiles;
import org.hubmark.core.QueueId;
import org.hubmark.core.StoreException;
import org.hubmark.queue.log.Counterpart;
import org.hubmark.queue.log.DirectoryVolume;
import org.hubmark.queue.log.IntakeLog;
import org.hubmark.queue.log.LogDamage;
import org.hubmark.queue.log.LogRecord;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.log.VolumeFullException;
import org.hubmark.queue.table.DatabaseFiles;
import org.hubmark.queue.table.DatabaseRows;
import org.hubmark.queue.table.DatabaseSettings;
import org.hubmark.queue.table.Entry;
import org.hubmark.queue.table.MessageTable;
import org.hubmark.queue.table.QueueDatabase;
import org.hubmark.queue.table.Totals;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What a store has after its start: its volumes, the queue database, the intake log, and the messages
 * that the two hold. Closing it closes them.
 *
 * @param database the queue database
 * @param rows its rows and what is to change in them
 * @param log the intake log
 * @param witness what the queue volume knows of the log
 * @param messages what both hold
 * @param preallocator makes segments; its thread is {@code log-preallocator}
 * @param replayed records of the log that were read
 */
record StoreStart(
        StoreVolumes volumes,
        QueueDatabase database,
        DatabaseRows rows,
        IntakeLog log,
        StoreWitness witness,
        Messages messages,
        ExecutorService preallocator,
        long replayed)
        implements AutoCloseable {
    static final String SEGMENTS_FOLDER = "segments";

    private static final Logger LOG = LoggerFactory.getLogger(QueueStore.class);

    /** Replayed changes to the database are written when there are so many. */
    private static final int REPLAY_CHANGES_MAX = 10_000;

    /** Gives the volume of the segments when the store's lock is held. */
    interface Segments {
        Volume open(Path logVolume) throws IOException;

        /** {@return what says how many bytes of the queue volume are free} */
        default FreeSpace.Gauge queueFree(Path queueVolume) throws IOException {
            FileStore queue = Files.getFileStore(queueVolume);
            return queue::getUsableSpace;
        }

        /** {@return the files of the queue database; null for those of its folder} */
        default @Nullable DatabaseFiles database() {
            return null;
        }
    }

    /** {@return where the segments of a log volume lie} */
    static Volume segments(Path logVolume) throws IOException {
        Path folder = PrivateFiles.createFolders(logVolume.resolve(SEGMENTS_FOLDER));
        return new DirectoryVolume(folder, PrivateFiles.ofFiles(folder));
    }

    /**
     * Opens the volumes, the database and the log, and replays the one on the other.
     *
     * @throws StoreException if they don't fit together or are damaged; says what to do
     */
    static StoreStart open(
            StoreConfiguration configuration,
            LogSettings logSettings,
            DatabaseSettings databaseSettings,
            LogDamage damage,
            Segments segments)
            throws IOException {
        StoreVolumes volumes =
                StoreVolumes.open(configuration, logSettings, databaseSettings, segments);
        boolean opened = false;
        try {
            StoreStart parts = replay(
                    configuration,
                    logSettings,
                    databaseSettings,
                    damage,
                    volumes,
                    segments.database());
            opened = true;
            return parts;
        } finally {
            if (!opened) {
                volumes.close();
            }
        }
    }

    private static StoreStart replay(
            StoreConfiguration configuration,
            LogSettings logSettings,
            DatabaseSettings databaseSettings,
            LogDamage damage,
            StoreVolumes volumes,
            @Nullable DatabaseFiles files)
            throws IOException {
        StoreIdentity identity = volumes.identity();
        Volume volume = volumes.segments();
        Path queueVolume = configuration.queueVolume();
        StoreWitness witness = StoreWitness.open(queueVolume, identity.store());
        QueueDatabase database = null;
        ExecutorService preallocator =
                Executors.newSingleThreadExecutor(task -> new Thread(task, "log-preallocator"));
        DatabaseRows rows = null;
        IntakeLog log = null;
        try {
            database = QueueDatabase.open(queueVolume, databaseSettings, files);
            rows = new DatabaseRows(database);
            MessageTable table = new MessageTable(database, rows);
            Replay replay = new Replay(table, rows, damage);
            log = IntakeLog.open(
                    volume,
                    identity.store(),
                    logSettings.size(),
                    new Counterpart(database.replayFrom(), database::checkpoint, witness.known()),
                    replay,
                    damage,
                    preallocator);
            // From here on the two volumes are known to fit together.
            deleteSnapshot(volume);
            database.content().deleteUnnamed();
            table.abandonUnfinished();
            replay.write();
            long changedFrom = replay.changed ? log.segments().oldestGeneration() : 0;
            Messages messages = new Messages(
                    table,
                    database,
                    log,
                    configuration.clock(),
                    logSettings.freshBytesMax(),
                    changedFrom);
            return new StoreStart(
                    volumes, database, rows, log, witness, messages, preallocator, replay.records);
        } catch (IOException | RuntimeException | Error e) {
            close(log, rows, preallocator, database, witness);
            throw e;
        }
    }

    /** Earlier versions left one of the index beside the segments at a clean close. */
    private static void deleteSnapshot(Volume volume) throws IOException {
        for (String name : List.of("index", "index.new")) {
            if (volume.list().contains(name)) {
                volume.delete(name);
                volume.syncNames();
            }
        }
    }

    /** Applies the records to the table and writes what they change in the database, now and then. */
    private static final class Replay implements LogRecord.Visitor {
        private final MessageTable table;
        private final DatabaseRows rows;
        private final LogDamage damage;
        private boolean changed;
        private long records;

        Replay(MessageTable table, DatabaseRows rows, LogDamage damage) {
            this.table = table;
            this.rows = rows;
            this.damage = damage;
        }

        @Override
        public void visit(LogRecord record) throws IOException {
            records++;
            Entry entry = Entry.of(record);
            table.apply(entry);
            if (entry instanceof Entry.Enqueued e && !damage.found().isEmpty()) {
                requireThere(e.id());
            }
        }

        @Override
        public boolean isFull() {
            return rows.changed().size() >= REPLAY_CHANGES_MAX;
        }

        /** A large message is given up without its first extents, which may be what was damaged. */
        private void requireThere(long id) throws IOException {
            if (table.state(id) == null) {
                LOG.atError()
                        .addKeyValue("event", "log_damaged")
                        .log("{} is lost with the records of its first part", new QueueId(id));
            }
        }

        @Override
        public void write() throws IOException {
            changed |= rows.write();
        }
    }

    /** {@return what watches the queue volume's room} */
    FreeSpace freeSpace(LogSettings logSettings) {
        return new FreeSpace(
                volumes.queueFree(),
                // A merge writes its tables anew before it deletes the old ones.
                () -> messages.movableBytes() + database.unflushedBytes() + database.tableBytes(),
                logSettings.freeMin());
    }

    /** {@return what one thread writes content with} */
    ContentWriter contentWriter(LogSettings logSettings) {
        return new ContentWriter(
                database.content(),
                logSettings.extentBytesMax(),
                logSettings.contentFileBytesMax());
    }

    /** {@return what gives the queue volume its space back} */
    SpaceReclaimer reclaimer(
            FreeSpace freeSpace, LogSettings logSettings, Consumer<Throwable> onFailure) {
        return new SpaceReclaimer(
                messages,
                database,
                new ContentCompaction(messages, database, () -> contentWriter(logSettings)),
                freeSpace,
                logSettings.reclaimInterval(),
                logSettings.segmentBytes(),
                onFailure);
    }

    /** Says that the store is open. */
    void logOpened(Path log, Path queue, long nanos) {
        if (volumes.isNew()) {
            LOG.atInfo()
                    .addKeyValue("event", "queue_made")
                    .addKeyValue("log_volume", log)
                    .addKeyValue("queue_volume", queue)
                    .log("made a new queue on log volume {} and queue volume {}", log, queue);
            return;
        }
        Totals found = messages.totals();
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
        LOG.atInfo()
                .addKeyValue("event", "queue_opened")
                .addKeyValue("log_volume", log)
                .addKeyValue("queue_volume", queue)
                .addKeyValue("messages", found.messages())
                .addKeyValue("bytes", found.bytes())
                .addKeyValue("dead_messages", found.deadMessages())
                .addKeyValue("damaged_messages", found.damagedMessages())
                .addKeyValue("replayed_records", replayed)
                .addKeyValue("elapsed_ms", millis)
                .log(
                        "opened the queue on log volume {} and queue volume {} in {} ms: {} messages"
                                + " of {} bytes, {} of them dead letters and {} damaged; {}",
                        log,
                        queue,
                        millis,
                        found.messages(),
                        found.bytes(),
                        found.deadMessages(),
                        found.damagedMessages(),
                        replayed + " records of its log were read");
    }

    /**
     * Makes all that was done durable. All threads of the store have ended, and the log is synced.
     */
    void closeClean() throws IOException {
        try {
            messages.abandonUnfinished();
            if (messages.needsFlush()) {
                messages.flush();
            }
            witness.keepAtClose(log.witness());
        } catch (VolumeFullException e) {
            LOG.warn("the queue volume has no room for the last changes, which the log has", e);
        } finally {
            close();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            close(log, rows, preallocator, database, witness);
        } finally {
            volumes.close();
        }
    }

    private static void close(
            @Nullable IntakeLog log,
            @Nullable DatabaseRows rows,
            ExecutorService preallocator,
            @Nullable QueueDatabase database,
            StoreWitness witness)
            throws IOException {
        preallocator.shutdown();
        try {
            if (log != null) {
                log.close();
            }
        } finally {
            if (rows != null) {
                rows.close();
            }
            if (database != null) {
                database.close();
            }
            witness.close();
        }
    }
}
