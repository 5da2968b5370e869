package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.mail.document.Audit;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.HubStudy;
import org.hubmark.bench.mail.document.LatencyAt;
import org.hubmark.bench.mail.document.Limiting;
import org.hubmark.bench.mail.document.OpenAtEnd;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.Warnings;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Puts the scenarios of a run into columns: the study's rows, and the rows that it lacks. */
final class ScenarioTables {
    static final String CLOSED_LOOP = "Response time in a closed loop";

    /** Of scenarios whose rate was searched, where there are any. */
    private static final List<ScenarioRow> SEARCHED = List.of(
            new ScenarioRow(Fields.METRIC, "Metric", null),
            new ScenarioRow(Fields.SUSTAINED_95, "Sustained in 95 % of the trials (msg/sec)", 2),
            new ScenarioRow(Fields.SUSTAINED_95_LOW, "95 % interval of that rate, low", 2),
            new ScenarioRow(Fields.SUSTAINED_95_HIGH, "95 % interval of that rate, high", 2),
            new ScenarioRow(Fields.SUSTAINED_50, "Sustained in half of the trials (msg/sec)", 2),
            new ScenarioRow(Fields.SUSTAINED, "Rate that the search found (msg/sec)", 2));

    /** What the study did not publish, before the figures of the catalogue. */
    private static final List<ScenarioRow> BEFORE = Stream.of(
                    Stream.of(
                            new ScenarioRow(Fields.VALID, "Valid", null),
                            new ScenarioRow(Fields.STEADY, "Steady before the measured time", null),
                            new ScenarioRow(
                                    Fields.RATE_MEAN, "Throughput, geometric mean (msg/sec)", 2),
                            new ScenarioRow(Fields.RATE_LOW, "95 % interval of that mean, low", 2),
                            new ScenarioRow(
                                    Fields.RATE_HIGH, "95 % interval of that mean, high", 2),
                            new ScenarioRow(
                                    Fields.TRIMMED, "Throughput, trimmed mean (msg/sec)", 2),
                            new ScenarioRow(
                                    Fields.RATE_MIN, "Throughput, lowest repeat (msg/sec)", 2),
                            new ScenarioRow(
                                    Fields.RATE_MAX, "Throughput, highest repeat (msg/sec)", 2),
                            new ScenarioRow(
                                    Fields.PERCENT_BESIDE.where(ScenarioTables::isBeside),
                                    "Latency measured at, % of the throughput",
                                    0),
                            new ScenarioRow(
                                    Fields.ASKED_BESIDE.where(ScenarioTables::isBeside),
                                    "Latency measured at (msg/sec)",
                                    1)),
                    Figure.ACCEPT_LATENCY.stream().skip(1).map(ScenarioTables::beside),
                    Figure.ACCEPT_LATENCY.stream().map(ScenarioTables::open),
                    places(1, 3, 5).map(ScenarioTables::closedLoop),
                    places(1, 3, 4, 5)
                            .map(column -> Figure.UNCORRECTED_LATENCY.get(
                                    Figure.ACCEPT_LATENCY.indexOf(column)))
                            .map(ScenarioTables::open),
                    Stream.of(
                            new ScenarioRow(
                                    Fields.openAtEnd("unanswered_msgs", OpenAtEnd::unansweredMsgs),
                                    "Sent, not answered at the end (msgs)",
                                    0),
                            new ScenarioRow(
                                    Fields.openAtEnd("unsent_msgs", OpenAtEnd::unsentMsgs),
                                    "Due, not sent at the end (msgs)",
                                    0),
                            new ScenarioRow(
                                    Fields.openAtEnd("oldest_ms", OpenAtEnd::oldestMs),
                                    "Oldest of these (ms)",
                                    1)),
                    Figure.LATENESS.stream().skip(1).map(ScenarioRow::of),
                    Figure.RESIDENCE.stream().map(ScenarioRow::of),
                    Stream.of(
                            new ScenarioRow(Fields.LOG_DEVICE, "Ceiling: log device (msg/sec)", 2),
                            new ScenarioRow(
                                    Fields.LOG_DEVICE_PERCENT,
                                    "Throughput, % of the log device",
                                    1),
                            new ScenarioRow(
                                    Fields.COST_MEAN, "Msg Cost, geometric mean (MCyc/msg)", 3),
                            new ScenarioRow(
                                    Fields.COST_LOW, "95 % interval of that mean, low (MCyc)", 3),
                            new ScenarioRow(
                                    Fields.COST_HIGH,
                                    "95 % interval of that mean, high (MCyc)",
                                    3)))
            .flatMap(Function.identity())
            .toList();

