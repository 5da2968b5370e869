package org.hubmark.schedules;

import java.util.ArrayList;
import java.util.List;

/** Threads of a scenario, which begin and end together. */
public final class Threads {
    private final List<Thread> threads = new ArrayList<>();
    private volatile Throwable failure = new Throwable("none");
    private volatile boolean failed;

    /** What one of them does. */
    public interface Work {
        void run() throws Exception;
    }

    /** Adds one. */
    public Threads add(String name, Work work) {
        threads.add(new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (Exception | AssertionError e) {
                        failure = e;
                        failed = true;
                    }
                },
                name));
        return this;
    }

    /** Starts all, waits for all, and fails if one did. */
    public void run() throws InterruptedException {
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        if (failed) {
            throw new AssertionError("a thread failed: " + failure, failure);
        }
    }
}
