package org.hubmark.bench.qualify;

/** Waits that an interruption puts off, since native objects must outlive the threads that use them. */
final class Uninterrupted {
    private Uninterrupted() {}

    /** Waits for the end of a thread that has begun. The interruption is seen afterwards. */
    static void join(Thread thread) {
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
}
