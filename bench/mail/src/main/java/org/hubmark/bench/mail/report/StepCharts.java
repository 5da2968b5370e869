package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.ScenarioNames;

import java.util.ArrayList;
import java.util.List;

/** Plots of the steps of a rate that changes. */
final class StepCharts {
    /** p50, p99 and p99.9. */
    private static final int[] PLACES = {1, 3, 4};

    private StepCharts() {}

    /** {@return latency and CPU time by rate; none where no rate changes} */
    static List<Charts.Chart> of(ScenarioNames names) {
        List<Scenario> scenarios = names.scenarios();
        List<Charts.Series> latency = new ArrayList<>();
        List<Charts.Series> cost = new ArrayList<>();
        for (int i = 0; i < scenarios.size(); i++) {
            Table steps = scenarios.get(i).steps();
            String lead = scenarios.size() == 1 ? "" : names.picture(i) + ", ";
            for (int place : PLACES) {
                Column accept = Figure.ACCEPT_LATENCY.get(place);
                String name = lead + accept.label().substring(accept.label().indexOf(", ") + 2);
                add(latency, name, Charts.Style.MEASURED, steps, accept);
                add(
                        latency,
                        name + ", uncorrected",
                        Charts.Style.UNCORRECTED,
                        steps,
                        Figure.UNCORRECTED_LATENCY.get(place));
            }
            add(
                    cost,
                    lead.isEmpty() ? "server" : names.picture(i),
                    Charts.Style.MEASURED,
                    steps,
                    Figure.SERVER_CPU_US_PER_MSG);
        }
        List<Charts.Chart> charts = new ArrayList<>();
        add(
                charts,
                "steps-latency",
                "Accept latency by rate",
                "Time to the 250 from the intended start of a message, at each rate that was asked"
                        + " for; dashed from its actual send, which hides waiting.",
                "ms",
                latency);
        add(
                charts,
                "steps-cost",
                "CPU time of a message by rate",
                "CPU time of the server's process, at each rate that was asked for.",
                Figure.SERVER_CPU_US_PER_MSG.unit(),
                cost);
        return charts;
    }

    private static void add(
            List<Charts.Chart> charts,
            String id,
            String title,
            String description,
            String unit,
            List<Charts.Series> series) {
        if (!series.isEmpty()) {
            charts.add(new Charts.Chart(
                    id, Charts.Kind.BY_RATE, title, description, unit, List.of(), series));
        }
    }

    private static void add(
            List<Charts.Series> series,
            String name,
            Charts.Style style,
            Table steps,
            Column column) {
        List<List<Double>> points = new ArrayList<>();
        for (Row step : steps.rows()) {
            double value = steps.estimate(step, column).value();
            if (Double.isFinite(value)) {
                points.add(List.of(step.number(MailDocument.INTENDED), value));
            }
        }
        if (!points.isEmpty()) {
            series.add(Charts.Series.of(name, style, points));
        }
    }
}
