package org.hubmark.bench.users.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.results.YamlResource;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the two sources print: LoadSim on a ProLiant 6000 (1997), LoadGen on Virtual SAN (2014). */
final class Published {
    static final String LOADSIM = "Compaq ProLiant 6000, LoadSim, medium, August 1997";
    static final String LOADGEN = "VMware Virtual SAN, LoadGen, very heavy";

    private static final JsonNode PROFILES = YamlResource.read("/reference/loadsim-profiles.yaml");
    private static final JsonNode SCALE_OUT = YamlResource.read("/reference/loadgen-vsan.yaml");

    private Published() {}

    /** {@return the points that can still be read in the sources, whose curves are lost} */
    static Block points() {
        List<List<String>> rows = new ArrayList<>();
        for (String name : List.of("A", "B")) {
            JsonNode server = PROFILES.at("/server_configurations/" + name);
            String where = LOADSIM + ": configuration " + name + ", "
                    + server.path("cpus").asText() + " CPU, "
                    + server.path("ram_mb").asText() + " MB";
            rows.add(row(where, server.path("max_users"), Cells.UNKNOWN, Cells.UNKNOWN, "yes"));
            for (JsonNode over : server.path("over_limit_users")) {
                rows.add(row(where, over, score(name, over.asInt()), Cells.UNKNOWN, "no"));
            }
        }
        for (JsonNode scenario : SCALE_OUT.path("scenarios")) {
            rows.add(row(
                    LOADGEN + ", " + scenario.path("total_vcpus").asText() + " vCPU",
                    scenario.path("total_users"),
                    Cells.UNKNOWN,
                    Numbers.millis(scenario.path("p95_sendmail_latency_ms")),
                    scenario.path("p95_sendmail_latency_ms").isNumber() ? "yes" : Cells.UNKNOWN));
        }
        return new Block.Grid(
                "Published points, on other hardware and software: for orientation, not for comparison",
                List.of("Source", "Users", "Score (ms)", "Sending, 95th percentile (ms)", "Passes"),
                rows);
    }

    private static String score(String configuration, int users) {
        for (JsonNode one : PROFILES.path("measured_scores")) {
            if (one.path("configuration").asText().equals(configuration)
                    && one.path("users").asInt() == users) {
                return Numbers.millis(one.path("score_ms"));
            }
        }
        return Cells.UNKNOWN;
    }

    /** {@return the scores that are left, as users and milliseconds, by what they are called} */
    static Map<String, List<List<Double>>> scorePoints() {
        Map<String, List<List<Double>>> all = new LinkedHashMap<>();
        for (JsonNode one : PROFILES.path("measured_scores")) {
            all.computeIfAbsent(
                            "configuration " + one.path("configuration").asText()
                                    + ", 1997 (published)",
                            unused -> new ArrayList<>())
                    .add(List.of(
                            one.path("users").asDouble(), one.path("score_ms").asDouble()));
        }
        return all;
    }

    /** {@return the queue lengths between which a device begins to be a bottleneck} */
    static List<Double> queueLengths() {
        List<Double> all = new ArrayList<>();
        PROFILES.at("/text_figures/disk/queue_length_bottleneck_range")
                .forEach(length -> all.add(length.asDouble()));
        return all;
    }

    /** {@return latencies of sending that are left, as users and milliseconds, by what they are called} */
    static Map<String, List<List<Double>>> sendPoints(boolean withMean) {
        Map<String, List<List<Double>>> all = new LinkedHashMap<>();
        for (JsonNode scenario : SCALE_OUT.path("scenarios")) {
            sendPoint(all, "vSAN 95th (published)", scenario, "p95");
            if (withMean) {
                sendPoint(all, "vSAN mean (published)", scenario, "avg");
            }
        }
        return all;
    }

    private static void sendPoint(
            Map<String, List<List<Double>>> all, String name, JsonNode scenario, String statistic) {
        JsonNode millis = scenario.path(statistic + "_sendmail_latency_ms");
        if (millis.isNumber()) {
            all.computeIfAbsent(name, unused -> new ArrayList<>())
                    .add(List.of(scenario.path("total_users").asDouble(), millis.asDouble()));
        }
    }

    /** {@return a part of LoadSim's source} */
    static JsonNode loadSim(String pointer) {
        return PROFILES.at(pointer);
    }

    private static List<String> row(
            String source, JsonNode users, String score, String send, String passes) {
        return List.of(source, Numbers.whole(users), score, send, passes);
    }
}
