package org.hubmark.bench.qualify.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.qualify.result.CacheFigures;

import java.util.ArrayList;
import java.util.List;

/** The plots of a comparison of caches: each has a line of one colour, over the rounds. */
final class CacheCharts {
    private CacheCharts() {}

    /** {@return the plots; none where no caches were compared} */
    static Charts of(Document document) {
        Table caches = document.table(CacheFigures.CACHES);
        return new Charts(
                caches.rows().isEmpty()
                        ? List.of()
                        : List.of(
                                chart(caches, CacheFigures.IOPS, "I/O/s"),
                                chart(caches, CacheFigures.RATE, "transactions/s"),
                                chart(caches, CacheFigures.CACHE_HITS, "%")));
    }

    private static Charts.Chart chart(Table caches, Column column, String unit) {
        return new Charts.Chart(
                column.key().replace('.', '-'),
                Charts.Kind.BY_ROUND,
                column.label(),
                "Each cache in each round. Rounds of one number belong together.",
                unit,
                List.of(),
                caches.rows().stream()
                        .map(row -> Charts.Series.of(
                                "cache " + row.name(CacheFigures.CACHE),
                                Charts.Style.MEASURED,
                                points(row, column)))
                        .toList());
    }

    private static List<List<Double>> points(Row row, Column column) {
        double[] values = row.values(column);
        List<List<Double>> points = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            if (Double.isFinite(values[i])) {
                points.add(List.of(i + 1.0, values[i]));
            }
        }
        return points;
    }
}
