package org.hubmark.bench.cli;

import org.hubmark.bench.durability.ClusterCampaign;
import org.hubmark.bench.durability.ClusterFault;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

/** Lets parts of a cluster fail under load. */
@Command(
        name = "crash",
        description = {
            "Kills parts of a cluster of four bookies and two brokers under load, again and again, and"
                    + " checks that every message that was answered with 250 is delivered with its"
                    + " content. Starts a cluster of its own. The kind bookies needs root.",
            "Exits with 0 if nothing was lost and mail was accepted again after each fault, 1 if not,"
                    + " 130 if interrupted."
        })
final class ClusterCrashCommand implements Callable<Integer> {
    private static final int CRASHES_MAX = 10_000;

    @Option(
            names = "--kinds",
            paramLabel = "KIND",
            split = ",",
            defaultValue = "hub,broker,bookie,bookies",
            description = "Kinds of crashes; one process is killed, or all bookies."
                    + " Default: ${DEFAULT-VALUE}.")
    private List<ClusterFault> kinds = List.of();

    @Option(
            names = "--crashes",
            paramLabel = "N",
            defaultValue = "3",
            description = "Crashes of each kind. Default: ${DEFAULT-VALUE}.")
    private int crashes;

    @Mixin
    private CommonOptions.Seed seed;

    @Mixin
    private StudyOptions shown;

    @Override
    public Integer call() throws IOException {
        Ranges.within("--crashes", crashes, 1, CRASHES_MAX);
        ClusterCampaign.Request request = new ClusterCampaign.Request(
                kinds.stream().distinct().toList(), crashes, seed.value, ClusterClassPath.read());
        ClusterCampaign campaign = new ClusterCampaign(request, Main.PROGRAM);
        shown.say("seed " + seed.value);
        return shown.run(campaign, shown.settings(), List::of);
    }
}
