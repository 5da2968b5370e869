package org.hubmark.bench.users.result;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.statistics.Interval;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * Plots over users: figures 2 to 9 of LoadSim's source, and sending with the points of LoadGen's.
 */
public final class UserCharts {
    private final Document document;
    private final List<Charts.Chart> charts = new ArrayList<>();

    private UserCharts(Document document) {
        this.document = document;
    }

    private List<Row> levels() {
        return LevelForm.levels(document);
    }

    /** {@return what each level has, with its interval where that is wanted} */
    private List<List<Double>> points(Column column, boolean withInterval) {
        Table table = document.table(LevelForm.LEVELS);
        List<List<Double>> points = new ArrayList<>();
        for (Row level : levels()) {
            Estimate estimate = table.estimate(level, column);
            Interval range = withInterval ? estimate.range() : null;
            if (estimate.isKnown()) {
                List<Double> point =
                        new ArrayList<>(List.of(level.number(LevelForm.USERS), estimate.value()));
                if (range != null) {
                    point.addAll(List.of(range.low(), range.high()));
                }
                points.add(point);
            }
        }
        return points;
    }

    /** {@return a line for each device and column, by what the device holds and its name} */
    private Map<String, List<List<Double>>> deviceLines(Map<Column, String> words) {
        Map<String, List<List<Double>>> lines = new LinkedHashMap<>();
        for (Row level : levels()) {
            Table disks = level.part(ResourceForm.DISKS);
            for (Row disk : disks.rows()) {
                String holds = disk.name(ResourceForm.HOLDS);
                String device = disk.name(ResourceForm.DEVICE);
                String text = holds.equals(device) ? device : holds + " (" + device + ")";
                words.forEach((column, word) -> {
                    Estimate estimate = disks.estimate(disk, column);
                    if (estimate.isKnown()) {
                        lines.computeIfAbsent(text + word, unused -> new ArrayList<>())
                                .add(List.of(level.number(LevelForm.USERS), estimate.value()));
                    }
                });
            }
        }
        return lines;
    }

    /** {@return those of a document} */
    static Charts of(Document document) {
        UserCharts made = new UserCharts(document);
        made.ofTheSource();
        return new Charts(made.charts);
    }

    private void ofTheSource() {
        score();
        Map<String, Column> cpu = new LinkedHashMap<>();
        cpu.put("driver", ResourceForm.DRIVER_CPU);
        cpu.put("server", ResourceForm.SERVER_CPU);
        cpu.put("server's machine", ResourceForm.CPU);
        lines(
                "cpu",
                "Total CPU",
                "CPU of all cores of the server's machine, less the driver's where they share it.",
                "percent",
                cpu);
        queue();
        io();
        lines(
                "memory",
                "Available memory",
                "Memory available on the server's machine.",
                "MB",
                Map.of("available", ResourceForm.AVAILABLE));
        lines(
                "paging",
                "Paging",
                "Pages read and written for lack of memory.",
                "pages/s",
                Map.of("pages", ResourceForm.PAGING));
        sending();
    }

    private LevelLimits limits() {
        return UsersResult.limits(document);
    }

    private void score() {
        List<Charts.Series> all = new ArrayList<>();
        add(all, "score", points(LevelForm.SCORE, true));
        if (all.isEmpty()) {
            return;
        }
        points(all, Published.scorePoints());
        all.add(across("limit", limits().scoreMs(), all));
        add(
                "score",
                "Response time",
                "The score: the weighted mean of the tasks' 95th percentiles, with its interval where"
                        + " there are several runs, and the limit.",
                "ms",
                all);
    }

    private void queue() {
        List<Charts.Series> all = devices(Map.of(ResourceForm.QUEUE_LENGTH, ""));
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
        Map<Column, String> words = new LinkedHashMap<>();
        words.put(ResourceForm.DISK_READS, " reads");
        words.put(ResourceForm.DISK_WRITES, " writes");
        add(
                "io",
                "Disk I/O profile",
                "Reads and writes a second of each device.",
                "I/O/s",
                devices(words));
    }

    private List<Charts.Series> devices(Map<Column, String> words) {
        List<Charts.Series> all = new ArrayList<>();
        deviceLines(words).forEach((line, points) -> add(all, line, points));
        return all;
    }

    private void sending() {
        List<Charts.Series> all = new ArrayList<>();
        add(all, "95th percentile", points(LevelForm.SEND_P95, false));
        add(all, "mean", points(LevelForm.SEND_MEAN, false));
        if (all.isEmpty()) {
            return;
        }
        points(all, Published.sendPoints());
        all.add(across("limit", limits().sendMs(), all));
        add(
                "sending",
                "Sending",
                "The 95th percentile of all tasks that send, together, and the limit; for"
                        + " comparison, the values that LoadGen's source prints for Virtual SAN"
                        + " (vSAN).",
                "ms",
                all);
    }

    /** A line for each name. */
    private void lines(
            String id, String title, String text, String unit, Map<String, Column> columns) {
        List<Charts.Series> all = new ArrayList<>();
        columns.forEach((name, column) -> add(all, name, points(column, false)));
        add(id, title, text, unit, all);
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
        if (!series.isEmpty()) {
            charts.add(new Charts.Chart(
                    id, Charts.Kind.BY_USERS, title, text, unit, List.of(), series));
        }
    }
}
