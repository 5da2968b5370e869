package org.hubmark.bench.users.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.users.result.Task;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * Plots over users: figures 2 to 9 of LoadSim's source, of one run of users or of two side by side, then
 * what else is known.
 */
final class Figures {
    private static final double MEGABITS_PER_BYTE = 8e-6;

    private final List<Subject> subjects;
    private final List<Charts.Chart> charts = new ArrayList<>();

    private Figures(List<Subject> subjects) {
        this.subjects = subjects;
    }

    /** {@return those of one, with percentiles of each level from the raw files in the folder} */
    static Charts of(JsonNode results, Path folder) throws IOException {
        Figures figures = new Figures(List.of(new Subject("", results)));
        figures.ofTheSource();
        figures.tasks();
        figures.charts.addAll(Percentiles.of(results, folder));
        return new Charts(figures.charts);
    }

    /** {@return those of two} */
    static Charts of(JsonNode a, JsonNode b) {
        Figures figures = new Figures(List.of(new Subject("A", a), new Subject("B", b)));
        figures.ofTheSource();
        return new Charts(figures.charts);
    }

    private void ofTheSource() {
        score();
        lines(
                "cpu",
                "Total CPU",
                "Of all cores of the server's machine, less the driver's where they share it.",
                "percent",
                isAlone()
                        ? Map.of(
                                "server's machine", "/resources/cpu_percent",
                                "server", "/resources/server_cpu_percent",
                                "driver", "/resources/driver_cpu_percent")
                        : Map.of("", "/resources/cpu_percent"));
        queue();
        io();
        lines(
                "memory",
                "Available memory",
                "Of the server's machine.",
                "MB",
                Map.of(isAlone() ? "available" : "", "/resources/available_memory_mb"));
        lines(
                "paging",
                "Paging",
                "Pages read and written for lack of memory.",
                "pages/s",
                Map.of(isAlone() ? "pages" : "", "/resources/pages_per_s"));
        network();
        sending();
    }

    private boolean isAlone() {
        return subjects.size() == 1;
    }

    private void score() {
        List<Charts.Series> all = new ArrayList<>();
        for (Subject subject : subjects) {
            add(all, subject.line(isAlone() ? "score" : ""), subject.scores());
        }
        if (all.isEmpty()) {
            return;
        }
        points(all, Published.scorePoints());
        all.add(across("limit", limit("score_ms"), all));
        add(
                "score",
                "Response time",
                "The score: the weighted mean of the tasks' 95th percentiles, with its interval where"
                        + " there are several runs, and the limit.",
                "ms",
                all);
    }

    private void queue() {
        List<Charts.Series> all = devices(Map.of("queue_length", ""));
        if (!all.isEmpty()) {
            String rule = "a bottleneck from 3 to 5 on (published)";
            List<Charts.Series> rules = Published.queueLengths().stream()
                    .map(length -> across(rule, length, all))
                    .toList();
            all.addAll(rules);
            add(
                    "queue",
                    "Disk queue length",
                    "Requests under way on average, a line for each device. By the source's rule more"
                            + " than 3 to 5 are a bottleneck.",
                    "requests",
                    all);
        }
    }