    /** The same, after them. */
    private static final List<ScenarioRow> AFTER = Stream.of(
                    Stream.of(
                            new ScenarioRow(
                                    Field.read(
                                            "counter_source.log",
                                            scenario -> scenario.counterSource().log()),
                                    "Write counters from (log)",
                                    null),
                            new ScenarioRow(
                                    Field.read(
                                            "counter_source.queue",
                                            scenario -> scenario.counterSource().queue()),
                                    "Write counters from (queue)",
                                    null)),
                    Figure.ACCOUNTS.stream().map(ScenarioRow::of),
                    Stream.of(
                            new ScenarioRow(
                                    Fields.audit("checked_msgs", Audit::checkedMsgs),
                                    "Messages audited",
                                    0),
                            new ScenarioRow(
                                    Fields.audit("missing_msgs", Audit::missingMsgs),
                                    "Audited, not delivered",
                                    0),
                            new ScenarioRow(
                                    Fields.audit("repeated_msgs", Audit::repeatedMsgs),
                                    "Audited, delivered twice",
                                    0),
                            new ScenarioRow(
                                    Fields.audit("changed_msgs", Audit::changedMsgs),
                                    "Audited, changed on the way",
                                    0),
                            new ScenarioRow(
                                    Fields.audit("repeated_ids", Audit::repeatedIds),
                                    "Audited, with the queue id of another",
                                    0)))
            .flatMap(Function.identity())
            .toList();

    /** {@return some of the accept latencies} */
    private static Stream<Column> places(int... places) {
        return IntStream.of(places).mapToObj(Figure.ACCEPT_LATENCY::get);
    }

    private static ScenarioRow open(Column latency) {
        return new ScenarioRow(
                Fields.of(latency).where(scenario -> !isClosedLoop(scenario)),
                latency.heading(),
                latency.decimals());
    }

    private static String place(Column latency) {
        return latency.label().substring(latency.label().indexOf(", ") + 2);
    }

    /**
     * In a closed loop a connection that waits for its answer offers nothing meanwhile, so that what it
     * sees is not the latency of mail that comes from outside. It stands in rows of its own.
     */
    private static ScenarioRow closedLoop(Column latency) {
        return new ScenarioRow(
                Fields.of(latency).where(ScenarioTables::isClosedLoop),
                CLOSED_LOOP + ", " + place(latency) + " (ms)",
                3);
    }

    /** Neither a closed loop nor a rate at its limit shows what mail from outside sees otherwise. */
    private static ScenarioRow beside(Column latency) {
        return new ScenarioRow(
                Fields.beside(latency).where(ScenarioTables::isBeside),
                "Accept latency at that rate, " + place(latency) + " (ms)",
                3);
    }

    private final PublishedStudy study;
    private final Document document;
    private final List<Scenario> scenarios;
    private final Dimensions dimensions;
    private final List<Block.Heading> ours;

    ScenarioTables(PublishedStudy study, Results results) {
        this.study = study;
        this.document = results.document();
        this.scenarios = results.scenarios().stream()
                .sorted(Comparator.comparingDouble(Scenario::messageSizeKb))
                .toList();
        this.dimensions = Dimensions.of(scenarios);
        this.ours = headed(Warnings.isRough(results));
    }

    /** {@return the scenarios by size, as the columns stand} */
    List<Scenario> scenarios() {
        return scenarios;
    }

    /** {@return what the scenarios differ in} */
    Dimensions dimensions() {
        return dimensions;
    }

    /** {@return the heads of the columns of this run, as the scenarios stand} */
    List<Block.Heading> columns() {
        return ours;
    }

    /** {@return a name for each scenario, as the scenarios stand: in one line, marked if unsafe} */
    List<String> names() {
        return ours.stream()
                .map(column -> column.text()
                        + (column.marks().contains(Dimensions.UNSAFE_MARK)
                                ? " (" + Dimensions.UNSAFE + ")"
                                : ""))
                .toList();
    }

    /** {@return the same with a mark on what is not valid, which pictures have nowhere else} */
    List<String> markedNames() {
        return IntStream.range(0, ours.size())
                .mapToObj(i -> names().get(i)
                        + (scenarios.get(i).validity().valid() ? "" : " (NOT VALID)"))
                .toList();
    }

    /** {@return the study's rows, with this run's columns first and the published ones after} */
    Block.Grid studyTable(Notes notes) {
        List<HubStudy.Published> published = study.columns();
        List<Block.Heading> headings = new ArrayList<>();
        ours.forEach(own -> headings.add(published.isEmpty() ? own : own.from(Block.Side.OURS)));
        published.forEach(one -> headings.add(heading(one)));
        List<List<TableCell>> rows = new ArrayList<>();
        for (ScenarioRow row : study.rowsOfOurs()) {
            List<TableCell> cells = cells(row);
            published.forEach(one -> cells.add(row.published(one)));
            cells.addFirst(TableCell.text(notes.marked(row)));
            rows.add(cells);
        }
        return grid(
                published.isEmpty()
                        ? "The rows of the hub study"
                        : "The hub study's table: this run and the published columns",
                headings,
                rows);
    }

    /** {@return the head of a published column} */
    static Block.Heading heading(HubStudy.Published column) {
        return new Block.Heading(
                List.of(size(column.messageSizeKb()), PublishedStudy.storage(column)),
                Block.Side.PUBLISHED,
                List.of());
    }

