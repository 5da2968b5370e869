package org.hubmark.bench.users.result;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.YamlResource;
import org.hubmark.bench.kit.page.Charts;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Plots over the users of the day: figures 2 to 9 of LoadSim's source, and sending with the points of
 * LoadGen's.
 */
public final class UserCharts {
    private static final List<Plot> PLOTS =
            YamlResource.read("/users/plots.yaml", Listed.class).plots;
    private static final Map<String, Column> OF_LEVELS = byKey(LevelForm.LEVELS);
    private static final Map<String, Column> OF_DISKS = byKey(ResourceForm.DISKS);

    private UserCharts() {}

    private record Listed(List<Plot> plots) {}

    /**
     * A plot.
     *
     * @param lines keys of columns of levels, or of each device of a level, by the name in the legend; of a
     *     device that is what follows its name there
     * @param limit name of the level lines in the legend; null for none
     */
    private record Plot(
            String id,
            String title,
            String text,
            String unit,
            Map<String, String> lines,
            @Nullable String limit) {
        /** {@return points beside the lines} */
        private List<Charts.Series> published() {
            return switch (id) {
                case "score" -> Published.scores();
                case "sending" -> Published.sending();
                default -> List.of();
            };
        }

        private List<Double> limits(Document document) {
            return switch (id) {
                case "score" -> List.of(UsersResult.limits(document).scoreMs());
                case "sending" -> List.of(UsersResult.limits(document).sendMs());
                case "queue" -> Published.queueLengths();
                default -> List.of();
            };
        }
    }

    private static Map<String, Column> byKey(Form form) {
        return form.columns().stream().collect(Collectors.toMap(Column::key, column -> column));
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
            all.addAll(plot.published());
            String name = String.valueOf(plot.limit);
            plot.limits(document).forEach(value -> all.add(Charts.Series.across(name, value, all)));
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
            plot.lines.forEach((name, key) -> {
                Column ofDisk = OF_DISKS.get(key);
                if (ofDisk != null) {
                    disks.rows()
                            .forEach(disk -> add(
                                    lines,
                                    ResourceForm.text(disk) + name,
                                    disks.point(users, disk, ofDisk)));
                } else {
                    Column ofLevel = Objects.requireNonNull(OF_LEVELS.get(key), key);
                    add(lines, name, levels.point(users, level, ofLevel));
                }
            });
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
