package org.hubmark.bench.kit.document;

import java.time.Duration;

/** Is told how far a study has come. One thread. */
@FunctionalInterface
public interface Progress {
    /** Says nothing. */
    Progress SILENT = line -> {};

    /** Says what begins, and how long it takes; zero where that isn't known. */
    default void phase(String name, Duration time) {}

    /**
     * Says how far what began last has come.
     *
     * @param seen meanwhile, such as a rate; may be empty
     */
    default void elapsed(Duration time, String seen) {}

    /** Says what was done. */
    void note(String line);
}
