package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.Figure;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Puts the scenarios of a run into columns: the study's rows, and the rows that it lacks. */
final class ScenarioTables {
    /** In the file it stands with each repeat. */
    private static final String UNSAFE = "unsafe";

    private static final String STEADY = "steady";

    /** The latency at a rate beside. */
    private static final String BESIDE = SelfCheck.LATENCY_AT + ".";

    static final String CLOSED_LOOP = "Response time in a closed loop";
    private static final String LATENCY = "accept_latency_ms.";

    /** What the study did not publish, before the figures of the catalogue. */
    private static final List<Row> BEFORE = List.of(
            new Row("sustained_rate.msgs_per_s", "Rate that the search found (msg/sec)", 2),
            new Row("valid", "Valid", null),
            new Row(STEADY, "Steady before the measured time", null),
            new Row(
                    "throughput_ci95_msgs_per_s.low",
                    "Throughput, 95 % interval, low (msg/sec)",
                    2),
            new Row(
                    "throughput_ci95_msgs_per_s.high",
                    "Throughput, 95 % interval, high (msg/sec)",
                    2),
            new Row("throughput_trimmed_mean_msgs_per_s", "Throughput, trimmed mean (msg/sec)", 2),
            new Row("throughput_msgs_per_s_min", "Throughput, lowest repeat (msg/sec)", 2),
            new Row("throughput_msgs_per_s_max", "Throughput, highest repeat (msg/sec)", 2),
            new Row(BESIDE + "percent", "Latency measured at, % of the throughput", 0),
            new Row(BESIDE + "rate_msgs_per_s", "Latency measured at (msg/sec)", 1),
            beside("p50"),
            beside("p95"),
            beside("p99"),
            beside("p99_9"),
            beside("max"),
            new Row("accept_latency_ms.mean", "Accept latency, mean (ms)", 3),
            new Row("accept_latency_ms.p50", "Accept latency, p50 (ms)", 3),
            new Row("accept_latency_ms.p95", "Accept latency, p95 (ms)", 3),
            new Row("accept_latency_ms.p99", "Accept latency, p99 (ms)", 3),
            new Row("accept_latency_ms.p99_9", "Accept latency, p99.9 (ms)", 3),
            new Row("accept_latency_ms.max", "Accept latency, max (ms)", 3),
            closedLoop("p50"),
            closedLoop("p99"),
            closedLoop("max"),
            new Row("accept_latency_uncorrected_ms.p50", "Uncorrected latency, p50 (ms)", 3),
            new Row("accept_latency_uncorrected_ms.p99", "Uncorrected latency, p99 (ms)", 3),
            new Row("accept_latency_uncorrected_ms.p99_9", "Uncorrected latency, p99.9 (ms)", 3),
            new Row("accept_latency_uncorrected_ms.max", "Uncorrected latency, max (ms)", 3),
            new Row("open_at_end.unanswered_msgs", "Sent, not answered at the end (msgs)", 0),
            new Row("open_at_end.unsent_msgs", "Due, not sent at the end (msgs)", 0),
            new Row("open_at_end.oldest_ms", "Oldest of these (ms)", 1),
            new Row("driver_lateness_ms.p99", "Driver late by its own fault, p99 (ms)", 3),
            new Row("driver_lateness_ms.max", "Driver late by its own fault, max (ms)", 3),
            new Row("queue_residence_ms.p50", "Time in queue, p50 (ms)", 3),
            new Row("queue_residence_ms.p95", "Time in queue, p95 (ms)", 3),
            new Row("queue_residence_ms.p99", "Time in queue, p99 (ms)", 3),
            new Row("queue_residence_ms.max", "Time in queue, max (ms)", 3),
            new Row("ceilings.receive_msgs_per_s", "Ceiling: receive path (msg/sec)", 2),
            new Row("ceilings.receive_percent", "Throughput, % of the receive path", 1),
            new Row("ceilings.log_device_msgs_per_s", "Ceiling: log device (msg/sec)", 2),
            new Row("ceilings.log_device_percent", "Throughput, % of the log device", 1),
            new Row("ceilings.loopback_msgs_per_s", "Ceiling: loopback (msg/sec)", 2),
            new Row("ceilings.loopback_percent", "Throughput, % of loopback", 1),
            new Row("cost_ci95_mcycles_per_msg.low", "Msg Cost, 95 % interval, low (MCyc/msg)", 3),
            new Row(
                    "cost_ci95_mcycles_per_msg.high",
                    "Msg Cost, 95 % interval, high (MCyc/msg)",
                    3));

