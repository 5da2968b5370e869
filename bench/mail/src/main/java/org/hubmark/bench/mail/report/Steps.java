package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Scenario;

import java.util.ArrayList;
import java.util.List;

/** The steps of a rate that changes: their table and their plots. */
final class Steps {
    private static final List<String> HEADINGS = List.of(
            "Step",
            "Asked/s",
            "Sent/s",
            "Accepted/s",
            "Errors",
            "Waiting",
            "p50 ms",
            "uncorr.",
            "p99 ms",
            "uncorr.",
            "p99.9 ms",
            "uncorr.");

    /** p50, p99 and p99.9. */
    private static final int[] PLACES = {1, 3, 4};

    private final List<Scenario> scenarios;
    private final List<String> names;

    /** Takes the scenarios as they stand in the tables, with a name for each. */
    Steps(List<Scenario> scenarios, List<String> names) {
        this.scenarios = scenarios;
        this.names = names;
    }

    /** {@return a row each step; none where no rate changes} */
    Block.Grid table() {
        List<List<TableCell>> rows = new ArrayList<>();
        for (int i = 0; i < scenarios.size(); i++) {
            Table steps = scenarios.get(i).steps();
            for (Row step : steps.rows()) {
                String number = "step " + step.name(MailDocument.STEP);
                List<TableCell> row = new ArrayList<>();
                row.add(TableCell.text(
                        scenarios.size() == 1 ? number : names.get(i) + ", " + number));
                row.add(TableCell.text(asked(step)));
                row.add(cell(Figure.SENT_MSGS_PER_S, 1, steps, step));
                row.add(cell(Figure.THROUGHPUT_MSGS_PER_S, 1, steps, step));
                row.add(count(Figure.ERRORS, steps, step));
                row.add(count(Figure.OVERDUE, steps, step));
                for (int place : PLACES) {
                    row.add(cell(Figure.ACCEPT_LATENCY.get(place), 2, steps, step));
                    row.add(cell(Figure.UNCORRECTED_LATENCY.get(place), 2, steps, step));
                }
                rows.add(row);
            }
        }
        return Block.Grid.of(
                "Latency from the intended start of a message; uncorr.: from its actual send",
                HEADINGS,
                rows);
    }

    private static TableCell cell(Column column, int decimals, Table steps, Row step) {
        double value = steps.estimate(step, column).value();
        return Double.isFinite(value)
                ? TableCell.text(Digits.text(value, new double[0], decimals))
                : TableCell.UNKNOWN;
    }

    private static TableCell count(Column column, Table steps, Row step) {
        double value = steps.estimate(step, column).value();
        return Double.isFinite(value) ? ScenarioRow.shown(value, 0) : TableCell.UNKNOWN;
    }

    private static String asked(Row step) {
        String from = ScenarioRow.shown(step.number(MailDocument.FROM), 0).text();
        String to = ScenarioRow.shown(step.number(MailDocument.TO), 0).text();
        return from.equals(to) ? from : from + ".." + to;
    }

    /** {@return latency and CPU time by rate; none where no rate changes} */
    List<Charts.Chart> charts() {
        List<Charts.Series> latency = new ArrayList<>();
        List<Charts.Series> cost = new ArrayList<>();
        for (int i = 0; i < scenarios.size(); i++) {
            Table steps = scenarios.get(i).steps();
            String lead = scenarios.size() == 1 ? "" : names.get(i) + ", ";
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
                    lead.isEmpty() ? "server" : names.get(i),
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
