package org.hubmark.bench.durability;

import java.util.Locale;

/** What happens to a part of a cluster. */
public enum ClusterFault {
    /** The hub is killed (SIGKILL) and started again. */
    HUB,
    /** The broker that keeps the queue is killed, and started again when mail is accepted. */
    BROKER,
    /** A bookie is killed and started again. */
    BOOKIE,
    /** All bookies are killed at once, the page cache is dropped, and they are started again. */
    BOOKIES;

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
