package org.hubmark.bench.kit.document;

import java.io.IOException;

/** A measurement: counts, and leaves the rest to the kit. Blocks; one thread. */
public interface Study {
    /** {@return what its documents are} */
    Kind kind();

    /**
     * Counts, repeat by repeat, by {@link Context#repeat}.
     *
     * @return {@link Context#document}
     * @throws InterruptedException when it is told to end; what was counted so far is kept
     */
    Document run(Context context) throws IOException, InterruptedException;
}
