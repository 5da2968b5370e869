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
     * @param environment more variables
     * @param output gets what it says
     */
    CrashServer.Launch launch(
            Path data, Durability durability, Map<String, String> environment, Path output)
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
}
