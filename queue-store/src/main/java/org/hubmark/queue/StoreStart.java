package org.hubmark.queue;

import org.hubmark.core.FileErrors;
import org.hubmark.core.PrivateFiles;
import org.hubmark.core.QueueId;
import org.hubmark.core.StoreException;
import org.hubmark.queue.log.Counterpart;
import org.hubmark.queue.log.DirectIo;
import org.hubmark.queue.log.DirectoryVolume;
import org.hubmark.queue.log.IntakeLog;
import org.hubmark.queue.log.LogDamage;
import org.hubmark.queue.log.LogException;
import org.hubmark.queue.log.LogRecord;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.table.DatabaseFiles;
import org.hubmark.queue.table.DatabaseRows;
import org.hubmark.queue.table.Entry;
import org.hubmark.queue.table.MessageTable;
import org.hubmark.queue.table.QueueDatabase;
import org.hubmark.queue.table.Totals;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Start of a store: opens its volumes, the database and the log, and replays the one on the other. */
final class StoreStart {
    static final String SEGMENTS_FOLDER = "segments";

    private static final Logger LOG = LoggerFactory.getLogger(QueueStore.class);

    /** Replayed changes to the database are written when there are so many. */
    private static final int REPLAY_CHANGES_MAX = 10_000;

    private StoreStart() {}

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
     * Opens a store.
     *
     * @throws StoreException if its parts don't fit together or are damaged; says what to do
     */
    static StoreParts open(
            StoreConfiguration configuration, StoreSettings settings, Segments segments)
            throws IOException {
        Opened opened = new Opened();
        try {
            return open(configuration, settings, segments, opened);
        } catch (IOException | RuntimeException | Error e) {
            opened.close();
            throw e;
        }
    }

    private static StoreParts open(
            StoreConfiguration configuration,
            StoreSettings settings,
            Segments segments,
            Opened opened)
            throws IOException {
        Path logVolume = configuration.logVolume();
        Path queueVolume = configuration.queueVolume();
        StoreIdentity identity = lock(configuration, opened);
        // Makes their folder, whose name is durable with that of the identity.
        Volume made = segments.open(logVolume);
        StoreIdentity.complete(logVolume, queueVolume);
        identity.convert(logVolume, queueVolume);
        Volume volume = settings.log().directIo().use(made);
        FreeSpace.Gauge queueFree = segments.queueFree(queueVolume);
        StoreWitness witness = StoreWitness.open(queueVolume, identity.store());
        opened.add(witness::close);
        QueueDatabase database =
                QueueDatabase.open(queueVolume, isDirectPossible(queueVolume), segments.database());
        opened.add(database::close);
        DatabaseRows rows = new DatabaseRows(database);
        opened.add(rows::close);
        MessageTable table = new MessageTable(database, rows);
        LogDamage damage = new LogDamage(settings.acceptDamage(), id -> new QueueId(id).toString());
        Replay replay = new Replay(table, rows, damage);
        IntakeLog log = IntakeLog.open(
                volume,
                identity.store(),
                settings.log().size(),
                new Counterpart(database.replayFrom(), database::checkpoint, witness.known()),
                replay,
                damage,
                task -> new Thread(task, "log-preallocator").start());
        opened.add(log::close);
        // From here on the two volumes are known to fit together.
        database.content().deleteUnnamed();
        table.abandonUnfinished();
        replay.write();
        Messages messages = new Messages(
                table,
                database,
                log,
                configuration.clock(),
                replay.changed ? log.segments().oldestGeneration() : 0);
        FreeSpace freeSpace = new FreeSpace(
                queueFree,
                // A merge writes its tables anew before it deletes the old ones.
                () -> messages.movableBytes() + database.unflushedBytes() + database.tableBytes(),
                settings.log().freeMin());
        return new StoreParts(
                configuration,
                settings,
                database,
                log,
                witness,
                messages,
                freeSpace,
                new Gate(),
                new StoreCounters(),
                opened);
    }

