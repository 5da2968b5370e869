package org.hubmark.hub.delivery;

import org.hubmark.core.Content;
import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.FileErrors;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;

import java.io.IOException;
import java.util.concurrent.Semaphore;

/** Delivers by writing each message into a folder, some at a time. Delivery threads. */
public final class DirectoryAgent implements DeliveryAgent {
    /**
     * More would only wait for the disk, each in a thread of the machine. Of a heap of less than 256 MB they take
     * an eighth: an extent is an array of 1 MiB and some octets, for which G1 gives two regions.
     */
    private static final int WRITES_MAX = Math.clamp(
            Runtime.getRuntime().maxMemory() / (8L * 2 * Content.EXTENT_BYTES_MAX), 1, 16);

    private final MessageFolder folder;
    private final Semaphore writes = new Semaphore(WRITES_MAX);

    /** Writes to a folder that the caller keeps open meanwhile. */
    public DirectoryAgent(MessageFolder folder) {
        this.folder = folder;
    }

    @Override
    public Outcome deliver(Lease lease) {
        writes.acquireUninterruptibly();
        try {
            folder.write(lease.id(), lease.envelope(), lease.sizeBytes(), lease.content());
            return new Outcome.Delivered();
        } catch (IOException e) {
            return new Outcome.Deferred(FileErrors.text(e));
        } finally {
            writes.release();
        }
    }
}
