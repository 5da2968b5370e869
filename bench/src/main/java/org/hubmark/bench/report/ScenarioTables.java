package org.hubmark.bench.report;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Puts the scenarios of a run into columns: the study's rows, and the rows that it lacks. */
final class ScenarioTables {
    /** What the study did not publish. Durability comes first: a rate means nothing without it. */
    private static final List<Row> FURTHER = List.of(
            new Row("durability", "Durability class", null),
            new Row("intake", "Intake", null),
            new Row("valid", "Valid", null),
            new Row("throughput_msgs_per_s_min", "Throughput, lowest repeat (msg/sec)", 2),
            new Row("throughput_msgs_per_s_max", "Throughput, highest repeat (msg/sec)", 2),
            new Row("accept_latency_ms.mean", "Accept latency, mean (ms)", 3),
            new Row("accept_latency_ms.p50", "Accept latency, p50 (ms)", 3),
            new Row("accept_latency_ms.p95", "Accept latency, p95 (ms)", 3),
            new Row("accept_latency_ms.p99", "Accept latency, p99 (ms)", 3),
            new Row("accept_latency_ms.p99_9", "Accept latency, p99.9 (ms)", 3),
            new Row("accept_latency_ms.max", "Accept latency, max (ms)", 3),
            new Row("queue_residence_ms.p50", "Time in queue, p50 (ms)", 3),
            new Row("queue_residence_ms.p95", "Time in queue, p95 (ms)", 3),
            new Row("queue_residence_ms.p99", "Time in queue, p99 (ms)", 3),
            new Row("queue_residence_ms.max", "Time in queue, max (ms)", 3),
            new Row("cpu_cost_process_mcycles_per_msg", "Msg Cost, server only (MCyc/msg)", 3),
            new Row("server_cpu_us_per_msg", "Server CPU time (us/msg)", 1),
            new Row("machine_cpu_percent", "%CPU, whole machine", 2),
            new Row("driver_cpu_percent", "%CPU, load driver", 2),
            new Row("log_writes_per_msg", "Disk Writes/msg (log), finer", 4),
            new Row("queue_writes_per_msg", "Disk Writes/msg (queue), finer", 4),
            new Row("avg_log_write_latency_ms", "Avg msec/write (log), finer", 3),
            new Row("avg_queue_write_latency_ms", "Avg msec/write (queue), finer", 3),
            new Row("log_bytes_per_accepted_byte", "Bytes written/byte (log)", 3),
            new Row("queue_bytes_per_accepted_byte", "Bytes written/byte (queue)", 3),
            new Row("syncs_per_msg", "Syncs/msg", 4),
            new Row("msgs_per_group_mean", "Messages/group, mean", 2),
            new Row("counter_source.log", "Write counters from (log)", null),
            new Row("counter_source.queue", "Write counters from (queue)", null),
            new Row("sent_msgs", "Messages sent", 0),
            new Row("accepted_msgs", "Messages accepted", 0),
            new Row("refused_msgs", "Messages refused", 0),
            new Row("failed_msgs", "Messages failed", 0),
            new Row("delivered_msgs", "Messages delivered", 0),
            new Row("left_in_queue_msgs", "Messages left in queue", 0),
            new Row("lost_msgs", "Messages lost", 0));

    private final Study study;
    private final List<JsonNode> scenarios;
    private final List<Table.Column> ours;

    ScenarioTables(Study study, JsonNode results) {
        this.study = study;
        this.scenarios = new ArrayList<>();
        results.path("scenarios").forEach(scenarios::add);
        scenarios.sort(Comparator.comparingDouble(s -> s.path("message_size_kb").asDouble()));
        this.ours = columns(scenarios);
    }

    /** {@return the scenarios by size, as the columns stand} */
    List<JsonNode> scenarios() {
        return scenarios;
    }

    /** {@return the heads of the columns of this run, as the scenarios stand} */
    List<Table.Column> columns() {
        return ours;
    }

    /** {@return the study's rows, with this run's columns first and the published ones after} */
    Table studyTable(Notes notes) {
        List<Table.Column> columns = new ArrayList<>(ours);
        for (Study.Published published : study.columns()) {
            columns.add(new Table.Column(
                    List.of(size(published.values()), published.storage()), true, true));
        }
        List<Table.Line> lines = new ArrayList<>();
        for (Row row : study.rows()) {
            List<Cell> cells = cells(row);
            study.columns().forEach(published -> cells.add(row.cell(published.values())));
            lines.add(new Table.Line(row.label(), notes.numberOf(row.field()), cells));
        }
        return new Table(
                "The hub study's table: this run beside the published columns", columns, lines);
    }

    /** {@return the rows that the study lacks} */
    Table furtherTable() {
        List<Table.Line> lines = new ArrayList<>();
        for (Row row : FURTHER) {
            lines.add(new Table.Line(row.label(), 0, cells(row)));
        }
        return new Table("What the study lacks", ours, lines);
    }

    private List<Cell> cells(Row row) {
        List<Cell> cells = new ArrayList<>();
        scenarios.forEach(scenario -> cells.add(row.cell(scenario)));
        return cells;
    }

    /** Two scenarios with the same size and class are told apart by their ids. */
    private static List<Table.Column> columns(List<JsonNode> scenarios) {
        Map<List<String>, Integer> seen = new HashMap<>();
        scenarios.forEach(scenario -> seen.merge(heading(scenario), 1, Integer::sum));
        List<Table.Column> columns = new ArrayList<>();
        for (JsonNode scenario : scenarios) {
            List<String> heading = new ArrayList<>(heading(scenario));
            if (seen.getOrDefault(heading, 0) > 1) {
                heading.add(scenario.path("id").asText());
            }
            columns.add(new Table.Column(heading, false, isValid(scenario)));
        }
        return columns;
    }

    private static List<String> heading(JsonNode scenario) {
        String intake = scenario.path("intake").asText("");
        String durability = scenario.path("durability").asText("");
        String kind = intake.equals("discard") ? "discard" : durability;
        return List.of(
                size(scenario),
                scenario.path("durability").isNull() && kind.isEmpty() ? "target" : kind);
    }

    static String size(JsonNode scenario) {
        return Cell.of(scenario.path("message_size_kb"), null).text() + " KB";
    }

    static boolean isValid(JsonNode scenario) {
        return scenario.path("valid").asBoolean(false);
    }
}
