package org.hubmark.bench.qualify.phase;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Does several things at the same time and waits for all of them. */
final class SideBySide {
    private SideBySide() {}

    /** What the thread that waits does again and again. */
    @FunctionalInterface
    interface Meanwhile {
        void run() throws IOException;
    }

    /**
     * {@return what they gave, in their order}
     *
     * @param every so long something is done meanwhile
     * @throws IOException the first failure; the others are interrupted
     */
    static <T> List<T> run(List<Callable<T>> tasks, Duration every, Meanwhile meanwhile)
            throws IOException, InterruptedException {
        try (ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, tasks.size()))) {
            try {
                List<Future<T>> futures = tasks.stream().map(threads::submit).toList();
                List<T> all = new ArrayList<>();
                long next = System.nanoTime() + every.toNanos();
                while (all.size() < futures.size()) {
                    long left = Math.max(0, next - System.nanoTime());
                    try {
                        all.add(futures.get(all.size()).get(left, TimeUnit.NANOSECONDS));
                    } catch (TimeoutException e) {
                        meanwhile.run();
                        next += every.toNanos();
                    }
                }
                return all;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof IOException io) {
                    throw new IOException(io.getMessage(), e);
                }
                throw new IllegalStateException(e.getCause());
            } finally {
                threads.shutdownNow();
            }
        }
    }
}
