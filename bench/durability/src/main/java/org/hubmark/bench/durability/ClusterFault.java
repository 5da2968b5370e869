package org.hubmark.bench.durability;

import org.hubmark.bench.machine.cluster.LinkFault;
import org.hubmark.bench.machine.cluster.WriteLimit;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
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
    SLOW,
    /** Nothing passes between the hub and the broker that keeps the queue for a time. */
    HUB_BROKER,
    /** Nothing passes between the broker that keeps the queue and a bookie for a time. */
    BROKER_BOOKIE,
    /** Nothing passes between the broker that keeps the queue and all bookies for a time. */
    BROKER_BOOKIES,
    /** Nothing passes between the broker that keeps the queue and ZooKeeper for a time. */
    BROKER_METADATA,
    /** Nothing passes between a bookie and ZooKeeper for a time. */
    BOOKIE_METADATA,
    /** Some of the packets on the links of all hosts are lost for a time. */
    LOSS,
    /** Some of the packets on the links of all hosts are overtaken by others for a time. */
    REORDER,
    /** The clock of hub, broker, bookie or ZooKeeper is wrong for a time. */
    SKEW,
    /** The power of a bookie's disk goes, and the bookie starts on what was on the disk. */
    POWER,
    /** All bookies, brokers and ZooKeeper are killed, and the power of all bookies' disks goes. */
    OUTAGE;

    /**
     * {@return what this machine lacks for it; null if nothing}
     *
     * @param folder in which the cluster is going to be
     */
    @Nullable
    String obstacle(Path folder) throws IOException {
        String obstacle = switch (this) {
            case HUB, BROKER, BOOKIE, BOOKIES, METADATA, STOP, CUT, MUTE, FULL -> "";
            case SLOW -> WriteLimit.obstacle(folder);
            case HUB_BROKER,
                    BROKER_BOOKIE,
                    BROKER_BOOKIES,
                    BROKER_METADATA,
                    BOOKIE_METADATA,
                    LOSS -> LinkFault.obstacle(false);
            case REORDER -> LinkFault.obstacle(true);
            case SKEW -> PreloadLibrary.obstacle();
            case POWER, OUTAGE -> Recorder.obstacle();
        };
        return obstacle == null || obstacle.isEmpty() ? null : obstacle;
    }

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
