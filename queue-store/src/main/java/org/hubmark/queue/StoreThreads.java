package org.hubmark.queue;

import org.hubmark.core.Uninterrupted;

import java.io.IOException;
import java.time.Duration;

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
    private final Thread watchThread;

    /**
     * Threads that are not started.
     *
     * @param stallTime see {@link StallWatch}
     */
    StoreThreads(Committer committer, Checkpointer checkpointer, Gate gate, Duration stallTime) {
        this.committer = committer;
        this.checkpointer = checkpointer;
        StallWatch watch = new StallWatch(
                committer::isWaitedFor, committer::progress, gate, stallTime, committer::fail);
        this.watchThread = new Thread(watch, "store-watch");
        watchThread.setDaemon(true);
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
            watchThread.start();
            started = true;
        } finally {
            if (!started) {
                // There may be no thread to be had; then those end that there are.
                endStarted();
            }
        }
    }

    private void endStarted() {
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

    /** Ends all, in the order in which one hands over to the next; waits for that. */
    void stop() {
        endStarted();
        watchThread.interrupt();
    }

    /** {@return whether listeners are called on a thread} */
    boolean answersOn(Thread thread) {
        return thread.equals(committerThread) || thread.equals(syncThread);
    }
}
