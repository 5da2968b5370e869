package org.hubmark.bench.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a run that is told to end (Ctrl-C, SIGTERM): its thread is interrupted and has some time to
 * write what was measured so far before the process goes.
 */
final class Interruption implements AutoCloseable {
    private static final int GRACE_SECONDS = 15;

    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread runner = Thread.currentThread();
    private final Thread hook = new Thread(this::interrupt, "interrupt-run");

    /** Watches over what the calling thread does. */
    Interruption() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Waits until the run has written what it has, or the grace is over. */
    void awaitDone() {
        try {
            var unused = done.await(GRACE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The run is over. */
    @Override
    public void close() {
        done.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It is running already, and ends now.
            return;
        }
    }

    private void interrupt() {
        runner.interrupt();
        awaitDone();
        System.out.flush();
        // The same for every signal; the JVM itself would give 143 for SIGTERM.
        Runtime.getRuntime().halt(Outcomes.INTERRUPTED);
    }
}
