package org.hubmark.bench.users.result;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.results.YamlResource;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What the two sources print: LoadSim on a ProLiant 6000 (1997), LoadGen on Virtual SAN (2014). */
final class Published {
    private static final String LOADSIM = "Compaq ProLiant 6000, LoadSim, medium, August 1997";
    private static final String LOADGEN = "VMware Virtual SAN, LoadGen, very heavy";
    private static final LoadSim LOAD_SIM =
            YamlResource.published("loadsim-profiles", LoadSim.class);
    private static final LoadGen LOAD_GEN = YamlResource.published("loadgen-vsan", LoadGen.class);

    /** The plot of each figure of LoadSim's source that is measured here; its figure 1 is a drawing. */
    private static final Map<Integer, String> PLOTS = Map.of(
            2, "score", 3, "cpu", 4, "queue", 5, "queue", 6, "io", 7, "io", 8, "memory", 9,
            "paging");

    private Published() {}

    /** What is read of LoadSim's source. */
    private record LoadSim(
            Map<String, Server> serverConfigurations,
            List<Score> measuredScores,
            TextFigures textFigures,
            List<Figure> figures) {}

    private record Server(int cpus, int ramMb, int maxUsers, List<Integer> overLimitUsers) {}

    private record Score(String configuration, int users, double scoreMs) {
        private String name() {
            return "configuration " + configuration;
        }
    }

    private record TextFigures(Disk disk, Network network) {}

    private record Disk(List<Double> queueLengthBottleneckRange) {}

    private record Network(
            int users,
            @JsonProperty("utilization_10base_t_percent") int slowPercent,
            @JsonProperty("utilization_100base_tx_percent") int fastPercent) {}

    private record Figure(int number, String title) {}

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
                whole(users),
                UserSections.decimals(score, 1),
                UserSections.decimals(send, 1),
                passes);
    }

    private static String whole(int number) {
        return String.format(Locale.ROOT, "%,d", number);
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
            all.computeIfAbsent(one.name() + ", 1997 (published)", unused -> new ArrayList<>())
                    .add(List.of((double) one.users, one.scoreMs));
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
            put(all, "vSAN 95th (published)", scenario, scenario.p95SendmailLatencyMs);
            put(all, "vSAN mean (published)", scenario, scenario.avgSendmailLatencyMs);
        }
        return all;
    }

    private static void put(
            Map<String, List<List<Double>>> all,
            String name,
            Scenario scenario,
            @Nullable Double millis) {
        if (millis != null) {
            all.computeIfAbsent(name, unused -> new ArrayList<>())
                    .add(List.of((double) scenario.totalUsers, millis));
        }
    }

    /** {@return which plot is the counterpart of which figure of LoadSim's, and what is printed there} */
    static Section figures(Charts charts) {
        List<List<String>> rows = new ArrayList<>();
        for (Figure figure : LOAD_SIM.figures) {
            boolean drawing = figure.number == 1;
            rows.add(List.of(
                    Integer.toString(figure.number),
                    figure.title,
                    drawing ? "none: a drawing" : plot(figure.number, charts),
                    drawing ? Cells.UNKNOWN : printed(figure.number)));
        }
        Network network = LOAD_SIM.textFigures.network;
        return new Section(
                2,
                "Figures of the source",
                List.of(
                        new Block.Grid(
                                        "The figures of " + LOADSIM,
                                        List.of(
                                                "Figure",
                                                "What it shows",
                                                "Here",
                                                "Published points"),
                                        rows)
                                .with(Set.of(1, 2, 3)),
                        new Block.Text("The source has no figure of the network; its text says "
                                + network.slowPercent + " % of 10 Mbit/s and "
                                + network.fastPercent + " % of 100 Mbit/s with "
                                + whole(network.users) + " users.")));
    }

    private static String plot(int number, Charts charts) {
        return charts.all().stream()
                .filter(chart -> chart.id().equals(PLOTS.get(number)))
                .map(chart -> "plot " + chart.title())
                .findFirst()
                .orElse("none: not known of the server's machine");
    }

    /** The curves are pictures that are lost; a score is left in the text. */
    private static String printed(int number) {
        return number != 2
                ? "none"
                : LOAD_SIM.measuredScores.stream()
                        .map(one -> one.name() + ", " + whole(one.users) + " users: "
                                + Math.round(one.scoreMs) + " ms")
                        .collect(Collectors.joining("; ", "", "; no other"));
    }
}
