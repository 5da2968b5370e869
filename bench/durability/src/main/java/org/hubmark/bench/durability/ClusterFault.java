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
    BOOKIES,
    /** ZooKeeper is killed, is away for a time, and is started again. */
    METADATA,
    /** A bookie is halted (SIGSTOP) for a time. */
    STOP,
    /** The link of a bookie's host is down for a time. */
    CUT,
    /** A bookie's host sends nothing for a time, and receives. */
    MUTE,
    /** The file system of a bookie is full for a time. */
    FULL,
    /** The disk of a bookie takes little a second for a time. */
    SLOW;

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