    /** The same, after them. */
    private static final List<Row> AFTER = List.of(
            wholeLoad(Figure.SERVER_CPU_US_PER_MSG),
            wholeLoad(Figure.LOG_BYTES_PER_ACCEPTED_BYTE),
            wholeLoad(Figure.QUEUE_BYTES_PER_ACCEPTED_BYTE),
            new Row("counter_source.log", "Write counters from (log)", null),
            new Row("counter_source.queue", "Write counters from (queue)", null),
            new Row("sent_msgs", "Messages sent", 0),
            new Row("accepted_msgs", "Messages accepted", 0),
            new Row("refused_msgs", "Messages refused", 0),
            new Row("failed_msgs", "Messages failed", 0),
            new Row("delivered_msgs", "Messages delivered", 0),
            new Row("left_in_queue_msgs", "Messages left in queue", 0),
            new Row("lost_msgs", "Messages lost", 0),
            new Row("audit.checked_msgs", "Messages audited", 0),
            new Row("audit.missing_msgs", "Audited, not delivered", 0),
            new Row("audit.repeated_msgs", "Audited, delivered twice", 0),
            new Row("audit.changed_msgs", "Audited, changed on the way", 0),
            new Row("audit.repeated_ids", "Audited, with the queue id of another", 0));

    /**
     * In a closed loop a connection that waits for its answer offers nothing meanwhile, so that what it
     * sees is not the latency of mail that comes from outside. It stands in rows of its own.
     */
    private static Row closedLoop(String percentile) {
        return new Row(LATENCY + percentile, CLOSED_LOOP + ", " + percentile + " (ms)", 3);
    }

    /** Neither a closed loop nor a rate at its limit shows what mail from outside sees otherwise. */
    private static Row beside(String percentile) {
        return new Row(
                BESIDE + LATENCY + percentile,
                "Accept latency at that rate, " + percentile.replace('_', '.') + " (ms)",
                3);
    }

    /** From the first message until the server had come to rest. */
    private static Row wholeLoad(Figure figure) {
        Figure.Label label = Objects.requireNonNull(figure.label());
        return new Row(
                "whole_load.figures." + figure.key(),
                label.text() + ", whole load until rest",
                label.decimals());
    }

    private final Study study;
    private final Machines machines;
    private final RawFiles raw;
    private final RawFiles rawBeside;
    private final Map<String, String> mismatches = new HashMap<>();
    private final List<JsonNode> scenarios = new ArrayList<>();
    private final List<List<Repeat>> repeats = new ArrayList<>();
    private final Dimensions dimensions;
    private final List<Table.Column> ours;

    ScenarioTables(Study study, JsonNode results, RawFiles raw, SelfCheck check) {
        this.study = study;
        this.machines = new Machines(results);
        this.raw = raw;
        this.rawBeside = raw.beside();
        for (SelfCheck.Mismatch mismatch : check.mismatches()) {
            mismatches.put(mismatch.where() + "/" + mismatch.field(), mismatch.text());
        }
        results.path("scenarios").forEach(scenarios::add);
        scenarios.sort(Comparator.comparingDouble(s -> s.path("message_size_kb").asDouble()));
        scenarios.forEach(scenario -> repeats.add(Repeat.of(scenario, machines, raw)));
        this.dimensions = Dimensions.of(scenarios);
        this.ours = headed(Warnings.isRough(results.path("settings")));
    }

    /** {@return the scenarios by size, as the columns stand} */
    List<JsonNode> scenarios() {
        return scenarios;
    }

    /** {@return what the scenarios differ in} */
    Dimensions dimensions() {
        return dimensions;
    }

    /** {@return the heads of the columns of this run, as the scenarios stand} */
    List<Table.Column> columns() {
        return ours;
    }

    /** {@return a name for each scenario, as the scenarios stand: in one line, marked if unsafe} */
    List<String> names() {
        return ours.stream()
                .map(column -> String.join(", ", column.heading())
                        + (column.unsafe() ? " (" + Dimensions.UNSAFE + ")" : ""))
                .toList();
    }

    /** {@return the study's rows, with this run's columns first and the published ones after} */
    Table studyTable(Notes notes) {
        List<Table.Column> columns = new ArrayList<>(ours);
        for (Study.Published published : study.columns()) {
            columns.add(new Table.Column(
                    List.of(size(published.values()), published.storage()),
                    true,
                    true,
                    false,
                    List.of()));
        }
        List<Table.Line> lines = new ArrayList<>();
        for (Row row : study.rows()) {
            List<TableCell> cells = cells(row);
            study.columns().forEach(published -> cells.add(row.published(published.values())));
            lines.add(new Table.Line(row.label(), notes.numberOf(row.field()), cells));
        }
        return new Table(
                study.columns().isEmpty()
                        ? "The rows of the hub study"
                        : "The hub study's table: this run beside the published columns",
                columns,
                lines);
    }

    private static List<Row> further() {
        List<Row> rows = new ArrayList<>();
        // Durability comes first: a rate means nothing without it.
        rows.add(row(Condition.DURABILITY));
        rows.add(new Row(UNSAFE, "Unsafe: can lose acknowledged mail", null));
        for (Condition condition : Condition.values()) {
            if (condition != Condition.DURABILITY) {
                rows.add(row(condition));
            }
        }
        rows.addAll(BEFORE);
        for (Figure figure : Figure.OF_REPEATS) {
            Figure.Label label = figure.label();
            if (label != null) {
                rows.add(new Row(figure.key(), label.text(), label.decimals()));
            }
        }
        rows.addAll(AFTER);
        return rows;
    }

    private static Row row(Condition condition) {
        return new Row(
                condition.key(), condition.title(), condition.isNumber() ? (Integer) 0 : null);
    }

