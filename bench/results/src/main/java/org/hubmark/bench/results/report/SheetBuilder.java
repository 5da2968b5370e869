package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.results.Remedy;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the sheet of a results file: everything that is decided is decided here. */
final class SheetBuilder {
    private static final long MIB = 1 << 20;

    private static final Map<String, String> ENVIRONMENT_NAMES = Map.of(
            "cpu_model", "CPU",
            "logical_cores", "Logical cores",
            "usable_cores", "Cores the driver may use",
            "cpu_clock_mhz", "CPU clock (MHz)",
            "cpu_clock_source", "CPU clock from",
            "memory_bytes", "Memory",
            "os", "Operating system",
            "kernel", "Kernel",
            "jdk", "JDK",
            "container", "Container");

    /** What is shown of a volume, in the order of the columns. */
    private static final List<Row> VOLUME_FIELDS = List.of(
            new Row("role", "Volume", null),
            new Row("device", "Device", null),
            new Row("emulates", "Acts like", null),
            new Row("filesystem", "File system", null),
            new Row("write_cache", "Write cache", null),
            new Row("sync_verdict", "A sync is", null),
            new Row("rotational", "Rotational", null),
            new Row("scheduler", "Scheduler", null),
            new Row("free_bytes", "Free", null),
            new Row("mount_options", "Mount options", null),
            new Row("path", "Path", null));

    private static final String BESIDE_P99 = SelfCheck.LATENCY_AT + ".accept_latency_ms.p99";

    private SheetBuilder() {}

    /**
     * Makes the sheet.
     *
     * @param results as in results.json
     * @param raw the run's samples and histograms, as far as they are there
     */
    static Sheet of(JsonNode results, RawFiles raw) {
        Study study = Study.beside(results);
        Notes notes = new Notes(study, results);
        SelfCheck check = SelfCheck.of(results, raw);
        ScenarioTables tables = new ScenarioTables(study, results, raw, check);
        Steps steps = new Steps(tables.scenarios(), tables.names(), new Machines(results), raw);
        return new Sheet(
                title(results.path("settings")),
                subtitle(results),
                publication(results.path("publish"), check),
                summaries(tables),
                overview(tables),
                problems(tables),
                dangers(tables),
                warnings(results, tables),
                check,
                StudyReplay.of(study, results, tables, notes).orElse(null),
                EffectTables.effects(results),
                EffectTables.grid(tables),
                tables.studyTable(notes),
                tables.furtherTable(),
                steps.table(),
                environment(results),
                volumes(results),
                Disclosed.facts(results),
                settings(results.path("settings")),
                FitCharts.table(results),
                notes.texts(),
                charts(results, tables, study, steps, raw));
    }

    private static String title(JsonNode settings) {
        String name = settings.path("name").asText("");
        return (name.isEmpty() || settings.path("name").isNull() ? "" : name + ": ")
                + "Durable SMTP receive throughput";
    }

    /** What was publishable is so no more once its files are others. */
    private static Sheet.@Nullable Publication publication(JsonNode publish, SelfCheck check) {
        if (!publish.isObject()) {
            return null;
        }
        List<String> broken = new ArrayList<>();
        List<List<TableCell>> rules = new ArrayList<>();
        for (JsonNode rule : publish.path("rules")) {
            TableCell kept = TableCell.of(rule.path("kept"), null);
            TableCell name = new TableCell(rule.path("rule").asText(), true);
            TableCell found = new TableCell(rule.path("found").asText(), true);
            rules.add(List.of(name, kept, found));
            if (!rule.path("kept").asBoolean()) {
                broken.add(name.text() + ": " + found.text());
            }
        }
        check.changedFiles().forEach(file -> broken.add(file + " is not what the run wrote"));
        return new Sheet.Publication(
                publish.path("form").asText(),
                publish.path("publishable").asBoolean() && check.clean(),
                broken,
                new Sheet.Grid(List.of("Rule", "Kept", "Found"), rules),
                hours(publish.path("hours")));
    }

