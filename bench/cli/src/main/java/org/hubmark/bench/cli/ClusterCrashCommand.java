package org.hubmark.bench.cli;

import org.hubmark.bench.durability.ClusterCampaign;
import org.hubmark.bench.durability.ClusterFault;
import org.hubmark.core.Durations;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

    /** How long what was killed is away; a bookie for half of it. */
    private static final Duration HOLD = Duration.ofSeconds(8);

    /** These leave some 2 GB a minute in journals and ledgers. */
    private static final int CONNECTIONS = 4;

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
                kinds.stream().distinct().toList(),
                crashes,
                HOLD,
                CONNECTIONS,
                seed.value,
                ClusterClassPath.read());
        ClusterCampaign campaign = new ClusterCampaign(request, Main.PROGRAM);
        shown.say("seed " + seed.value);
        Map<String, Object> settings = shown.settings();
        settings.put("connections", CONNECTIONS);
        settings.put("hold", Durations.format(HOLD));
        return shown.run(campaign, settings, List::of);
    }
}
