package org.hubmark.bench.mail.compare;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Results of run, load and matrix as they are compared: a row for each scenario, whose figures are also
 * the writes of both volumes together, and the latencies of each repeat.
 */
final class ComparedScenarios {
    /** Of log and queue together. */
    static final Column WRITES_PER_MSG = Column.ofRow(
            "writes_per_msg",
            "writes/msg",
            "writes of log and queue",
            4,
            Column.Better.LESS,
            Figure.LOG_WRITES_PER_MSG.asInput().plus(Figure.QUEUE_WRITES_PER_MSG.asInput()));

    /** Their times are beside the file, so that each repeat has the latency itself among its counters. */
    private static final List<Column> LATENCIES =
            Figure.ACCEPT_LATENCY.stream().map(ComparedScenarios::kept).toList();

    private static final Name ID = Name.of("id", "");

    /** The scenarios. */
    static final Form SCENARIOS = Form.of(
            "scenarios",
            "Scenarios",
            List.of(ID),
            Stream.of(Figure.OF_REPEATS, List.of(WRITES_PER_MSG), LATENCIES)
                    .flatMap(List::stream)
                    .toList());

    /** What these documents are. */
    static final Kind KIND = new Kind(
            "mail",
            Results.FILE,
            List.of(),
            List.of(SCENARIOS),
            Set.of(),
            document -> Findings.of("", "", List.of(), List.of(), Map.of()),
            document -> List.of(),
            document -> new Charts(List.of()));

    private ComparedScenarios() {}

    private static Column kept(Column latency) {
        return Column.of(
                latency.key(),
                latency.unit(),
                latency.label(),
                latency.decimals(),
                latency.better(),
                new Counter(latency.key()));
    }

    /** {@return one of {@link Figure#ACCEPT_LATENCY} as a scenario of a document has it} */
    static Column latency(Column figure) {
        return LATENCIES.get(Figure.ACCEPT_LATENCY.indexOf(figure));
    }

    /** {@return the document of results} */
    static Document of(Results results) {
        List<Row> rows = results.scenarios().stream()
                .map(scenario -> row(results, scenario))
                .toList();
        return new Document(
                KIND,
                results.provenance().with(results.measured()),
                true,
                Map.of(),
                List.of(new Table(SCENARIOS, rows)),
                results.rawFiles());
    }

    private static Row row(Results results, Scenario scenario) {
        return new Row(
                Map.of(ID.key(), scenario.id()),
                scenario.repeats().stream()
                        .map(repeat -> counted(repeat, results.machines().counters()))
                        .toList());
    }

    /** {@return what a repeat counted, but for what is known of the machines} */
    static Repeat counted(Scenario.Repeat repeat) {
        return counted(repeat, Map.of());
    }

    private static Repeat counted(Scenario.Repeat repeat, Map<String, Double> machines) {
        Repeat.Builder counted = Repeat.counted();
        repeat.counters().forEach((key, value) -> counted.count(new Counter(key), value));
        machines.forEach((key, value) -> counted.count(new Counter(key), value));
        for (Column latency : Figure.ACCEPT_LATENCY) {
            counted.count(new Counter(latency.key()), repeat.figures().get(latency));
        }
        return counted.made();
    }
}
