package org.hubmark.bench.kit.document;

import java.time.Duration;
import java.util.function.Consumer;

/** Is told how far a study has come. One thread. */
public interface Progress {
    /** Says nothing. */
    Progress SILENT = noting(line -> {});

    /** Says what begins, and how long it takes; zero where that isn't known. */
    void phase(String name, Duration time);

    /**
     * Says how far what began last has come.
     *
     * @param seen meanwhile, such as a rate; may be empty
     */
    void elapsed(Duration time, String seen);

    /** Says what was done. */
    void note(String line);

    /** {@return one that says only what was done} */
    static Progress noting(Consumer<String> notes) {
        return new Progress() {
            @Override
            public void phase(String name, Duration time) {}

            @Override
            public void elapsed(Duration time, String seen) {}

            @Override
            public void note(String line) {
                notes.accept(line);
            }
        };
    }
}
