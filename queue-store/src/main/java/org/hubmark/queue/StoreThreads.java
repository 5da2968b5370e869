package org.hubmark.queue;

import org.hubmark.core.Uninterrupted;

import java.io.IOException;

/**
 * The threads of a store: the committer's, the one that syncs the log, and the checkpointer's. Whoever
 * opens the store starts them, whoever closes it ends them.
 */
final class StoreThreads {
    private final Committer committer;
    private final Checkpointer checkpointer;
    private final Thread checkpointerThread;
    private final Thread committerThread;
    private final Thread syncThread;

    /** Threads that are not started. */
    StoreThreads(Committer committer, Checkpointer checkpointer) {
        this.committer = committer;
        this.checkpointer = checkpointer;
        this.checkpointerThread = new Thread(checkpointer, "checkpointer");
        this.committerThread = new Thread(committer, "committer");
        this.syncThread = new Thread(committer.lane(), "log-sync");
    }

    /** Opens the log, which may take a checkpoint, and starts all. */
    void start() throws IOException {
        boolean started = false;
        try {
            checkpointerThread.start();
            committer.openLog();
            syncThread.start();
            committerThread.start();
            started = true;
        } finally {
            if (!started) {
                // There may be no thread to be had; then those end that there are.
                stop();
            }
        }
    }

    /** Ends those that run, in the order in which one hands over to the next; waits for that. */
    void stop() {
        if (committerThread.isAlive()) {
            committer.put(new Change.Stop());
            Uninterrupted.join(committerThread);
        } else {
            committer.lane().close();
        }
        Uninterrupted.join(syncThread);
        checkpointer.stop();
        Uninterrupted.join(checkpointerThread);
    }

    /** {@return whether listeners are called on a thread} */
    boolean answersOn(Thread thread) {
        return thread.equals(committerThread) || thread.equals(syncThread);
    }
}
