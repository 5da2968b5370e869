package org.hubmark.bench.mail.study;

import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Workload;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Makes the workload of a scenario: anew for each repeat and for each trial of a search. What it keeps
 * from one to the next is freed when it is closed. One thread.
 */
public interface WorkloadSource extends AutoCloseable {
    /** {@return the pace that was asked for} */
    Pace pace();

    /**
     * {@return the work that is measured}
     *
     * @param hub our own server; null where there is none, or another one
     * @param pace the one asked for, or what a search has found in place of it
     * @throws org.hubmark.core.UserError when the server can't be worked with
     */
    Workload start(@Nullable InetSocketAddress hub, Pace pace)
            throws IOException, InterruptedException;

    /** {@return the same work without an end: what heats a server, or tries a rate} */
    default Workload trial(@Nullable InetSocketAddress hub, Pace pace)
            throws IOException, InterruptedException {
        return start(hub, pace);
    }

    /** {@return KB of 1000 that an operation moves on the average} After the first start. */
    double operationKb();

    @Override
    default void close() {}
}
