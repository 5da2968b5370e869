package org.hubmark.bench.machine.folders;

import org.hubmark.core.UserError;
import org.hubmark.queue.StoreLock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A folder that no hub and no other command uses meanwhile: its lock is held, the same that a store
 * takes. Closing frees it and takes away what was made for it.
 */
public final class FolderClaim implements AutoCloseable {
    private final NewFolder folder;
    private final StoreLock lock;
    private final boolean lockStays;

    private FolderClaim(NewFolder folder, StoreLock lock, boolean lockStays) {
        this.folder = folder;
        this.lock = lock;
        this.lockStays = lockStays;
    }

    /**
     * Claims a folder, and makes it where there is none.
     *
     * @throws UserError when another process uses it
     */
    public static FolderClaim of(Path folder) throws IOException {
        requireFree(folder);
        boolean ofStore =
                StoreSearch.isVolume(folder) && Files.exists(folder.resolve(StoreLock.FILE));
        NewFolder made = NewFolder.of(folder);
        try {
            return new FolderClaim(made, StoreLock.acquire(folder), ofStore);
        } catch (IOException e) {
            made.close();
            throw e;
        }
    }

    /**
     * Looks whether a folder is used.
     *
     * @throws UserError when it is; names the process
     */
    public static void requireFree(Path folder) throws IOException {
        String holder = StoreLock.holder(folder).orElse(null);
        if (holder != null) {
            throw UserError.failed("volume " + folder + " is in use by process " + holder
                    + "; stop that first, or name another folder");
        }
    }

    /** {@return it, as it was named} */
    public Path path() {
        return folder.path();
    }

    @Override
    public void close() throws IOException {
        // The channel of a lock ends with the thread's interruption, and with it the lock.
        Cleanup.run(() -> {
            try (folder) {
                if (lockStays) {
                    lock.close();
                } else {
                    lock.remove();
                }
            }
        });
    }
}
