package org.hubmark.bench.qualify.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.qualify.phase.CacheFigures;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.hubmark.bench.qualify.phase.PhaseVerdict;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/** The plots: latency of each instance over the time of a phase, or figures of each cache over the rounds. */
final class QualificationCharts {
    /** What the source judges first. */
    private static final List<Column> PANELS =
            List.of(InstanceFigures.READ_LATENCY, InstanceFigures.LOG_LATENCY);

    /** In each panel; of two panels a legend beside the answer has room for their names. */
    private static final int SLOWEST_MAX = 4;

    private QualificationCharts() {}

    /** {@return the plots, of which the first stands beside the answer} */
    static Charts of(Document document) {
        Table caches = document.table(CacheFigures.CACHES);
        return new Charts(
                caches.rows().isEmpty()
                        ? document.table(PhaseFigures.PHASES).rows().stream()
                                .filter(QualificationCharts::isDrawn)
                                .map(row -> latency(document, row))
                                .toList()
                        : List.of(
                                chart(caches, CacheFigures.IOPS, "I/O/s"),
                                chart(caches, CacheFigures.RATE, "transactions/s"),
                                chart(caches, CacheFigures.CACHE_HITS, "%")));
    }

    /** {@return whether it has transactions, and samples, which a copied folder may lack} */
    private static boolean isDrawn(Row phase) {
        return Double.isFinite(PhaseFigures.ACHIEVED.value(phase.repeat()))
                && phase.repeat().parts(InstanceFigures.INSTANCES).stream()
                        .anyMatch(one -> !one.samples().isEmpty());
    }

    /** An instance that is not drawn is among the series too, so that each has its colour in all plots. */
    private static Charts.Chart latency(Document document, Row phase) {
        List<Repeat> all = phase.repeat().parts(InstanceFigures.INSTANCES);
        List<Charts.Series> series = new ArrayList<>();
        for (Column column : PANELS) {
            List<Repeat> slowest = all.stream()
                    .sorted(Comparator.comparingDouble(one -> -column.value(one)))
                    .limit(SLOWEST_MAX)
                    .toList();
            all.forEach(one -> series.add(new Charts.Series(
                    one.name(InstanceFigures.INSTANCE),
                    Charts.Style.MEASURED,
                    PANELS.indexOf(column),
                    slowest.contains(one) ? points(one, column) : List.of(),
                    Set.of())));
            Name limit = Objects.requireNonNull(PhaseVerdict.LIMITS.get(column));
            series.add(Charts.Series.across("limit", PhaseVerdict.number(document, limit), series));
        }
        return new Charts.Chart(
                "latency-" + phase.name(PhaseFigures.PHASE),
                Charts.Kind.BY_TIME,
                "Latency, " + phase.name(PhaseFigures.PHASE),
                "The mean of each sample, of the " + SLOWEST_MAX
                        + " slowest instances at most. The limit is that of the mean of the phase.",
                "ms",
                List.of("database reads, ms", "log writes, ms"),
                series);
    }

    private static List<List<@Nullable Double>> points(Repeat instance, Column column) {
        List<List<@Nullable Double>> points = new ArrayList<>();
        for (Repeat sample : instance.samples()) {
            double value = column.value(sample);
            points.add(Arrays.asList(
                    Math.round(sample.count(InstanceFigures.AT_NS) / 1e6) / 1e3,
                    Double.isFinite(value) ? (Double) value : null));
        }
        return points;
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
        return IntStream.range(0, values.length)
                .filter(i -> Double.isFinite(values[i]))
                .mapToObj(i -> List.of(i + 1.0, values[i]))
                .toList();
    }
}
