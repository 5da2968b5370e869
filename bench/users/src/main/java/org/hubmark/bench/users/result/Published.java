package org.hubmark.bench.users.result;

import org.hubmark.bench.kit.document.YamlResource;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the two sources print: LoadSim on a ProLiant 6000 (1997), LoadGen on Virtual SAN (2014). */
final class Published {
    private static final String LOADSIM = "Compaq ProLiant 6000, LoadSim, medium, August 1997";
    private static final String LOADGEN = "VMware Virtual SAN, LoadGen, very heavy";
    private static final LoadSim LOAD_SIM =
            YamlResource.published("loadsim-profiles", LoadSim.class);
    private static final LoadGen LOAD_GEN = YamlResource.published("loadgen-vsan", LoadGen.class);

    private Published() {}

    /** What is read of LoadSim's source. */
    private record LoadSim(
            Map<String, Server> serverConfigurations,
            List<Score> measuredScores,
            TextFigures textFigures) {}

    private record Server(int cpus, int ramMb, int maxUsers, List<Integer> overLimitUsers) {}

    private record Score(String configuration, int users, double scoreMs) {}

    private record TextFigures(Disk disk) {}

    private record Disk(List<Double> queueLengthBottleneckRange) {}

    /** What is read of LoadGen's. */
    private record LoadGen(List<Scenario> scenarios) {}

    private record Scenario(
            int totalUsers,
            int totalVcpus,
            @Nullable Double avgSendmailLatencyMs,
            @Nullable Double p95SendmailLatencyMs) {}

    /** {@return the points that can still be read in the sources, whose curves are lost} */
    static Block points() {
        List<List<String>> rows = new ArrayList<>();
        LOAD_SIM.serverConfigurations.forEach((name, server) -> {
            String where = LOADSIM + ": configuration " + name + ", " + server.cpus + " CPU, "
                    + server.ramMb + " MB";
            rows.add(row(where, server.maxUsers, null, null, "yes"));
            server.overLimitUsers.forEach(
                    over -> rows.add(row(where, over, score(name, over), null, "no")));
        });
        for (Scenario scenario : LOAD_GEN.scenarios) {
            rows.add(row(
                    LOADGEN + ", " + scenario.totalVcpus + " vCPU",
                    scenario.totalUsers,
                    null,
                    scenario.p95SendmailLatencyMs,
                    scenario.p95SendmailLatencyMs == null ? Cells.UNKNOWN : "yes"));
        }
        return new Block.Grid(
                "Published points, on other hardware and software: for orientation, not for comparison",
                List.of("Source", "Users", "Score (ms)", "Sending, 95th percentile (ms)", "Passes"),
                rows);
    }

    private static List<String> row(
            String source,
            int users,
            @Nullable Double score,
            @Nullable Double send,
            String passes) {
        return List.of(
                source,
                String.format(Locale.ROOT, "%,d", users),
                UserSections.decimals(score, 1),
                UserSections.decimals(send, 1),
                passes);
    }

    private static @Nullable Double score(String configuration, int users) {
        return LOAD_SIM.measuredScores.stream()
                .filter(one -> one.configuration.equals(configuration) && one.users == users)
                .map(Score::scoreMs)
                .findFirst()
                .orElse(null);
    }

    /** {@return the scores that are left, as users and milliseconds, by what they are called} */
    static Map<String, List<List<Double>>> scorePoints() {
        Map<String, List<List<Double>>> all = new LinkedHashMap<>();
        for (Score one : LOAD_SIM.measuredScores) {
            put(
                    all,
                    "configuration " + one.configuration + ", 1997 (published)",
                    one.users,
                    one.scoreMs);
        }
        return all;
    }

    /** {@return the queue lengths between which a device begins to be a bottleneck} */
    static List<Double> queueLengths() {
        return LOAD_SIM.textFigures.disk.queueLengthBottleneckRange;
    }

    /** {@return latencies of sending that are left, as users and milliseconds, by what they are called} */
    static Map<String, List<List<Double>>> sendPoints() {
        Map<String, List<List<Double>>> all = new LinkedHashMap<>();
        for (Scenario scenario : LOAD_GEN.scenarios) {
            put(all, "vSAN 95th (published)", scenario.totalUsers, scenario.p95SendmailLatencyMs);
            put(all, "vSAN mean (published)", scenario.totalUsers, scenario.avgSendmailLatencyMs);
        }
        return all;
    }

    private static void put(
            Map<String, List<List<Double>>> all, String name, int users, @Nullable Double millis) {
        if (millis != null) {
            all.computeIfAbsent(name, unused -> new ArrayList<>())
                    .add(List.of((double) users, millis));
        }
    }
}
