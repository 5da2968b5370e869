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
import java.util.Objects;
import java.util.function.Function;

/**
 * What can still be read in the two sources, whose curves are lost: LoadSim on a ProLiant 6000 (1997),
 * LoadGen on Virtual SAN (2014).
 */
final class Published {
    private static final LoadSim LOAD_SIM =
            YamlResource.published("loadsim-profiles", LoadSim.class);
    private static final LoadGen LOAD_GEN = YamlResource.published("loadgen-vsan", LoadGen.class);
    private static final List<Point> POINTS = read();

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

    private record Point(
            String source,
            int users,
            @Nullable Double scoreMs,
            @Nullable Double sendMeanMs,
            @Nullable Double sendP95Ms,
            String passes) {}

    private static List<Point> read() {
        List<Point> points = new ArrayList<>();
        LOAD_SIM.serverConfigurations.forEach((name, server) -> {
            String where = "Compaq ProLiant 6000, LoadSim, medium, August 1997: configuration "
                    + name + ", " + server.cpus + " CPU, " + server.ramMb + " MB";
            points.add(new Point(where, server.maxUsers, null, null, null, "yes"));
            for (int users : server.overLimitUsers) {
                Double scoreMs = LOAD_SIM.measuredScores.stream()
                        .filter(one -> one.configuration.equals(name) && one.users == users)
                        .map(Score::scoreMs)
                        .findFirst()
                        .orElse(null);
                points.add(new Point(where, users, scoreMs, null, null, "no"));
            }
        });
        LOAD_GEN.scenarios.forEach(one -> points.add(new Point(
                "VMware Virtual SAN, LoadGen, very heavy, " + one.totalVcpus + " vCPU",
                one.totalUsers,
                null,
                one.avgSendmailLatencyMs,
                one.p95SendmailLatencyMs,
                one.p95SendmailLatencyMs == null ? Cells.UNKNOWN : "yes")));
        return points;
    }

    /** {@return all points} */
    static Block points() {
        return new Block.Grid(
                "Published points, on other hardware and software: for orientation, not for comparison",
                List.of("Source", "Users", "Score (ms)", "Sending, 95th percentile (ms)", "Passes"),
                POINTS.stream()
                        .map(one -> List.of(
                                one.source,
                                String.format(Locale.ROOT, "%,d", one.users),
                                UserSections.decimals(one.scoreMs, 1),
                                UserSections.decimals(one.sendP95Ms, 1),
                                one.passes))
                        .toList());
    }

    /** {@return the score that is left; a line through it would pass for the curve that is lost} */
    static List<Charts.Series> scores() {
        return series("configuration B, 1997 (published)", Point::scoreMs);
    }

    /** {@return latencies of sending that are left} */
    static List<Charts.Series> sending() {
        List<Charts.Series> all =
                new ArrayList<>(series("vSAN 95th (published)", Point::sendP95Ms));
        all.addAll(series("vSAN mean (published)", Point::sendMeanMs));
        return all;
    }

    private static List<Charts.Series> series(
            String name, Function<Point, @Nullable Double> millis) {
        return POINTS.stream()
                .filter(one -> millis.apply(one) != null)
                .map(one -> Charts.Series.of(
                        name,
                        Charts.Style.PUBLISHED,
                        List.of(List.of(
                                (double) one.users, Objects.requireNonNull(millis.apply(one))))))
                .toList();
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
