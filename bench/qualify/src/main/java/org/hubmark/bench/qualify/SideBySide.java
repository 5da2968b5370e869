package org.hubmark.bench.qualify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Does several things at the same time and waits for all of them. */
final class SideBySide {
    private SideBySide() {}

    /**
     * {@return what they gave, in their order}
     *
     * @throws IOException the first failure; the others are interrupted
     */
    static <T> List<T> run(List<Callable<T>> tasks) throws IOException, InterruptedException {
        try (ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, tasks.size()))) {
            try {
                List<Future<T>> futures = new ArrayList<>();
                tasks.forEach(task -> futures.add(threads.submit(task)));
                List<T> all = new ArrayList<>();
                for (Future<T> future : futures) {
                    all.add(future.get());
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
