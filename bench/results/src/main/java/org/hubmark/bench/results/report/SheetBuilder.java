package org.hubmark.bench.results.report;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.volumes.Volume;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Publication;
import org.hubmark.bench.results.Remedy;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.Warnings;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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

    private static final List<String> VOLUME_HEADINGS = List.of(
            "Volume",
            "Device",
            "Acts like",
            "File system",
            "Write cache",
            "A sync is",
            "Rotational",
            "Scheduler",
            "Free",
            "Mount options",
            "Path");

    private SheetBuilder() {}

    /**
     * Makes the sheet.
     *
     * @param raw the run's samples and histograms, as far as they are there
     */
    static Sheet of(Results results, RawFiles raw) {
        Study study = Study.beside(results);
        Notes notes = new Notes(study, results);
        SelfCheck check = SelfCheck.of(results, raw);
        ScenarioTables tables = new ScenarioTables(study, results, raw, check);
        Steps steps = new Steps(tables.scenarios(), tables.names(), results.machines(), raw);
        return new Sheet(
                title(results),
                subtitle(results),
                publication(results.publish(), check),
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
                settings(results),
                FitCharts.table(results),
                notes.texts(),
                charts(results, tables, study, steps, raw));
    }

    private static String title(Results results) {
        return (results.settings().get("name") instanceof String name && !name.isEmpty()
                        ? name + ": "
                        : "")
                + "Durable SMTP receive throughput";
    }

    /** What was publishable is so no more once its files are others. */
    private static Sheet.@Nullable Publication publication(
            @Nullable Publication publish, SelfCheck check) {
        if (publish == null) {
            return null;
        }
        List<String> broken = new ArrayList<>();
        publish.broken().forEach(rule -> broken.add(rule.rule() + ": " + rule.found()));
        check.changedFiles().forEach(file -> broken.add(file + " is not what the run wrote"));
        return new Sheet.Publication(
                publish.form(),
                publish.publishable() && check.clean(),
                broken,
                new Sheet.Grid(
                        List.of("Rule", "Kept", "Found"),
                        publish.rules().stream()
                                .map(rule -> List.of(
                                        TableCell.text(rule.rule()),
                                        TableCell.of(rule.kept(), null),
                                        TableCell.text(rule.found())))
                                .toList()),
                new Sheet.Grid(
                        List.of("Scenario", "Hour", "msg/s", "p99, ms", "Drift, %", "Publishable"),
                        publish.hours().stream().map(SheetBuilder::hour).toList()));
    }

    private static List<TableCell> hour(Publication.Hour hour) {
        return List.of(
                TableCell.of(hour.scenario(), null),
                TableCell.of(hour.hour(), null),
                TableCell.of(hour.throughputMsgsPerS(), 1),
                TableCell.of(hour.p99Ms(), 2),
                TableCell.of(hour.driftPercent(), 1),
                TableCell.of(hour.publishable(), null));
    }

    private static String subtitle(Results results) {
        String commit = results.tool().commit();
        return "hubmark " + results.tool().version()
                + (commit == null
                        ? ""
                        : " (" + commit.substring(0, Math.min(12, commit.length())) + ")")
                + ", " + results.startedAt() + " to " + results.finishedAt() + ", "
                + results.command();
    }

    private static List<Sheet.Summary> summaries(ScenarioTables tables) {
        List<Sheet.Summary> summaries = new ArrayList<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            int place = i;
            Scenario scenario = tables.scenarios().get(i);
            Table.Column column = tables.columns().get(i);
            List<Row> facts = new ArrayList<>();
            ScenarioTables.besideWords(scenario)
                    .ifPresent(words -> facts.add(new Row(Fields.P99_BESIDE, words, 2)));
            facts.add(new Row(
                    Fields.P99,
                    ScenarioTables.isClosedLoop(scenario)
                            ? ScenarioTables.CLOSED_LOOP + ", p99, ms"
                            : "accept latency p99, ms",
                    2));
            facts.add(new Row(Fields.COST, "MCycles a message", 2));
            facts.add(new Row(Fields.LOG_WRITES, "log writes a message", 2));
            facts.add(new Row(Fields.QUEUE_WRITES, "queue writes a message", 2));
            summaries.add(new Sheet.Summary(
                    String.join(", ", column.heading()),
                    Marks.headline(scenario, tables.cell(new Row(Fields.RATE, "", 2), i)),
                    tables.cell(new Row(Fields.LIMIT, "", null), i),
                    facts.stream()
                            .map(row -> new Sheet.Fact(row.label(), tables.cell(row, place)))
                            .toList(),
                    column.valid(),
                    column.unsafe(),
                    column.warnings()));
        }
        return summaries;
    }

    private static Sheet.Grid overview(ScenarioTables tables) {
        List<Row> rows = List.of(
                new Row(Fields.RATE, "msg/s", 2),
                new Row(Fields.RATE_MEAN, "mean", 2),
                new Row(Fields.RATE_LOW, "95 % from", 2),
                new Row(Fields.RATE_HIGH, "to", 2),
                new Row(Fields.LIMIT, "Limited by", null),
                new Row(
                        Fields.P99.where(scenario -> !ScenarioTables.isClosedLoop(scenario)),
                        "p99, ms",
                        2),
                new Row(Fields.P99_BESIDE.where(ScenarioTables::isBeside), "p99 lower rate, ms", 2),
                new Row(Fields.COST, "MCyc/msg", 2),
                new Row(Fields.LOG_WRITES, "Log w/msg", 2),
                new Row(Fields.QUEUE_WRITES, "Queue w/msg", 2));
        List<String> headings = new ArrayList<>(List.of("Scenario", ""));
        rows.forEach(row -> headings.add(row.label()));
        List<List<TableCell>> lines = new ArrayList<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            Table.Column column = tables.columns().get(i);
            List<TableCell> line = new ArrayList<>();
            line.add(TableCell.text(String.join(", ", column.heading())));
            List<String> marks = new ArrayList<>();
            if (column.unsafe()) {
                marks.add(Dimensions.UNSAFE);
            }
            if (!column.valid()) {
                marks.add("NOT VALID");
            }
            marks.addAll(column.warnings());
            line.add(TableCell.text(String.join(" ", marks)));
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

    private static List<String> warnings(Results results, ScenarioTables tables) {
        List<String> warnings = new ArrayList<>(Warnings.ofAll(results));
        for (int i = 0; i < tables.scenarios().size(); i++) {
            String heading = String.join(", ", tables.columns().get(i).heading());
            Warnings.of(tables.scenarios().get(i))
                    .forEach(sentence -> warnings.add(heading + ": " + sentence));
        }
        return warnings;
    }

    private static List<String> problems(ScenarioTables tables) {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            Scenario scenario = tables.scenarios().get(i);
            if (!scenario.valid()) {
                List<String> reasons = scenario.invalidReasons();
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

    private static List<Sheet.Fact> environment(Results results) {
        List<Sheet.Fact> facts = new ArrayList<>();
        addFacts(facts, "", results.environment());
        addFacts(facts, "Server's machine: ", results.serverEnvironment());
        addFacts(facts, "Server's counters: ", results.targetWatch());
        return facts;
    }

    private static void addFacts(List<Sheet.Fact> facts, String whose, @Nullable Object record) {
        JsonFile.tree(record).properties().forEach(entry -> {
            if (entry.getValue().isValueNode()) {
                facts.add(new Sheet.Fact(
                        whose
                                + ENVIRONMENT_NAMES.getOrDefault(
                                        entry.getKey(), entry.getKey().replace('_', ' ')),
                        entry.getKey().endsWith("_bytes") && entry.getValue().isNumber()
                                ? bytes(entry.getValue().asLong())
                                : TableCell.plain(entry.getValue())));
            }
        });
    }

    private static Sheet.Grid volumes(Results results) {
        Environment server = results.serverEnvironment();
        return new Sheet.Grid(
                VOLUME_HEADINGS,
                Stream.concat(
                                results.environment().volumes().stream(),
                                server == null ? Stream.of() : server.volumes().stream())
                        .map(SheetBuilder::volume)
                        .toList());
    }

    private static List<TableCell> volume(Volume volume) {
        return List.of(
                plain(volume.role()),
                plain(volume.device()),
                plain(volume.emulates()),
                plain(volume.filesystem()),
                plain(volume.disk().writeCache()),
                plain(volume.sync().syncVerdict()),
                plain(volume.disk().rotational()),
                plain(volume.disk().scheduler()),
                volume.freeBytes() == null ? TableCell.UNKNOWN : bytes(volume.freeBytes()),
                plain(volume.mountOptions()),
                plain(volume.path()));
    }

    private static TableCell plain(@Nullable Object value) {
        return TableCell.plain(JsonFile.tree(value));
    }

    private static List<Sheet.Fact> settings(Results results) {
        List<Sheet.Fact> facts = new ArrayList<>();
        results.settings().forEach((key, value) -> facts.add(new Sheet.Fact(key, plain(value))));
        return facts;
    }

    /** Bytes, which nobody reads, become MiB or GiB. */
    private static TableCell bytes(long bytes) {
        boolean large = bytes >= 10 * 1024 * MIB;
        BigDecimal shown = BigDecimal.valueOf(bytes)
                .divide(BigDecimal.valueOf(large ? 1024 * MIB : MIB), 1, RoundingMode.HALF_UP);
        return TableCell.text(shown.toPlainString() + (large ? " GiB" : " MiB"));
    }

    private static Charts charts(
            Results results, ScenarioTables tables, Study study, Steps steps, RawFiles raw) {
        List<Scenario> scenarios = tables.scenarios();
        List<Charts.Chart> charts = new ArrayList<>();
        HeatMaps maps = new HeatMaps(scenarios, tables.dimensions());
        charts.addAll(maps.chart(
                "heat-throughput", Figure.THROUGHPUT_MSGS_PER_S, "Throughput", "messages/s"));
        charts.addAll(maps.chart(
                "heat-cost", Figure.CPU_COST_MCYCLES_PER_MSG, "CPU cost of a message", "MCycles"));
        boolean closed = scenarios.stream().anyMatch(ScenarioTables::isClosedLoop);
        charts.addAll(maps.chart(
                "heat-latency",
                Figure.ACCEPT_P99,
                closed ? ScenarioTables.CLOSED_LOOP + ", p99" : "Accept latency p99",
                "ms"));
        SizeCharts bySize = new SizeCharts(scenarios, tables.dimensions(), study);
        charts.addAll(bySize.throughput());
        charts.addAll(steps.charts());
        charts.addAll(RunCharts.latency(scenarios, tables.names(), raw));
        charts.addAll(bySize.ceilings(tables.names()));
        charts.addAll(FitCharts.charts(results));
        charts.addAll(bySize.chart(
                "cost",
                Figure.CPU_COST_MCYCLES_PER_MSG,
                "CPU cost of a message",
                "MCycles/message"));
        charts.addAll(bySize.chart(
                "log-writes",
                Figure.LOG_WRITES_PER_MSG,
                "Log volume writes a message",
                "writes/message"));
        charts.addAll(bySize.chart(
                "queue-writes",
                Figure.QUEUE_WRITES_PER_MSG,
                "Queue volume writes a message",
                "writes/message"));
        charts.addAll(Timelines.charts(scenarios, tables.names(), raw));
        return new Charts(charts);
    }
}