    /** {@return the rows that the study lacks} */
    Table furtherTable() {
        List<Table.Line> lines = new ArrayList<>();
        for (Row row : further()) {
            lines.add(new Table.Line(row.label(), 0, cells(row)));
        }
        return new Table("What the study lacks", ours, lines);
    }

    /** {@return the figure of a scenario in a row, with what it is made of} */
    TableCell cell(Row row, int scenario) {
        JsonNode figures = scenarios.get(scenario);
        if (row.field().equals(STEADY)) {
            return Warnings.steady(figures);
        }
        if (row.field().startsWith(BESIDE)) {
            return beside(row, figures);
        }
        boolean latency = row.field().startsWith("accept_latency_");
        if (latency && isClosedLoop(figures) != row.label().startsWith(CLOSED_LOOP)) {
            return TableCell.of(MissingNode.getInstance(), row.decimals());
        }
        Derivation derivation = switch (row.field()) {
            case "limiting_resource" -> limit(figures);
            case UNSAFE -> safety(figures);
            default -> Derivation.ofScenario(figures, repeats.get(scenario), row.field(), raw);
        };
        return row.cell(figures)
                .with(derivation, mismatches.get(figures.path("id").asText() + "/" + row.field()));
    }

    /** A latency that is not valid is not shown: the warnings say why. */
    private TableCell beside(Row row, JsonNode figures) {
        JsonNode stated = figures.path(SelfCheck.LATENCY_AT);
        if (!stated.path("valid").asBoolean()) {
            return TableCell.of(MissingNode.getInstance(), row.decimals());
        }
        String id = figures.path("id").asText();
        String field = row.field().substring(BESIDE.length());
        Repeat repeat = Repeat.ofLatencyAt(stated, id, machines, rawBeside);
        return row.cell(figures)
                .with(
                        Derivation.ofRepeat(id, repeat, field, rawBeside),
                        mismatches.get(SelfCheck.beside(id) + "/" + field));
    }

    /** {@return what stands before the latency at a rate beside; empty where there is none} */
    static Optional<String> besideWords(JsonNode scenario) {
        JsonNode stated = scenario.path(SelfCheck.LATENCY_AT);
        return stated.path("valid").asBoolean()
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "accept latency p99 at %.0f%% of that rate (%s msg/s), ms",
                        stated.path("percent").asDouble(),
                        Digits.text(stated.path("rate_msgs_per_s").asDouble(), new double[0], 0)))
                : Optional.empty();
    }

    private List<TableCell> cells(Row row) {
        List<TableCell> cells = new ArrayList<>();
        for (int i = 0; i < scenarios.size(); i++) {
            cells.add(cell(row, i));
        }
        return cells;
    }

    private static @Nullable Derivation limit(JsonNode scenario) {
        String reason = scenario.path("limiting_reason").asText("");
        String lift = scenario.path("limiting_lift").asText("");
        return reason.isEmpty()
                ? null
                : new Derivation(
                        reason,
                        lift.isEmpty() ? List.of() : List.of("What would lift it: " + lift),
                        null,
                        "results.json");
    }

    private static @Nullable Derivation safety(JsonNode scenario) {
        String reason = scenario.path("unsafe_reason").asText("");
        String evidence = Dimensions.evidence(scenario).orElse(reason);
        return evidence.isEmpty()
                ? null
                : new Derivation(evidence, List.of(), null, "results.json");
    }

    /** Two scenarios with the same heading are told apart by their ids. */
    private List<Table.Column> headed(boolean rough) {
        Map<List<String>, Integer> seen = new HashMap<>();
        scenarios.forEach(scenario -> seen.merge(heading(scenario), 1, Integer::sum));
        List<Table.Column> columns = new ArrayList<>();
        for (JsonNode scenario : scenarios) {
            List<String> heading = new ArrayList<>(heading(scenario));
            if (seen.getOrDefault(heading, 0) > 1) {
                heading.add(scenario.path("id").asText());
            }
            List<String> marks = new ArrayList<>(Warnings.marks(scenario));
            if (rough) {
                marks.addFirst("ROUGH");
            }
            columns.add(new Table.Column(
                    heading, false, isValid(scenario), Dimensions.isUnsafe(scenario), marks));
        }
        return columns;
    }

    private List<String> heading(JsonNode scenario) {
        List<String> heading = new ArrayList<>();
        heading.add(size(scenario));
        heading.add(Dimensions.kind(scenario));
        dimensions.words(scenario).stream()
                .filter(word -> !heading.contains(word) && !word.equals("stored"))
                .forEach(heading::add);
        return heading;
    }

    static String size(JsonNode scenario) {
        return TableCell.of(scenario.path("message_size_kb"), null).text() + " KB";
    }

    /** {@return whether each connection waited for its answer before it sent the next message} */
    static boolean isClosedLoop(JsonNode scenario) {
        return scenario.path(Condition.ASKED_RATE.key()).asText().equals("max");
    }

    static boolean isValid(JsonNode scenario) {
        return scenario.path("valid").asBoolean(false);
    }
}
