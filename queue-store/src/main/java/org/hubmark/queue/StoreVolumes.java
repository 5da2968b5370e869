package org.hubmark.queue;

import org.hubmark.core.PrivateFiles;
import org.hubmark.core.StoreException;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.table.QueueDatabase;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The two volumes of a store, which are locked, belong together, and hold an empty store if they were
 * empty.
 *
 * @param configuration names them
 * @param identity which store it is
 * @param isNew whether the store was made by opening it
 * @param segments where the segments of the log lie
 * @param queueFree free bytes of the queue volume
 */
record StoreVolumes(
        StoreConfiguration configuration,
        StoreIdentity identity,
        boolean isNew,
        Volume segments,
        FreeSpace.Gauge queueFree) {
    /**
     * Locks them, and makes what is not there if the configuration allows it.
     *
     * @param opened gets the locks
     * @throws StoreException if they are in use or don't belong together; says what to do
     */
    static StoreVolumes open(
            StoreConfiguration configuration,
            StoreSettings settings,
            StoreStart.Segments segments,
            Opened opened)
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
            create(identity, queue, settings.directFlush());
        }
        // Makes their folder, whose name is durable with that of the identity.
        Volume volume = segments.open(log);
        StoreIdentity.complete(log, queue);
        identity.convert(log, queue);
        return new StoreVolumes(
                configuration,
                identity,
                found == null,
                settings.log().directIo().use(volume),
                segments.queueFree(queue));
    }

    /** Makes the empty database and the witness of a new store, durably. */
    static void create(StoreIdentity identity, Path queueVolume, boolean direct)
            throws IOException {
        QueueDatabase.create(queueVolume, direct);
        StoreWitness.create(queueVolume, identity.store());
    }
}
