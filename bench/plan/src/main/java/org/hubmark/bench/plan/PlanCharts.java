package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Formula.OfColumn;
import org.hubmark.bench.kit.page.Charts;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The plots of a plan: figure 1 of TR-3766 in two. */
final class PlanCharts {
    private static final int PARTS = 10;

    private PlanCharts() {}

    static Charts of(Document document) {
        List<Plan> plans = PlanDocument.plans(document);
        return new Charts(Stream.of(
                        gain(
                                "users",
                                "Users added, by what a cache brings",
                                "users",
                                CacheSteps.MORE_USERS_EXACT,
                                plans),
                        gain(
                                "drives",
                                "Drives saved, by what a cache brings",
                                "drives",
                                CacheSteps.DRIVES_SAVED_EXACT,
                                plans))
                .filter(chart -> !chart.series().isEmpty())
                .toList());
    }

    private static Charts.Chart gain(
            String id, String title, String unit, OfColumn answer, List<Plan> plans) {
        List<Charts.Series> series = new ArrayList<>();
        for (Plan plan : plans) {
            List<List<Double>> points = IntStream.rangeClosed(0, PARTS)
                    .mapToObj(part -> plan.withGain(part / (double) PARTS))
                    .filter(part -> part.isKnown(answer))
                    .map(part -> List.of(part.value(CacheSteps.EXTRA_DB_IOPS), part.value(answer)))
                    .toList();
            if (plan.isKnown(answer)) {
                series.add(Charts.Series.of(
                        plans.size() > 1 ? plan.name() : unit, Charts.Style.MEASURED, points));
            }
        }
        return chart(
                id,
                title,
                "By the steps of the plan. The last point is what was measured of the cache; before it, all"
                        + " figures of the pair lie in proportion between those without the cache and those"
                        + " with it.",
                unit,
                series);
    }

    private static Charts.Chart chart(
            String id, String title, String text, String unit, List<Charts.Series> series) {
        return new Charts.Chart(id, Charts.Kind.BY_IO, title, text, unit, List.of(), series);
    }
}
