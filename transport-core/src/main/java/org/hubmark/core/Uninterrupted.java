package org.hubmark.core;

import java.time.Duration;

/**
 * Waits that an interruption does not end: what a thread holds must become durable first, and native
 * objects must outlive the threads that use them. Any thread.
 */
public final class Uninterrupted {
    private Uninterrupted() {}

    /** Waits for something; begins anew where it was interrupted. */
    @FunctionalInterface
    public interface Wait {
        /** Waits. */
        void run() throws InterruptedException;
    }

    /** Waits to the end. An interruption is kept for the caller. */
    public static void run(Wait wait) {
        boolean interrupted = false;
        while (true) {
            try {
                wait.run();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the end of a thread that has begun. */
    public static void join(Thread thread) {
        run(thread::join);
    }

    /**
     * {@return whether a thread that has begun has ended} Waits for its end until a moment of {@link
     * System#nanoTime} at most.
     */
    public static boolean join(Thread thread, long deadlineNanos) {
        run(() -> {
            var unused = thread.join(Duration.ofNanos(deadlineNanos - System.nanoTime()));
        });
        return !thread.isAlive();
    }
}
