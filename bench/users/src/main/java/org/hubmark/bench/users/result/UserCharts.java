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

/**
 * Plots over users: figures 2 to 9 of LoadSim's source, and sending with the points of LoadGen's.
 */
public final class UserCharts {
    private static final List<Plot> PLOTS = List.of(
            new Plot(
                    "score",
                    "Response time",
                    "The score: the weighted mean of the tasks' 95th percentiles, with its interval where"
                            + " there are several runs, and the limit.",
                    "ms",
                    List.of(new Line("score", LevelForm.SCORE)),
                    List.of()),
            new Plot(
                    "cpu",
                    "Total CPU",
                    "CPU of all cores of the server's machine, less the driver's where they share it.",
                    "percent",
                    List.of(
                            new Line("driver", ResourceForm.DRIVER_CPU),
                            new Line("server", ResourceForm.SERVER_CPU),
                            new Line("server's machine", ResourceForm.CPU)),
                    List.of()),
            new Plot(
                    "queue",
                    "Disk queue length",
                    "Requests under way on average, a line for each device. By the source's rule more"
                            + " than 3 to 5 are a bottleneck.",
                    "requests",
                    List.of(),
                    List.of(new Line("", ResourceForm.QUEUE_LENGTH))),
            new Plot(
                    "io",
                    "Disk I/O profile",
                    "Reads and writes a second of each device.",
                    "I/O/s",
                    List.of(),
                    List.of(
                            new Line(" reads", ResourceForm.DISK_READS),
                            new Line(" writes", ResourceForm.DISK_WRITES))),
            new Plot(
                    "memory",
                    "Available memory",
                    "Memory available on the server's machine.",
                    "MB",
                    List.of(new Line("available", ResourceForm.AVAILABLE)),
                    List.of()),
            new Plot(
                    "paging",
                    "Paging",
                    "Pages read and written for lack of memory.",
                    "pages/s",
                    List.of(new Line("pages", ResourceForm.PAGING)),
                    List.of()),
            new Plot(
                    "sending",
                    "Sending",
                    "The 95th percentile of all tasks that send, together, and the limit; for"
                            + " comparison, the values that LoadGen's source prints for Virtual SAN"
                            + " (vSAN).",
                    "ms",
                    List.of(
                            new Line("95th percentile", LevelForm.SEND_P95),
                            new Line("mean", LevelForm.SEND_MEAN)),
                    List.of()));

    private UserCharts() {}

    /**
     * A plot.
     *
     * @param lines of the levels
     * @param ofDevices lines of each device of a level
     */
    private record Plot(
            String id,
            String title,
            String text,
            String unit,
            List<Line> lines,
            List<Line> ofDevices) {}

    /**
     * A line.
     *
     * @param name in the legend; of a device, what follows its name there
     */
    private record Line(String name, Column column) {}

    /** {@return those of a document} */
    static Charts of(Document document) {
        return new Charts(PLOTS.stream()
                .map(plot -> new Charts.Chart(
                        plot.id,
                        Charts.Kind.BY_USERS,
                        plot.title,
                        plot.text,
                        plot.unit,
                        List.of(),
                        series(document, plot)))
                .filter(chart -> !chart.series().isEmpty())
                .toList());
    }

    private static List<Charts.Series> series(Document document, Plot plot) {
        List<Charts.Series> all = new ArrayList<>();
        measured(document, plot)
                .forEach((name, points) ->
                        all.add(Charts.Series.of(name, Charts.Style.MEASURED, points)));
        if (all.isEmpty()) {
            return all;
        }
        LevelLimits limits = UsersResult.limits(document);
        switch (plot.id) {
            case "score" -> {
                points(all, Published.scorePoints());
                across(all, "limit", limits.scoreMs());
            }
            case "sending" -> {
                points(all, Published.sendPoints());
                across(all, "limit", limits.sendMs());
            }
            case "queue" ->
                Published.queueLengths()
                        .forEach(length ->
                                across(all, "a bottleneck from 3 to 5 on (published)", length));
            default -> {
                // Nothing is published of it.
            }
        }
        return all;
    }

    /** {@return users and value of each level, by the name of the line} */
    private static Map<String, List<List<Double>>> measured(Document document, Plot plot) {
        Map<String, List<List<Double>>> lines = new LinkedHashMap<>();
        Table levels = document.table(LevelForm.LEVELS);
        for (Row level : LevelForm.levels(document)) {
            plot.lines.forEach(
                    line -> add(lines, line.name, level, levels.estimate(level, line.column)));
            Table disks = level.part(ResourceForm.DISKS);
            for (Row disk : disks.rows()) {
                String text =
                        disk.name(ResourceForm.HOLDS) + " (" + disk.name(ResourceForm.DEVICE) + ")";
                plot.ofDevices.forEach(line ->
                        add(lines, text + line.name, level, disks.estimate(disk, line.column)));
            }
        }
        return lines;
    }

    private static void add(
            Map<String, List<List<Double>>> lines, String name, Row level, Estimate estimate) {
        if (!estimate.isKnown()) {
            return;
        }
        List<Double> point =
                new ArrayList<>(List.of(level.number(LevelForm.USERS), estimate.value()));
        Interval range = estimate.range();
        if (range != null && name.equals("score")) {
            point.addAll(List.of(range.low(), range.high()));
        }
        lines.computeIfAbsent(name, unused -> new ArrayList<>()).add(point);
    }

    /** A line over all that is drawn so far. */
    private static void across(List<Charts.Series> all, String name, double value) {
        double[] users = all.stream()
                .flatMap(series -> series.points().stream())
                .mapToDouble(point ->
                        point instanceof List<?> pair && pair.getFirst() instanceof Double x
                                ? x
                                : 0)
                .sorted()
                .toArray();
        List<Double> to = List.of(users[users.length - 1], value);
        all.add(published(
                name,
                users[0] < to.getFirst() ? List.of(List.of(users[0], value), to) : List.of(to)));
    }

    /** A line through them would pass for the curve that is lost in the source. */
    private static void points(List<Charts.Series> all, Map<String, List<List<Double>>> published) {
        published.forEach(
                (name, each) -> each.forEach(point -> all.add(published(name, List.of(point)))));
    }

    private static Charts.Series published(String name, List<List<Double>> points) {
        return Charts.Series.of(name, Charts.Style.PUBLISHED, points);
    }
}
