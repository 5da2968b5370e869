package org.hubmark.bench.report;

import com.fasterxml.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Makes the sheet of a results file: everything that is decided is decided here. */
final class Sheets {
    private static final long MIB = 1 << 20;

    private static final Map<String, String> ENVIRONMENT_NAMES = Map.of(
            "cpu_model", "CPU",
            "logical_cores", "Logical cores",
            "cpu_clock_mhz", "CPU clock (MHz)",
            "cpu_clock_source", "CPU clock from",
            "memory_bytes", "Memory",
            "os", "Operating system",
            "kernel", "Kernel",
            "jdk", "JDK",
            "container", "Container");

    private static final Map<String, String> VOLUME_NAMES = Map.of(
            "role", "Volume",
            "path", "Path",
            "device", "Device",
            "filesystem", "File system",
            "mount_options", "Mount options",
            "write_cache", "Write cache",
            "rotational", "Rotational",
            "scheduler", "Scheduler",
            "free_bytes", "Free");

    /** The order of columns, which a map does not keep. */
    private static final List<String> VOLUME_FIELDS = List.of(
            "role",
            "device",
            "filesystem",
            "write_cache",
            "rotational",
            "scheduler",
            "free_bytes",
            "mount_options",
            "path");

    private Sheets() {}

    /**
     * Makes the sheet.
     *
     * @param results as in results.json
     * @param directory where the run's samples and histograms lie, if they do
     */
    static Sheet of(JsonNode results, Path directory) {
        Study study = Study.load();
        Notes notes = new Notes(study, results);
        ScenarioTables tables = new ScenarioTables(study, results);
        return new Sheet(
                "Durable SMTP receive throughput",
                subtitle(results),
                summaries(tables),
                problems(tables),
                tables.studyTable(notes),
                tables.furtherTable(),
                environment(results.path("environment")),
                volumes(results.at("/environment/volumes")),
                settings(results.path("settings")),
                notes.texts(),
                charts(tables.scenarios(), study, directory));
    }

    private static String subtitle(JsonNode results) {
        JsonNode tool = results.path("tool");
        String commit = tool.path("commit").asText("");
        return "hubmark " + tool.path("version").asText("?")
                + (commit.isEmpty()
                        ? ""
                        : " (" + commit.substring(0, Math.min(12, commit.length())) + ")")
                + ", " + results.path("started_at").asText("?")
                + " to " + results.path("finished_at").asText("?")
                + ", " + results.path("command").asText("?");
    }

    private static List<Sheet.Summary> summaries(ScenarioTables tables) {
        List<Row> facts = List.of(
                new Row("accept_latency_ms.p99", "accept latency p99, ms", 2),
                new Row("cpu_cost_mcycles_per_msg", "MCycles a message", 2),
                new Row("log_writes_per_msg", "log writes a message", 2),
                new Row("queue_writes_per_msg", "queue writes a message", 2));
        List<Sheet.Summary> summaries = new ArrayList<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            JsonNode scenario = tables.scenarios().get(i);
            Table.Column column = tables.columns().get(i);
            summaries.add(new Sheet.Summary(
                    String.join(", ", column.heading()),
                    new Row("throughput_msgs_per_s", "", 2).cell(scenario),
                    new Row("limiting_resource", "", null).cell(scenario),
                    facts.stream()
                            .map(row -> new Sheet.Fact(row.label(), row.cell(scenario)))
                            .toList(),
                    column.valid()));
        }
        return summaries;
    }

    private static List<String> problems(ScenarioTables tables) {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            JsonNode scenario = tables.scenarios().get(i);
            if (!ScenarioTables.isValid(scenario)) {
                String reasons = StreamSupport.stream(
                                scenario.path("invalid_reasons").spliterator(), false)
                        .map(JsonNode::asText)
                        .collect(Collectors.joining("; "));
                problems.add(String.join(", ", tables.columns().get(i).heading()) + ": "
                        + (reasons.isEmpty() ? "no reason given" : reasons));
            }
        }
        return problems;
    }

    private static List<Sheet.Fact> environment(JsonNode environment) {
        List<Sheet.Fact> facts = new ArrayList<>();
        environment.properties().forEach(entry -> {
            if (entry.getValue().isValueNode()) {
                facts.add(new Sheet.Fact(
                        ENVIRONMENT_NAMES.getOrDefault(entry.getKey(), entry.getKey()),
                        plain(entry.getKey(), entry.getValue())));
            }
        });
        return facts;
    }

    private static Sheet.Grid volumes(JsonNode volumes) {
        List<List<Cell>> rows = new ArrayList<>();
        for (JsonNode volume : volumes) {
            rows.add(VOLUME_FIELDS.stream()
                    .map(field -> plain(field, volume.path(field)))
                    .toList());
        }
        return new Sheet.Grid(
                VOLUME_FIELDS.stream()
                        .map(field -> VOLUME_NAMES.getOrDefault(field, field))
                        .toList(),
                rows);
    }

    private static List<Sheet.Fact> settings(JsonNode settings) {
        List<Sheet.Fact> facts = new ArrayList<>();
        settings.properties()
                .forEach(entry -> facts.add(new Sheet.Fact(
                        entry.getKey(),
                        entry.getValue().isValueNode()
                                ? plain(entry.getKey(), entry.getValue())
                                : new Cell(entry.getValue().toString(), true))));
        return facts;
    }

    /** A value as it is; only bytes, which nobody reads, become MiB or GiB. */
    private static Cell plain(String field, JsonNode value) {
        if (field.endsWith("_bytes") && value.isNumber()) {
            boolean large = value.asLong() >= 10 * 1024 * MIB;
            BigDecimal shown = value.decimalValue()
                    .divide(BigDecimal.valueOf(large ? 1024 * MIB : MIB), 1, RoundingMode.HALF_UP);
            return new Cell(shown.toPlainString() + (large ? " GiB" : " MiB"), true);
        }
        return value.isTextual() ? new Cell(value.asText(), true) : Cell.of(value, null);
    }

    private static Charts charts(List<JsonNode> scenarios, Study study, Path directory) {
        List<Charts.Chart> charts = new ArrayList<>();
        charts.addAll(RunCharts.throughput(directory.resolve("samples.csv")));
        charts.addAll(RunCharts.latency(scenarios, directory));
        SizeCharts bySize = new SizeCharts(scenarios, study);
        charts.addAll(bySize.chart(
                "cost", "cpu_cost_mcycles_per_msg", "CPU cost of a message", "MCycles/message"));
        charts.addAll(bySize.chart(
                "log-writes",
                "log_writes_per_msg",
                "Log volume writes a message",
                "writes/message"));
        charts.addAll(bySize.chart(
                "queue-writes",
                "queue_writes_per_msg",
                "Queue volume writes a message",
                "writes/message"));
        return new Charts(List.copyOf(charts));
    }
}
