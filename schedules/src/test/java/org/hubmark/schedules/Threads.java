package org.hubmark.schedules;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Threads of a scenario, which begin and end together. */
public final class Threads {
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** What one of them does. */
    public interface Work {
        void run() throws Exception;
    }

    /** Adds one. */
    public Threads add(String name, Work work) {
        threads.add(Thread.ofPlatform().name(name).unstarted(() -> {
            try {
                work.run();
            } catch (Exception | AssertionError e) {
                failure.set(e);
            }
        }));
        return this;
    }

    /** Starts all, waits for all, and fails if one did. */
    public void run() throws InterruptedException {
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        Throwable found = failure.get();
        if (found != null) {
            throw new AssertionError("a thread failed: " + found, found);
        }
    }
}
