package org.hubmark.bench.measure.builds;

import java.util.Locale;

/** Part of a build that is measured. */
public enum Subject {
    /** Rate and CPU of a hub that is warm. */
    LOAD,
    /** A process from its start on. */
    START;

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
