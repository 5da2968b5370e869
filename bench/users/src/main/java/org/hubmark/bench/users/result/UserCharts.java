package org.hubmark.bench.users.result;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.page.Charts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Plots over the users of the day: figures 2 to 9 of LoadSim's source, and sending with the points of
 * LoadGen's.
 */
public final class UserCharts {
    private static final List<Plot> PLOTS = List.of(
            new Plot(
                    "score",
                    "Response time",
                    "The score: the weighted mean of the tasks' 95th percentiles, and the limit.",
                    "ms",
                    List.of(new Line("score", LevelForm.SCORE)),
                    List.of()),
            new Plot(
                    "sending",
                    "Sending",
                    "All tasks that send, together, and the limit of the 95th percentile; the published"
                            + " points are those of LoadGen on Virtual SAN (vSAN).",
                    "ms",
                    List.of(
                            new Line("95th percentile", LevelForm.SEND_P95),
                            new Line("mean", LevelForm.SEND_MEAN)),
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

    /** {@return those of a document; all of them stand below the answer} */
    static Charts of(Document document) {
        List<Charts.Chart> all = PLOTS.stream()
                .map(plot -> new Charts.Chart(
                        plot.id,
                        Charts.Kind.BY_USERS,
                        plot.title,
                        plot.text,
                        plot.unit,
                        List.of(),
                        series(document, plot)))
                .filter(chart -> !chart.series().isEmpty())
                .toList();
        return new Charts(all);
    }

    private static List<Charts.Series> series(Document document, Plot plot) {
        Map<String, List<List<Double>>> lines = measured(document, plot);
        List<Charts.Series> all = new ArrayList<>();
        lines.forEach(
                (name, points) -> all.add(Charts.Series.of(name, Charts.Style.MEASURED, points)));
        if (all.isEmpty()) {
            return all;
        }
        LevelLimits limits = UsersResult.limits(document);
        switch (plot.id) {
            case "score" -> {
                all.addAll(Published.scores());
                all.add(Charts.Series.across("limit", limits.scoreMs(), all));
            }
            case "sending" -> {
                all.addAll(Published.sending());
                all.add(Charts.Series.across("limit", limits.sendMs(), all));
            }
            case "queue" -> {
                String name = "a bottleneck from 3 to 5 on (published)";
                Published.queueLengths()
                        .forEach(length -> all.add(Charts.Series.across(name, length, all)));
            }
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
            double users = (double) LevelForm.load(document, level);
            plot.lines.forEach(line -> add(lines, line.name, users, levels, level, line.column));
            Table disks = level.part(ResourceForm.DISKS);
            for (Row disk : disks.rows()) {
                String text = ResourceForm.text(disk);
                plot.ofDevices.forEach(
                        line -> add(lines, text + line.name, users, disks, disk, line.column));
            }
        }
        return lines;
    }

    private static void add(
            Map<String, List<List<Double>>> lines,
            String name,
            double users,
            Table table,
            Row row,
            Column column) {
        List<Double> point = table.point(users, row, column);
        if (!point.isEmpty()) {
            lines.computeIfAbsent(name, unused -> new ArrayList<>()).add(point);
        }
    }
}
