package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.results.Figure;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The steps of a rate that changes: their table, their plots, and whether they follow from the raw files. */
final class Steps {
    private static final List<String> LATENCIES =
            List.of("mean", "p50", "p95", "p99", "p99_9", "max");

    private static final List<Figure> FIGURES = List.of(
            Figure.MEASURED_S,
            Figure.SENT_MSGS_PER_S,
            Figure.THROUGHPUT_MSGS_PER_S,
            Figure.MACHINE_CPU_PERCENT,
            Figure.SERVER_CPU_US_PER_MSG);

    private static final List<Row> COLUMNS = List.of(
            new Row("sent_msgs_per_s", "Sent/s", 1),
            new Row("throughput_msgs_per_s", "Accepted/s", 1),
            new Row("errors", "Errors", 0),
            new Row("overdue_msgs", "Waiting", 0),
            new Row("accept_latency_ms.p50", "p50 ms", 2),
            new Row("accept_latency_uncorrected_ms.p50", "uncorr.", 2),
            new Row("accept_latency_ms.p99", "p99 ms", 2),
            new Row("accept_latency_uncorrected_ms.p99", "uncorr.", 2),
            new Row("accept_latency_ms.p99_9", "p99.9 ms", 2),
            new Row("accept_latency_uncorrected_ms.p99_9", "uncorr.", 2));

    private static final String ERRORS = "errors";

    private final List<JsonNode> scenarios;
    private final List<String> names;
    private final Machines machines;
    private final RawFiles raw;

    /** Takes the scenarios as they stand in the tables, with a name for each. */
    Steps(List<JsonNode> scenarios, List<String> names, Machines machines, RawFiles raw) {
        this.scenarios = scenarios;
        this.names = names;
        this.machines = machines;
        this.raw = raw;
    }

    /** Gets a figure, where it stands and what it is made of. */
    interface Check {
        void compare(
                String scenario,
                String where,
                String field,
                JsonNode figures,
                @Nullable Derivation derivation);
    }

    /** Makes the figures of a scenario's steps anew. */
    static void check(JsonNode scenario, Machines machines, RawFiles raw, Check check) {
        String id = scenario.path("id").asText();
        for (JsonNode step : scenario.path("steps")) {
            int number = step.path("step").asInt();
            RawFiles own = raw.ofStep(number);
            List<Repeat> repeats = Repeat.ofStep(scenario, number, machines, raw);
            for (Repeat repeat : repeats) {
                String where = id + ", repeat " + repeat.number() + ", step " + number;
                for (String field : fields(repeat.stated())) {
                    check.compare(
                            id,
                            where,
                            field,
                            repeat.stated(),
                            Derivation.ofRepeat(id, repeat, field, own));
                }
            }
            List<String> fields = fields(step);
            fields.addAll(List.of("refused_msgs", "failed_msgs"));
            for (String field : fields) {
                check.compare(
                        id,
                        id + ", step " + number,
                        field,
                        step,
                        Derivation.ofScenario(named(step, id), repeats, field, own));
            }
        }
    }

    /** {@return a row each step; none where no rate changes} */
    Sheet.Grid table() {
        List<String> headings = new ArrayList<>(List.of("Step", "Asked/s"));
        COLUMNS.forEach(column -> headings.add(column.label()));
        List<List<TableCell>> rows = new ArrayList<>();
        for (int i = 0; i < scenarios.size(); i++) {
            JsonNode scenario = scenarios.get(i);
            for (JsonNode step : scenario.path("steps")) {
                List<TableCell> row = new ArrayList<>();
                String number = "step " + step.path("step").asText();
                row.add(new TableCell(
                        scenarios.size() == 1 ? number : names.get(i) + ", " + number, true));
                row.add(new TableCell(asked(step), true));
                COLUMNS.forEach(column -> row.add(cell(column, scenario, step)));
                rows.add(row);
            }
        }
        return new Sheet.Grid(headings, rows);
    }

    private TableCell cell(Row column, JsonNode scenario, JsonNode step) {
        if (column.field().equals(ERRORS)) {
            long errors = step.path("refused_msgs").asLong()
                    + step.path("failed_msgs").asLong();
            return new TableCell(String.valueOf(errors), true);
        }
        int number = step.path("step").asInt();
        String id = scenario.path("id").asText();
        Derivation derivation = Derivation.ofScenario(
                named(step, id),
                Repeat.ofStep(scenario, number, machines, raw),
                column.field(),
                raw.ofStep(number));
        return column.cell(step).with(derivation, null);
    }

    private static String asked(JsonNode step) {
        String from = TableCell.of(step.path("from_msgs_per_s"), 0).text();
        String to = TableCell.of(step.path("to_msgs_per_s"), 0).text();
        return from.equals(to) ? from : from + ".." + to;
    }

    /** {@return latency and CPU time by rate; none where no rate changes} */
    List<Charts.Chart> charts() {
        List<Charts.Series> latency = new ArrayList<>();
        List<Charts.Series> cost = new ArrayList<>();
        for (int i = 0; i < scenarios.size(); i++) {
            JsonNode steps = scenarios.get(i).path("steps");
            String lead = scenarios.size() == 1 ? "" : names.get(i) + ", ";
            for (Map.Entry<String, String> one : List.of(
                    Map.entry("p50", "p50"),
                    Map.entry("p99", "p99"),
                    Map.entry("p99_9", "p99.9"))) {
                String name = lead + one.getValue();
                String corrected = "accept_latency_ms." + one.getKey();
                String uncorrected = "accept_latency_uncorrected_ms." + one.getKey();
                add(latency, name, Charts.Style.MEASURED, steps, corrected);
                add(latency, name + ", uncorrected", Charts.Style.UNCORRECTED, steps, uncorrected);
            }
            String name = lead.isEmpty() ? "server" : names.get(i);
            add(cost, name, Charts.Style.MEASURED, steps, Figure.SERVER_CPU_US_PER_MSG.key());
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
                    id,
                    Charts.Kind.BY_RATE,
                    title,
                    description,
                    unit,
                    List.of(),
                    List.of(),
                    series));
        }
    }

    private static void add(
            List<Charts.Series> series,
            String name,
            Charts.Style style,
            JsonNode steps,
            String field) {
        List<List<Double>> points = new ArrayList<>();
        for (JsonNode step : steps) {
            Double rate = Repeat.number(step.path("intended_msgs_per_s"));
            Double value = Repeat.number(Repeat.at(step, field));
            if (rate != null && value != null) {
                points.add(List.of(rate, value));
            }
        }
        if (!points.isEmpty()) {
            series.add(Charts.Series.of(name, style, points));
        }
    }

    private static List<String> fields(JsonNode step) {
        List<String> fields = new ArrayList<>(FIGURES.stream().map(Figure::key).toList());
        for (String latency : List.of("accept_latency_ms", "accept_latency_uncorrected_ms")) {
            if (step.path(latency).isObject()) {
                LATENCIES.forEach(percentile -> fields.add(latency + "." + percentile));
            }
        }
        return fields;
    }

    private static JsonNode named(JsonNode step, String scenario) {
        return ((ObjectNode) step.deepCopy()).put("id", scenario);
    }
}
