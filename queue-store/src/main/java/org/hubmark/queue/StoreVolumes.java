package org.hubmark.queue;

import org.hubmark.core.PrivateFiles;
import org.hubmark.core.StoreException;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.table.QueueDatabase;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The two volumes of a store, which are locked, belong together, and hold an empty store if they were
 * empty. Closing it unlocks them.
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
        FreeSpace.Gauge queueFree,
        List<StoreLock> locks)
        implements AutoCloseable {
    /**
     * Locks them, and makes what is not there if the configuration allows it.
     *
     * @throws StoreException if they are in use or don't belong together; says what to do
     */
    static StoreVolumes open(
            StoreConfiguration configuration, StoreSettings settings, StoreStart.Segments segments)
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
        List<StoreLock> locks = new ArrayList<>();
        boolean opened = false;
        try {
            locks.add(StoreLock.acquire(queue, StoreIdentity.Role.QUEUE));
            locks.add(StoreLock.acquire(log, StoreIdentity.Role.LOG));
            StoreIdentity found = StoreIdentity.find(log, queue);
            StoreIdentity identity = found == null ? StoreIdentity.begin(log, queue) : found;
            if (found == null) {
                create(identity, queue, settings.directFlush());
            }
            // Makes their folder, whose name is durable with that of the identity.
            Volume volume = segments.open(log);
            StoreIdentity.complete(log, queue);
            identity.convert(log, queue);
            StoreVolumes volumes = new StoreVolumes(
                    configuration,
                    identity,
                    found == null,
                    settings.log().directIo().use(volume),
                    segments.queueFree(queue),
                    locks);
            opened = true;
            return volumes;
        } finally {
            if (!opened) {
                close(locks);
            }
        }
    }

    /** Makes the empty database and the witness of a new store, durably. */
    static void create(StoreIdentity identity, Path queueVolume, boolean direct)
            throws IOException {
        QueueDatabase.create(queueVolume, direct);
        StoreWitness.create(queueVolume, identity.store());
    }

    @Override
    public void close() throws IOException {
        close(locks);
    }

    private static void close(List<StoreLock> locks) throws IOException {
        for (StoreLock lock : locks) {
            lock.close();
        }
    }
}
