package org.hubmark.bench.users.result;

import org.hubmark.bench.kit.document.YamlResource;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Charts;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * What can still be read in the two sources, whose curves are lost: LoadSim on a ProLiant 6000 (1997),
 * LoadGen on Virtual SAN (2014).
 */
final class Published {
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

    private record TextFigures(Disk disk, Memory memory) {}

    private record Disk(List<Double> queueLengthBottleneckRange) {}

    private record Memory(List<Double> minFreeMemoryMb) {}

    /** What is read of LoadGen's. */
    private record LoadGen(List<Scenario> scenarios) {}

    private record Scenario(
            int totalUsers,
            int totalVcpus,
            @Nullable Double avgSendmailLatencyMs,
            @Nullable Double p95SendmailLatencyMs) {}

    /** {@return all points} */
    static Block points() {
        List<List<String>> rows = new ArrayList<>();
        LOAD_SIM.serverConfigurations.forEach((name, server) -> {
            String where = "Compaq ProLiant 6000, LoadSim, medium, August 1997: configuration "
                    + name + ", " + server.cpus + " CPU, " + server.ramMb + " MB";
            rows.add(row(where, server.maxUsers, null, null, "yes"));
            server.overLimitUsers.forEach(users -> rows.add(row(
                    where,
                    users,
                    LOAD_SIM.measuredScores.stream()
                            .filter(one -> one.configuration.equals(name) && one.users == users)
                            .map(Score::scoreMs)
                            .findFirst()
                            .orElse(null),
                    null,
                    "no")));
        });
        LOAD_GEN.scenarios.forEach(scenario -> rows.add(row(
                "VMware Virtual SAN, LoadGen, very heavy, " + scenario.totalVcpus + " vCPU",
                scenario.totalUsers,
                null,
                scenario.p95SendmailLatencyMs,
                scenario.p95SendmailLatencyMs == null ? Cells.UNKNOWN : "yes")));
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

    /** {@return the scores that are left; a line through them would pass for the curve that is lost} */
    static List<Charts.Series> scores() {
        return LOAD_SIM.measuredScores.stream()
                .map(one -> point(
                        "configuration " + one.configuration + ", 1997 (published)",
                        one.users,
                        one.scoreMs))
                .toList();
    }

    /** {@return latencies of sending that are left} */
    static List<Charts.Series> sending() {
        List<Charts.Series> all = new ArrayList<>();
        add(all, "vSAN 95th (published)", Scenario::p95SendmailLatencyMs);
        add(all, "vSAN mean (published)", Scenario::avgSendmailLatencyMs);
        return all;
    }

    private static void add(
            List<Charts.Series> all, String name, Function<Scenario, @Nullable Double> millis) {
        for (Scenario scenario : LOAD_GEN.scenarios) {
            Double known = millis.apply(scenario);
            if (known != null) {
                all.add(point(name, scenario.totalUsers, known));
            }
        }
    }

    private static Charts.Series point(String name, double users, double value) {
        return Charts.Series.of(name, Charts.Style.PUBLISHED, List.of(List.of(users, value)));
    }

    /** {@return the queue lengths between which a device begins to be a bottleneck} */
    static List<Double> queueLengths() {
        return LOAD_SIM.textFigures.disk.queueLengthBottleneckRange;
    }

    /** {@return the memory that has to be free at least, MB} */
    static double freeMemoryMb() {
        return LOAD_SIM.textFigures.memory.minFreeMemoryMb.getLast();
    }
}