    /** {@return a table whose columns are scenarios} */
    static Block.Grid grid(
            String caption, List<Block.Heading> scenarios, List<List<TableCell>> rows) {
        List<Block.Heading> headings = new ArrayList<>(List.of(Block.Heading.of("")));
        headings.addAll(scenarios);
        return new Block.Grid(caption, headings, rows, Set.of());
    }

    private List<ScenarioRow> further() {
        List<ScenarioRow> rows = new ArrayList<>();
        // Durability comes first: a rate means nothing without it.
        rows.add(row(Condition.DURABILITY));
        rows.add(new ScenarioRow(Fields.UNSAFE, "Unsafe: can lose acknowledged mail", null));
        for (Condition condition : Condition.values()) {
            if (condition != Condition.DURABILITY) {
                rows.add(row(condition));
            }
        }
        if (scenarios.stream().anyMatch(scenario -> scenario.sustainedRate() != null)) {
            rows.addAll(SEARCHED);
        }
        rows.addAll(BEFORE);
        List<Field> published =
                study.rowsOfOurs().stream().map(ScenarioRow::field).toList();
        Figure.OF_REPEATS.stream()
                .filter(column ->
                        Figure.FINER.contains(column) || !published.contains(Fields.of(column)))
                .forEach(column -> rows.add(ScenarioRow.of(column)));
        rows.addAll(AFTER);
        return rows;
    }

    private static ScenarioRow row(Condition condition) {
        return new ScenarioRow(
                Fields.of(condition), condition.title(), condition.isNumber() ? (Integer) 0 : null);
    }

    /** {@return the rows that the study lacks} */
    Block.Grid furtherTable() {
        List<List<TableCell>> rows = new ArrayList<>();
        for (ScenarioRow row : further()) {
            List<TableCell> cells = cells(row);
            cells.addFirst(TableCell.text(row.label()));
            rows.add(cells);
        }
        return grid("What was not published", ours, rows);
    }

    /** {@return the figure of a scenario in a row, with what it is made of} */
    TableCell cell(ScenarioRow row, int scenario) {
        Scenario figures = scenarios.get(scenario);
        if (row.field().equals(Fields.LIMIT)) {
            return row.cell(figures).with(reason(figures.limiting()));
        }
        return row.cell(figures)
                .with(figures.table().form().columns().stream()
                        .filter(column -> column.key().equals(row.field().key()))
                        .findFirst()
                        .map(column -> DocumentReport.unfolding(
                                document, figures.table(), figures.row(), column))
                        .orElse(null));
    }

    /** {@return why a resource is what limits; null where nobody knows} */
    private static TableCell.@Nullable Unfolding reason(Limiting limiting) {
        String reason = limiting.limitingReason();
        String lift = limiting.limitingLift();
        return reason == null
                ? null
                : new TableCell.Unfolding(
                        reason,
                        lift == null ? List.of() : List.of("What would lift it: " + lift),
                        Results.FILE);
    }

    /** {@return whether a latency at a rate beside is to be shown; else the warnings say why not} */
    static boolean isBeside(Scenario scenario) {
        return scenario.latencyAt() != null && scenario.latencyAt().validity().valid();
    }

    /** {@return what stands before the latency at a rate beside; empty where there is none} */
    static Optional<String> besideWords(Scenario scenario) {
        LatencyAt latency = scenario.latencyAt();
        return latency != null && latency.validity().valid()
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "accept latency p99 at %.0f%% of that rate (%s msg/s), ms",
                        latency.percent(),
                        Digits.text(latency.rateMsgsPerS(), new double[0], 0)))
                : Optional.empty();
    }

    private List<TableCell> cells(ScenarioRow row) {
        List<TableCell> cells = new ArrayList<>();
        for (int i = 0; i < scenarios.size(); i++) {
            cells.add(cell(row, i));
        }
        return cells;
    }

    /** Two scenarios with the same heading are told apart by their ids. */
    private List<Block.Heading> headed(boolean rough) {
        Map<List<String>, Integer> seen = new HashMap<>();
        scenarios.forEach(scenario -> seen.merge(heading(scenario), 1, Integer::sum));
        List<Block.Heading> columns = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            List<String> heading = new ArrayList<>(heading(scenario));
            if (seen.getOrDefault(heading, 0) > 1) {
                heading.add(scenario.id());
            }
            columns.add(new Block.Heading(heading, Block.Side.NONE, Marks.of(scenario, rough)));
        }
        return columns;
    }

    private List<String> heading(Scenario scenario) {
        List<String> heading = new ArrayList<>();
        heading.add(size(scenario.messageSizeKb()));
        heading.add(Dimensions.kind(scenario));
        dimensions.words(scenario).stream()
                .filter(word -> !heading.contains(word) && !word.equals("stored"))
                .forEach(heading::add);
        return heading;
    }

    static String size(double sizeKb) {
        return ScenarioRow.shown(sizeKb, null).text() + " KB";
    }

    /** {@return whether each connection waited for its answer before it sent the next message} */
    static boolean isClosedLoop(Scenario scenario) {
        return "max".equals(scenario.conditions().get(Condition.ASKED_RATE));
    }
}
