package org.hubmark.bench.mail.compare;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.MailDocument;
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

    /** Of each repeat, which is what scatters. */
    private static final List<Column> LATENCIES =
            Figure.ACCEPT_LATENCY.stream().map(ComparedScenarios::ofRepeats).toList();

    /** The scenarios. */
    static final Form SCENARIOS = Form.of(
            "scenarios",
            "Scenarios",
            List.of(MailDocument.ID),
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

    private static Column ofRepeats(Column latency) {
        return Column.of(
                latency.key(),
                latency.unit(),
                latency.label(),
                latency.decimals(),
                latency.better(),
                ((Column.Definition.OfAll) latency.definition()).formula());
    }

    /** {@return one of {@link Figure#ACCEPT_LATENCY} as a scenario of a document has it} */
    static Column latency(Column figure) {
        return LATENCIES.get(Figure.ACCEPT_LATENCY.indexOf(figure));
    }

    /** {@return the document of results} */
    static Document of(Results results) {
        return new Document(
                KIND,
                results.provenance().with(results.measured()),
                true,
                Map.of(),
                List.of(new Table(
                        SCENARIOS,
                        results.scenarios().stream().map(Scenario::row).toList())),
                results.rawFiles());
    }
}
