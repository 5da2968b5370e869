package org.hubmark.bench.cli;

import org.hubmark.bench.durability.ClusterCampaign;
import org.hubmark.bench.durability.ClusterFault;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

/** Lets parts of a cluster fail under load. */
@Command(
        name = "crash",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Makes parts of a cluster of four bookies and two brokers fail under load, again and again,"
                    + " and checks that every message that was answered with 250 is delivered with its"
                    + " content. Starts a cluster of its own; needs root and iproute2. The kinds that cut"
                    + " or disturb links need nftables, skew needs a C compiler, and power and outage need"
                    + " FUSE and loop devices; a kind that this machine cannot do is skipped, with the"
                    + " reason.",
            "Exits with 0 if nothing was lost and mail was accepted again after each fault, 1 if not,"
                    + " 130 if interrupted."
        })
final class ClusterCrashCommand implements Callable<Integer> {
    private static final int CRASHES_MAX = 10_000;
    private static final int CONNECTIONS_MAX = 1000;
    private static final Set<ClusterFault> CUTTING_POWER =
            EnumSet.of(ClusterFault.POWER, ClusterFault.OUTAGE);

    @Option(
            names = "--kinds",
            paramLabel = "KIND",
            split = ",",
            defaultValue = "hub,broker,bookie,bookies,metadata,stop,cut,mute,full,slow,hub-broker,"
                    + "broker-bookie,broker-bookies,broker-metadata,bookie-metadata,loss,reorder,skew,"
                    + "power,outage",
            description =
                    "Kinds of faults: hub, broker (of the queue), bookie and metadata (ZooKeeper) kill"
                            + " that process; bookies kills all of them at once and drops the page cache;"
                            + " stop halts a bookie; cut takes its link down; mute stops its host from"
                            + " sending; full fills its file system; slow limits its disk to 16 KiB a"
                            + " second. hub-broker, broker-bookie, broker-bookies (all bookies),"
                            + " broker-metadata and bookie-metadata drop all packets between the two;"
                            + " loss drops 5%% of the packets of all hosts; reorder delays 10%% of"
                            + " them, and others overtake them; skew sets the clock of the hub, the"
                            + " broker, a bookie or ZooKeeper wrong by a second to 28 hours; power"
                            + " kills a bookie and cuts the power of its disk; outage kills all bookies,"
                            + " brokers and ZooKeeper and cuts the power of all bookies' disks. They"
                            + " start again with the flushed writes and some of the others. Default: ${DEFAULT-VALUE}.")
    private List<ClusterFault> kinds = List.of();

    @Option(
            names = "--crashes",
            paramLabel = "N",
            defaultValue = "3",
            description = "Faults of each kind. Default: ${DEFAULT-VALUE}.")
    private int crashes;

    @Option(
            names = "--hold",
            paramLabel = "TIME",
            defaultValue = "8s",
            description =
                    "Duration of a fault, or downtime after a kill; a killed bookie is down for half of"
                            + " it. Default: ${DEFAULT-VALUE}.")
    private Duration hold;

    @Option(
            names = "--first-hold",
            paramLabel = "TIME",
            description = "Duration or downtime of the first fault of each kind. Default: --hold.")
    private @Nullable Duration firstHold;

    @Mixin
    private CommonOptions.Flushes flushes;

    @Mixin
    private CommonOptions.Connections connections;

    @Mixin
    private CommonOptions.Seed seed;

    @Mixin
    private StudyOptions shown;

    @Override
    public Integer call() throws IOException {
        Ranges.within("--crashes", crashes, 1, CRASHES_MAX);
        connections.check(CONNECTIONS_MAX);
        if (flushes.ignored && !CUTTING_POWER.containsAll(kinds)) {
            throw UserError.usage("--ignore-flushes is for --kinds power and outage alone");
        }
        ClusterCampaign.Request request = new ClusterCampaign.Request(
                kinds.stream().distinct().toList(),
                crashes,
                hold,
                firstHold == null ? hold : firstHold,
                connections.count,
                seed.value,
                ClusterClassPath.read(),
                flushes.ignored);
        ClusterCampaign campaign = new ClusterCampaign(request, Main.PROGRAM);
        shown.say("seed " + seed.value);
        return shown.run(campaign);
    }
}