    private static Sheet.Grid hours(JsonNode hours) {
        List<Row> columns = List.of(
                new Row("scenario", "Scenario", null),
                new Row("hour", "Hour", null),
                new Row("throughput_msgs_per_s", "msg/s", 1),
                new Row("p99_ms", "p99, ms", 2),
                new Row("drift_percent", "Drift, %", 1),
                new Row("publishable", "Publishable", null));
        List<List<TableCell>> rows = new ArrayList<>();
        for (JsonNode hour : hours) {
            rows.add(columns.stream()
                    .map(column -> TableCell.of(hour.path(column.field()), column.decimals()))
                    .toList());
        }
        return new Sheet.Grid(columns.stream().map(Row::label).toList(), rows);
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
                new Row(BESIDE_P99, "", 2),
                new Row("accept_latency_ms.p99", "accept latency p99, ms", 2),
                new Row("accept_latency_ms.p99", ScenarioTables.CLOSED_LOOP + ", p99, ms", 2),
                new Row("cpu_cost_mcycles_per_msg", "MCycles a message", 2),
                new Row("log_writes_per_msg", "log writes a message", 2),
                new Row("queue_writes_per_msg", "queue writes a message", 2));
        List<Sheet.Summary> summaries = new ArrayList<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            int scenario = i;
            Table.Column column = tables.columns().get(i);
            summaries.add(new Sheet.Summary(
                    String.join(", ", column.heading()),
                    Warnings.headline(
                            tables.scenarios().get(i),
                            tables.cell(new Row("throughput_msgs_per_s", "", 2), i)),
                    tables.cell(new Row("limiting_resource", "", null), i),
                    facts.stream()
                            .filter(row -> isMeant(row, tables.scenarios().get(scenario)))
                            .map(row -> new Sheet.Fact(
                                    row.label().isEmpty()
                                            ? ScenarioTables.besideWords(
                                                            tables.scenarios().get(scenario))
                                                    .orElse("")
                                            : row.label(),
                                    tables.cell(row, scenario)))
                            .toList(),
                    column.valid(),
                    column.unsafe(),
                    column.warnings()));
        }
        return summaries;
    }

    /** Of the rows with the times of answers, the ones that fit the load. */
    private static boolean isMeant(Row row, JsonNode scenario) {
        if (row.field().equals(BESIDE_P99)) {
            return ScenarioTables.besideWords(scenario).isPresent();
        }
        return !row.field().startsWith("accept_latency_")
                || ScenarioTables.isClosedLoop(scenario)
                        == row.label().startsWith(ScenarioTables.CLOSED_LOOP);
    }

    private static Sheet.Grid overview(ScenarioTables tables) {
        List<Row> rows = List.of(
                new Row("throughput_msgs_per_s", "msg/s", 2),
                new Row("throughput_ci95_msgs_per_s.low", "95 % from", 2),
                new Row("throughput_ci95_msgs_per_s.high", "to", 2),
                new Row("limiting_resource", "Limited by", null),
                new Row("accept_latency_ms.p99", "p99, ms", 2),
                new Row(BESIDE_P99, "p99 lower rate, ms", 2),
                new Row("cpu_cost_mcycles_per_msg", "MCyc/msg", 2),
                new Row("log_writes_per_msg", "Log w/msg", 2),
                new Row("queue_writes_per_msg", "Queue w/msg", 2));
        List<String> headings = new ArrayList<>(List.of("Scenario", ""));
        rows.forEach(row -> headings.add(row.label()));
        List<List<TableCell>> lines = new ArrayList<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            Table.Column column = tables.columns().get(i);
            List<TableCell> line = new ArrayList<>();
            line.add(new TableCell(String.join(", ", column.heading()), true));
            List<String> marks = new ArrayList<>();
            if (column.unsafe()) {
                marks.add(Dimensions.UNSAFE);
            }
            if (!column.valid()) {
                marks.add("NOT VALID");
            }
            marks.addAll(column.warnings());
            line.add(new TableCell(String.join(" ", marks), true));
            for (Row row : rows) {
                line.add(tables.cell(row, i));
            }
            lines.add(line);
        }
        return new Sheet.Grid(headings, lines);
    }

    private static List<String> dangers(ScenarioTables tables) {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            String heading = String.join(", ", tables.columns().get(i).heading());
            Dimensions.unsafeReason(tables.scenarios().get(i))
                    .ifPresent(reason -> byReason.computeIfAbsent(reason, key -> new ArrayList<>())
                            .add(heading));
        }
        List<String> dangers = new ArrayList<>();
        byReason.forEach((reason, scenarios) -> dangers.add((scenarios.size() > 4
                        ? scenarios.size() + " scenarios"
                        : String.join("; ", scenarios))
                + ": " + reason));
        return dangers;
    }

    private static List<String> warnings(JsonNode results, ScenarioTables tables) {
        List<String> warnings = new ArrayList<>();
        JsonNode lost = results.at("/target_watch/lost");
        if (lost.isTextual()) {
            warnings.add(
                    "From some time on nothing is known of the server's machine: " + lost.asText());
        }
        if (Warnings.isRough(results.path("settings"))) {
            warnings.add("measured with --quick: few and short repeats after a short warm-up, so"
                    + " that all figures are rough");
        }
        for (int i = 0; i < tables.scenarios().size(); i++) {
            String heading = String.join(", ", tables.columns().get(i).heading());
            Warnings.sentences(tables.scenarios().get(i))
                    .forEach(sentence -> warnings.add(heading + ": " + sentence));
        }
        return warnings;
    }

    private static List<String> problems(ScenarioTables tables) {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            JsonNode scenario = tables.scenarios().get(i);
            if (!ScenarioTables.isValid(scenario)) {
                List<String> reasons = new ArrayList<>();
                scenario.path("invalid_reasons").forEach(reason -> reasons.add(reason.asText()));
                List<String> remedies = Remedy.of(reasons);
                problems.add(String.join(", ", tables.columns().get(i).heading()) + ": "
                        + (reasons.isEmpty() ? "no reason given" : String.join("; ", reasons))
                        + (remedies.isEmpty()
                                ? ""
                                : ". What to do: " + String.join("; ", remedies)));
            }
        }
        return problems;
    }

    private static List<Sheet.Fact> environment(JsonNode results) {
        List<Sheet.Fact> facts = new ArrayList<>();
        addFacts(facts, "", results.path("environment"));
        addFacts(facts, "Server's machine: ", results.path("server_environment"));
        addFacts(facts, "Server's counters: ", results.path("target_watch"));
        return facts;
    }

    private static void addFacts(List<Sheet.Fact> facts, String whose, JsonNode object) {
        object.properties().forEach(entry -> {
            if (entry.getValue().isValueNode()) {
                facts.add(new Sheet.Fact(
                        whose
                                + ENVIRONMENT_NAMES.getOrDefault(
                                        entry.getKey(), entry.getKey().replace('_', ' ')),
                        plain(entry.getKey(), entry.getValue())));
            }
        });
    }

    private static Sheet.Grid volumes(JsonNode results) {
        List<List<TableCell>> rows = new ArrayList<>();
        for (String machine : List.of("environment", "server_environment")) {
            for (JsonNode volume : results.path(machine).path("volumes")) {
                rows.add(VOLUME_FIELDS.stream()
                        .map(row -> plain(row.field(), volume.path(row.field())))
                        .toList());
            }
        }
        return new Sheet.Grid(VOLUME_FIELDS.stream().map(Row::label).toList(), rows);
    }

    private static List<Sheet.Fact> settings(JsonNode settings) {
        List<Sheet.Fact> facts = new ArrayList<>();
        settings.properties()
                .forEach(entry -> facts.add(new Sheet.Fact(
                        entry.getKey(),
                        entry.getValue().isValueNode()
                                ? plain(entry.getKey(), entry.getValue())
                                : new TableCell(entry.getValue().toString(), true))));
        return facts;
    }

    /** A value as it is; only bytes, which nobody reads, become MiB or GiB. */
    private static TableCell plain(String field, JsonNode value) {
        if (field.endsWith("_bytes") && value.isNumber()) {
            boolean large = value.asLong() >= 10 * 1024 * MIB;
            BigDecimal shown = value.decimalValue()
                    .divide(BigDecimal.valueOf(large ? 1024 * MIB : MIB), 1, RoundingMode.HALF_UP);
            return new TableCell(shown.toPlainString() + (large ? " GiB" : " MiB"), true);
        }
        return value.isTextual() ? new TableCell(value.asText(), true) : TableCell.of(value, null);
    }

    private static Charts charts(
            JsonNode results, ScenarioTables tables, Study study, Steps steps, RawFiles raw) {
        List<JsonNode> scenarios = tables.scenarios();
        List<Charts.Chart> charts = new ArrayList<>();
        HeatMaps maps = new HeatMaps(scenarios, tables.dimensions());
        charts.addAll(
                maps.chart("heat-throughput", "throughput_msgs_per_s", "Throughput", "messages/s"));
        charts.addAll(maps.chart(
                "heat-cost", "cpu_cost_mcycles_per_msg", "CPU cost of a message", "MCycles"));
        boolean closed = scenarios.stream().anyMatch(ScenarioTables::isClosedLoop);
        charts.addAll(maps.chart(
                "heat-latency",
                "accept_latency_ms.p99",
                closed ? ScenarioTables.CLOSED_LOOP + ", p99" : "Accept latency p99",
                "ms"));
        SizeCharts bySize = new SizeCharts(scenarios, tables.dimensions(), study);
        charts.addAll(bySize.throughput());
        charts.addAll(steps.charts());
        charts.addAll(RunCharts.latency(scenarios, tables.names(), raw));
        charts.addAll(bySize.ceilings(tables.names()));
        charts.addAll(FitCharts.charts(results));
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
        charts.addAll(Timelines.charts(scenarios, tables.names(), raw));
        return new Charts(charts);
    }
}
