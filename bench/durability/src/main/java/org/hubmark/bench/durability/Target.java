package org.hubmark.bench.durability;

import org.hubmark.core.Durability;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A server as it is started, crashed and looked into. */
sealed interface Target permits HubTarget, CommandTarget {
    /** {@return what the results call it} */
    String name();

    /** {@return whether it may keep CRLF as LF} */
    boolean anyLineEnds();

    /**
     * {@return how to start it}
     *
     * @param data the folder below which all its volumes lie; it is there
     * @param output gets what it says
     */
    CrashedServer.Launch launch(
            Path data, Durability durability, LaunchOptions conditions, Path output)
            throws IOException;

    /**
     * Lets it recover and reads everything that is in its queue.
     *
     * @param data what the crash left; may be changed
     * @param scratch a folder for whatever is needed
     * @return how long it took to be ready, in nanoseconds
     */
    long recover(Path data, Durability durability, Path scratch, Survivors survivors)
            throws IOException, InterruptedException;

    /** {@return whether what a crash left must be copied before {@link #recover} may change it} */
    boolean recoversOnCopy();

    /**
     * Under which conditions a server runs.
     *
     * @param environment more variables
     */
    record LaunchOptions(Map<String, String> environment) {
        static final LaunchOptions PLAIN = new LaunchOptions(Map.of());
    }
}