    /**
     * Locks both volumes, and makes what is not there if the configuration allows it.
     *
     * @param opened gets the locks
     * @throws StoreException if they are in use or don't belong together; says what to do
     */
    private static StoreIdentity lock(StoreConfiguration configuration, Opened opened)
            throws IOException {
        Path log = configuration.logVolume();
        Path queue = configuration.queueVolume();
        if (configuration.existingOnly()) {
            // Before any folder is made.
            StoreIdentity.require(log, queue);
        }
        PrivateFiles.createFolders(log);
        PrivateFiles.createFolders(queue);
        if (Files.isSameFile(log, queue)) {
            throw new StoreException("the log volume and the queue volume are one folder, " + log
                    + "; give two (they may lie side by side on one device)");
        }
        StoreLock queueLock = StoreLock.acquire(queue, StoreIdentity.Role.QUEUE);
        opened.add(queueLock::close);
        StoreLock logLock = StoreLock.acquire(log, StoreIdentity.Role.LOG);
        opened.add(logLock::close);
        StoreIdentity found = StoreIdentity.find(log, queue);
        StoreIdentity identity = found == null ? StoreIdentity.begin(log, queue) : found;
        if (found == null) {
            create(identity, queue, isDirectPossible(queue));
        }
        return identity;
    }

    /** {@return whether the database's files can be written past the page cache} */
    private static boolean isDirectPossible(Path queueVolume) {
        Path trial = queueVolume.resolve("direct-trial");
        try {
            Files.deleteIfExists(trial);
            try (FileChannel unused = PrivateFiles.create(trial)) {
                return DirectIo.isPossible(trial);
            } finally {
                Files.deleteIfExists(trial);
            }
        } catch (IOException e) {
            // A full volume takes no file for a trial, and may still be opened.
            return false;
        }
    }

    /** Makes the empty database and the witness of a new store, durably. */
    static void create(StoreIdentity identity, Path queueVolume, boolean direct)
            throws IOException {
        QueueDatabase.create(queueVolume, direct);
        StoreWitness.create(queueVolume, identity.store());
    }

    /** Applies the records to the table and writes what they change in the database, now and then. */
    private static final class Replay implements LogRecord.Visitor {
        private final MessageTable table;
        private final DatabaseRows rows;
        private final LogDamage damage;
        private boolean changed;

        Replay(MessageTable table, DatabaseRows rows, LogDamage damage) {
            this.table = table;
            this.rows = rows;
            this.damage = damage;
        }

        @Override
        public void visit(LogRecord record) throws IOException {
            Entry entry = Entry.of(record);
            table.apply(entry);
            if (!damage.found().isEmpty()
                    && entry instanceof Entry.Enqueued
                    && table.state(entry.id()) == null) {
                // A large message is given up without its first extents, which may be what was
                // damaged.
                LOG.atError()
                        .addKeyValue("event", "log_damaged")
                        .log(
                                "{} is lost with the records of its first part",
                                new QueueId(entry.id()));
            }
        }

        @Override
        public boolean isFull() {
            return rows.changed().size() >= REPLAY_CHANGES_MAX;
        }

        @Override
        public void write() throws IOException {
            changed |= rows.write();
        }
    }

    /** {@return what has failed, as an operator is told it} Of the log and the store it says so itself. */
    static StoreException failure(String doing, IOException cause) {
        return switch (cause) {
            case StoreException e -> e;
            case LogException e -> new StoreException(String.valueOf(e.getMessage()), e);
            default -> new StoreException(doing + ": " + FileErrors.text(cause), cause);
        };
    }

    /** Says that a store is open. */
    static void logOpened(StoreParts parts, long nanos) {
        Path log = parts.configuration().logVolume();
        Path queue = parts.configuration().queueVolume();
        if (parts.isNew()) {
            LOG.atInfo()
                    .addKeyValue("event", "queue_made")
                    .addKeyValue("log_volume", log)
                    .addKeyValue("queue_volume", queue)
                    .log("made a new queue on log volume {} and queue volume {}", log, queue);
            return;
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
        Totals found = parts.messages().totals();
        long records = parts.log().recovered().records();
        LOG.atInfo()
                .addKeyValue("event", "queue_opened")
                .addKeyValue("log_volume", log)
                .addKeyValue("queue_volume", queue)
                .addKeyValue("messages", found.messages())
                .addKeyValue("bytes", found.bytes())
                .addKeyValue("dead_messages", found.deadMessages())
                .addKeyValue("damaged_messages", found.damagedMessages())
                .addKeyValue("replayed_records", records)
                .addKeyValue("elapsed_ms", millis)
                .log(
                        "opened the queue on log volume {} and queue volume {} in {} ms: {} messages"
                                + " of {} bytes; {} records of its log were read",
                        log,
                        queue,
                        millis,
                        found.messages(),
                        found.bytes(),
                        records);
    }
}
