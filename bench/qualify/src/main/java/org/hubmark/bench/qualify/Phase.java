package org.hubmark.bench.qualify;

import java.util.Locale;

/** The phases of a test, in the order in which they run. */
public enum Phase {
    PERFORMANCE,
    STRESS,
    /** Half of the databases have their load from the beginning, the others from the middle on. */
    FAILOVER,
    BACKUP,
    RECOVERY,
    CHECKSUM;

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
