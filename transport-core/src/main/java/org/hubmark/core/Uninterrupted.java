package org.hubmark.core;

import java.time.Duration;

/**
 * Waits that an interruption does not end: what a thread holds must become durable first, and native
 * objects must outlive the threads that use them. Any thread.
 */
public final class Uninterrupted {
    private Uninterrupted() {}

    /** Waits for the end of a thread that has begun. An interruption is kept for the caller. */
    public static void join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * {@return whether a thread has ended} Waits for its end until a moment of {@link System#nanoTime}
     * at most, and keeps an interrupt of the caller for later.
     */
    public static boolean join(Thread thread, long deadlineNanos) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return thread.join(Duration.ofNanos(deadlineNanos - System.nanoTime()));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
