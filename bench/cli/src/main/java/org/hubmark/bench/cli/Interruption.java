package org.hubmark.bench.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Ends a run that is told to end (Ctrl-C, SIGTERM): its thread is interrupted and has some time to
 * write what was measured so far before the process goes.
 */
final class Interruption implements AutoCloseable {
    private static final int GRACE_SECONDS = 15;
    /** The same for every signal; the JVM itself would give 143 for SIGTERM. */
    private static final int INTERRUPTED = 130;

    private final CountDownLatch done = new CountDownLatch(1);
    private final IntSupplier exitCode;
    private final Thread runner = Thread.currentThread();
    private final Thread hook = new Thread(this::interrupt, "interrupt-run");

    /** Watches over what the calling thread does. */
    Interruption() {
        this(() -> INTERRUPTED);
    }

    /**
     * Watches over what the calling thread does.
     *
     * @param exitCode of the process that was told to end, asked when the run is over
     */
    Interruption(IntSupplier exitCode) {
        this.exitCode = exitCode;
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
        Runtime.getRuntime().halt(exitCode.getAsInt());
    }
}
