package org.hubmark.hub;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Calls small jobs again and again, on one thread, {@code hub-timer}. */
final class HubTimer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HubTimer.class);

    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("hub-timer").factory());
    private final Consumer<Throwable> onError;

    /**
     * Calls nothing yet.
     *
     * @param onError is told of an {@link Error}, which says that the process is broken
     */
    HubTimer(Consumer<Throwable> onError) {
        this.onError = onError;
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Calls a job from now on. What it throws is logged once in a row, and it is called again.
     *
     * @param period until the next call, asked for before each
     */
    void every(Supplier<Duration> period, String what, Runnable job) {
        callLater(period, what, job, false);
    }

    /** Ends, and waits for the job that is called just now. */
    @Override
    public void close() {
        // Without an interruption, which would close a file that the job reads.
        timer.close();
    }

    private void callLater(Supplier<Duration> period, String what, Runnable job, boolean failing) {
        if (!timer.isShutdown()) {
            var unused = timer.schedule(
                    () -> callLater(period, what, job, !call(what, job, failing)),
                    period.get().toNanos(),
                    TimeUnit.NANOSECONDS);
        }
    }

    /** {@return whether it did not fail} */
    private boolean call(String what, Runnable job, boolean failing) {
        try {
            job.run();
            return true;
        } catch (RuntimeException | Error e) {
            // First: with no memory the line may fail too.
            if (e instanceof Error) {
                onError.accept(e);
            }
            if (!failing) {
                LOG.error("{} failed; it is tried again", what, e);
            }
            return false;
        }
    }
}
