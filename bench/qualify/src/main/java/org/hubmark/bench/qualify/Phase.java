package org.hubmark.bench.qualify;

import java.util.Locale;

/** The phases of a test, in the order in which they run. */
public enum Phase {
    PERFORMANCE,
    STRESS,
    BACKUP,
    RECOVERY,
    CHECKSUM;

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
