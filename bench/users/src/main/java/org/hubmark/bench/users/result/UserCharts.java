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
import java.util.function.Function;

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
                    Published.scores(),
                    "limit",
                    document -> List.of(UsersResult.limits(document).scoreMs())),
            new Plot(
                    "sending",
                    "Sending",
                    "All tasks that send, together, and the limit of the 95th percentile; the published"
                            + " points are those of LoadGen on Virtual SAN (vSAN).",
                    "ms",
                    List.of(
                            new Line("95th percentile", LevelForm.SEND_P95),
                            new Line("mean", LevelForm.SEND_MEAN)),
                    Published.sending(),
                    "limit",
                    document -> List.of(UsersResult.limits(document).sendMs())),
            plot(
                    "cpu",
                    "Total CPU",
                    "CPU of all cores of the server's machine, less the driver's where they share it.",
                    "percent",
                    new Line("driver", ResourceForm.DRIVER_CPU),
                    new Line("server", ResourceForm.SERVER_CPU),
                    new Line("server's machine", ResourceForm.CPU)),
            new Plot(
                    "queue",
                    "Disk queue length",
                    "Requests under way on average, a line for each device. By the source's rule more"
                            + " than 3 to 5 are a bottleneck.",
                    "requests",
                    List.of(new Line("", ResourceForm.QUEUE_LENGTH)),
                    List.of(),
                    "a bottleneck from 3 to 5 on (published)",
                    document -> Published.queueLengths()),
            plot(
                    "io",
                    "Disk I/O profile",
                    "Reads and writes a second of each device.",
                    "I/O/s",
                    new Line(" reads", ResourceForm.DISK_READS),
                    new Line(" writes", ResourceForm.DISK_WRITES)),
            plot(
                    "memory",
                    "Available memory",
                    "Memory available on the server's machine.",
                    "MB",
                    new Line("available", ResourceForm.AVAILABLE)),
            plot(
                    "paging",
                    "Paging",
                    "Pages read and written for lack of memory.",
                    "pages/s",
                    new Line("pages", ResourceForm.PAGING)));

    private UserCharts() {}

    /**
     * A plot.
     *
     * @param published points beside the lines
     * @param limit name of the level lines in the legend
     */
    private record Plot(
            String id,
            String title,
            String text,
            String unit,
            List<Line> lines,
            List<Charts.Series> published,
            String limit,
            Function<Document, List<Double>> limits) {}

    /**
     * A line.
     *
     * @param name in the legend; of a device, what follows its name there
     * @param column of levels, or of each device of a level
     */
    private record Line(String name, Column column) {}

    private static Plot plot(String id, String title, String text, String unit, Line... lines) {
        return new Plot(
                id, title, text, unit, List.of(lines), List.of(), "", document -> List.of());
    }

    /** {@return those of a document; all of them stand below the answer} */
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
        if (!all.isEmpty()) {
            all.addAll(plot.published);
            plot.limits
                    .apply(document)
                    .forEach(value -> all.add(Charts.Series.across(plot.limit, value, all)));
        }
        return all;
    }

    /** {@return users and value of each level, by the name of the line} */
    private static Map<String, List<List<Double>>> measured(Document document, Plot plot) {
        Map<String, List<List<Double>>> lines = new LinkedHashMap<>();
        Table levels = document.table(LevelForm.LEVELS);
        for (Row level : LevelForm.levels(document)) {
            double users = (double) LevelForm.load(document, level);
            Table disks = level.part(ResourceForm.DISKS);
            for (Line line : plot.lines) {
                if (ResourceForm.DISKS.columns().contains(line.column)) {
                    disks.rows()
                            .forEach(disk -> add(
                                    lines,
                                    ResourceForm.text(disk) + line.name,
                                    disks.point(users, disk, line.column)));
                } else {
                    add(lines, line.name, levels.point(users, level, line.column));
                }
            }
        }
        return lines;
    }

    private static void add(
            Map<String, List<List<Double>>> lines, String name, List<Double> point) {
        if (!point.isEmpty()) {
            lines.computeIfAbsent(name, unused -> new ArrayList<>()).add(point);
        }
    }
}
