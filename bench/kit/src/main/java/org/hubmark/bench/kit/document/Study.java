package org.hubmark.bench.kit.document;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** A measurement: counts, and leaves the rest to the kit. Blocks; one thread. */
public interface Study {
    /** {@return what its documents are} */
    Kind kind();

    /**
     * {@return the settings that say only how much is measured, by name} A finished run of such a study
     * can be extended: with another value of these, the same folder keeps what it has and gets the rest.
     */
    default Set<String> extent() {
        return Set.of();
    }

    /**
     * Counts, repeat by repeat, by {@link Context#repeat}.
     *
     * @return {@link Context#document}
     * @throws InterruptedException when it is told to end; what was counted so far is kept
     */
    Document run(Context context) throws IOException, InterruptedException;

    /**
     * {@return what was found, with what follows from all of it}
     */
    default Document concluded(Document found) {
        return found;
    }

    /** Draws the report of a document into its folder. */
    default void report(Document written, Path folder) throws IOException {
        DocumentReport.write(written, folder);
    }
}