    private void io() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("reads_per_s", " reads");
        words.put("writes_per_s", " writes");
        List<Charts.Series> all = devices(words);
        if (!all.isEmpty()) {
            add(
                    "io",
                    "Disk I/O profile",
                    "Reads and writes a second of each device.",
                    "I/O/s",
                    all);
        }
    }

    private List<Charts.Series> devices(Map<String, String> words) {
        List<Charts.Series> all = new ArrayList<>();
        for (Subject subject : subjects) {
            subject.devices(words).forEach((line, points) -> add(all, line, points));
        }
        return all;
    }

    private void network() {
        List<Charts.Series> all = new ArrayList<>();
        for (Subject subject : subjects) {
            add(
                    all,
                    subject.line("received"),
                    subject.points("/resources/network_received_bytes_per_s", MEGABITS_PER_BYTE));
            add(
                    all,
                    subject.line("sent"),
                    subject.points("/resources/network_sent_bytes_per_s", MEGABITS_PER_BYTE));
        }
        if (!all.isEmpty()) {
            add("network", "Network", "Of the server's machine.", "Mbit/s", all);
        }
    }

    private void sending() {
        List<Charts.Series> all = new ArrayList<>();
        for (Subject subject : subjects) {
            String p95 = isAlone() ? "95th percentile" : "";
            add(all, subject.line(p95), subject.points("/send_latency_ms/p95"));
            if (isAlone()) {
                add(all, "mean", subject.points("/send_latency_ms/mean"));
            }
        }
        if (all.isEmpty()) {
            return;
        }
        points(all, Published.sendPoints(isAlone()));
        all.add(across("limit", limit("send_ms"), all));
        add(
                "sending",
                "Sending",
                "The 95th percentile of all tasks that send, together, and the limit; beside, what LoadGen's"
                        + " source prints of Virtual SAN (vSAN).",
                "ms",
                all);
    }

    private void tasks() {
        List<Charts.Series> all = new ArrayList<>();
        for (Task task : Task.values()) {
            List<List<Double>> points = new ArrayList<>();
            for (JsonNode level : subjects.getFirst().results().path("levels")) {
                for (JsonNode its : level.path("tasks")) {
                    if (its.path("task").asText().equals(task.name())
                            && its.path("p95_ms").isNumber()) {
                        points.add(List.of(
                                level.path("users").asDouble(),
                                its.path("p95_ms").asDouble()));
                    }
                }
            }
            add(all, task.name(), points);
        }
        if (!all.isEmpty()) {
            add("tasks", "95th percentile of each task", "A line for each task.", "ms", all);
        }
    }

    /** A line of each subject for each name, in alphabetical order. */
    private void lines(
            String id, String title, String text, String unit, Map<String, String> pointers) {
        List<Charts.Series> all = new ArrayList<>();
        for (Subject subject : subjects) {
            pointers.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(one ->
                            add(all, subject.line(one.getKey()), subject.points(one.getValue())));
        }
        if (!all.isEmpty()) {
            add(id, title, text, unit, all);
        }
    }

    private double limit(String key) {
        return subjects.getFirst().results().path("limits").path(key).asDouble();
    }

    /** A line over all that is drawn so far. */
    private static Charts.Series across(String name, double value, List<Charts.Series> drawn) {
        double least = users(drawn).min().orElse(0);
        double most = users(drawn).max().orElse(0);
        List<Double> to = List.of(most, value);
        return published(name, least < most ? List.of(List.of(least, value), to) : List.of(to));
    }

    private static DoubleStream users(List<Charts.Series> drawn) {
        return drawn.stream()
                .flatMap(series -> series.points().stream())
                .mapToDouble(point ->
                        point instanceof List<?> pair && pair.getFirst() instanceof Double x
                                ? x
                                : 0);
    }

    /** A line through them would pass for the curve that is lost in the source. */
    private static void points(List<Charts.Series> all, Map<String, List<List<Double>>> published) {
        published.forEach(
                (name, each) -> each.forEach(point -> all.add(published(name, List.of(point)))));
    }

    private static void add(List<Charts.Series> all, String name, List<List<Double>> points) {
        if (!points.isEmpty()) {
            all.add(Charts.Series.of(name, Charts.Style.MEASURED, points));
        }
    }

    private static Charts.Series published(String name, List<List<Double>> points) {
        return Charts.Series.of(name, Charts.Style.PUBLISHED, points);
    }

    private void add(
            String id, String title, String text, String unit, List<Charts.Series> series) {
        charts.add(new Charts.Chart(
                id, Charts.Kind.BY_USERS, title, text, unit, List.of(), List.of(), series));
    }
}
