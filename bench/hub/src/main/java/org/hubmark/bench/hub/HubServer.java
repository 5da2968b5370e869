package org.hubmark.bench.hub;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A hub that was started to be measured: in a process of its own, or in the JVM of a test, which then
 * knows nothing of what only a process has. One thread.
 */
public interface HubServer extends AutoCloseable {
    /** {@return where it takes mail} */
    InetSocketAddress address();

    /** {@return where it answers about itself, HOST:PORT} Of a hub that was told --metrics. */
    String metricsAddress();

    /** {@return its process id; null where it has no process of its own} */
    @Nullable
    Long processId();

    /** {@return what to say if the hub has ended by itself; null while it runs} */
    @Nullable
    String death();

    /** {@return the same, after waiting a little for the end of a hub that no longer answers} */
    @Nullable
    String awaitDeath() throws InterruptedException;

    /** Ends it, and lets it drain. */
    void stop() throws InterruptedException;

    /** Ends it at once if it still runs. */
    @Override
    void close();

    /** Starter of a program's hubs. */
    @FunctionalInterface
    interface Starter {
        /**
         * Starts a hub and waits until it is ready.
         *
         * @param program whose {@code serve} it is
         * @param arguments {@code serve} and its own
         * @param environment added to this process's own
         * @param log gets its standard error
         * @param beforeKill called before the hub is killed because this process is ending
         */
        HubServer start(
                Program program,
                List<String> arguments,
                Map<String, String> environment,
                Path log,
                Runnable beforeKill)
                throws IOException, InterruptedException;
    }
}
