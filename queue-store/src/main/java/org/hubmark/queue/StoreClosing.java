package org.hubmark.queue;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** The end of a store: begun once, on a thread of its own, and waited for by any. */
final class StoreClosing {
    private final Consumer<CompletableFuture<Void>> work;
    private @Nullable CompletableFuture<Void> end;

    /**
     * The end by some work.
     *
     * @param work closes everything, then completes what it is given
     */
    StoreClosing(Consumer<CompletableFuture<Void>> work) {
        this.work = work;
    }

    /** {@return its end} Begins it if nobody has. */
    synchronized CompletableFuture<Void> begin() {
        if (end == null) {
            CompletableFuture<Void> begun = new CompletableFuture<>();
            end = begun;
            Thread closer = new Thread(() -> work.accept(begun), "store-close");
            // A volume that hangs must not keep the process.
            closer.setDaemon(true);
            closer.start();
        }
        return end;
    }

    /**
     * Waits for an end, which an interruption puts off.
     *
     * @throws IOException if it failed, or takes longer
     */
    static void await(CompletableFuture<Void> end, Duration closeMax) throws IOException {
        boolean interrupted = false;
        long deadlineNanos = System.nanoTime() + closeMax.toNanos();
        while (true) {
            try {
                end.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                break;
            } catch (InterruptedException e) {
                // What was handed over becomes durable first.
                interrupted = true;
            } catch (TimeoutException e) {
                throw new IOException(
                        "the queue did not close within " + closeMax.toSeconds()
                                + " s: a volume does not answer",
                        e);
            } catch (ExecutionException e) {
                throw new IOException("can't close the queue: " + e.getCause(), e.getCause());
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
