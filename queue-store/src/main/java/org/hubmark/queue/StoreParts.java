package org.hubmark.queue;

import org.hubmark.queue.log.IntakeLog;
import org.hubmark.queue.log.VolumeFullException;
import org.hubmark.queue.table.QueueDatabase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;

/**
 * Parts of an open store, which its threads share. Closing them closes the volumes too.
 *
 * @param database the queue database
 * @param log the intake log
 * @param witness what the queue volume knows of the log
 * @param messages what both hold
 * @param freeSpace the queue volume's room
 * @param gate for new mail
 * @param opened all that is to be closed
 */
record StoreParts(
        StoreConfiguration configuration,
        StoreSettings settings,
        QueueDatabase database,
        IntakeLog log,
        StoreWitness witness,
        Messages messages,
        FreeSpace freeSpace,
        Gate gate,
        StoreCounters counters,
        Opened opened)
        implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreParts.class);

    /** {@return whether there was no segment of a log, as in a store that opening it has made} */
    boolean isNew() {
        return log.recovered().links() == 0;
    }

    /** {@return what one thread writes content with} */
    ContentWriter contentWriter() {
        return new ContentWriter(
                database.content(),
                settings.log().extentBytesMax(),
                settings.log().contentFileBytesMax());
    }

    /** Makes all durable that was done. All threads of the store have ended, and the log is synced. */
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
        opened.close();
    }
}
