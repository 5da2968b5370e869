package org.hubmark.hub.pressure;

import org.hubmark.core.Uninterrupted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Thread that looks at something at a fixed pace until it is closed. A look that throws ends alone, since
 * what nobody looks at any more stays as it was seen last; an {@link Error} ends the thread. Any thread may
 * call.
 */
final class WatchThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WatchThread.class);

    private final Duration period;
    private final Runnable look;
    private final Consumer<Throwable> onError;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    /**
     * Looks at nothing yet.
     *
     * @param onError is told of what says that the process is broken
     */
    WatchThread(String name, Duration period, Runnable look, Consumer<Throwable> onError) {
        this.period = period;
        this.look = look;
        this.onError = onError;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** {@return whether it was told to end} */
    boolean isClosing() {
        return closing.getCount() == 0;
    }

    /** Ends, and waits for a look that is under way. */
    @Override
    public void close() {
        closing.countDown();
        Uninterrupted.join(thread);
    }

    private void run() {
        boolean failing = false;
        try {
            while (!closing.await(period.toNanos(), TimeUnit.NANOSECONDS)) {
                failing = !look(failing);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Error e) {
            onError.accept(e);
        }
    }

    /** {@return whether it could look} A row of looks that fail is said once. */
    private boolean look(boolean failing) {
        try {
            look.run();
            return true;
        } catch (RuntimeException e) {
            if (!failing) {
                LOG.error("a look of the thread {} failed; it goes on", thread.getName(), e);
            }
            return false;
        }
    }
}
