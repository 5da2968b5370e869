package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.HubStudy;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Publication;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.ScenarioNames;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a report of run, load and matrix has beside the tables of scenarios. */
public final class MailReport {
    /** What these documents are. */
    public static final Kind KIND = new Kind(
            "mail",
            Results.FILE,
            MailDocument.FACTS,
            List.of(MailDocument.SCENARIOS),
            Set.of(),
            document -> Conclusions.of(new Results(document)),
            document -> sections(new Results(document)),
            document -> charts(new Results(document)));

    private MailReport() {}

    /**
     * {@return the results in a file}
     *
     * @throws IOException if it can't be read or is of another form; the message says which
     */
    public static Results read(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        return new Results(DocumentFile.read(Objects.requireNonNull(folder), KIND));
    }

    private static List<Section> sections(Results results) {
        ScenarioNames names = new ScenarioNames(results);
        List<Section> all = new ArrayList<>();
        if (HubStudy.isReplayed(results)) {
            all.add(new Section(2, "The hub study, replayed", StudyReplay.blocks(results, names)));
        }
        all.addAll(grids(
                "Effect of each factor, all else equal",
                EffectTables.effects(results),
                EffectTables.grid(names)));
        all.add(new Section(2, "Conditions", List.of(new Block.Facts(conditions(names)))));
        all.add(new Section(2, "Notes", List.of(new Block.Items(Notes.of(results), false))));
        Publication publish = results.publish();
        if (publish != null) {
            all.addAll(grids("Run rules", rules(publish)));
        }
        return all;
    }

    /** Tables without rows are left out, and a section without tables. */
    private static List<Section> grids(String title, Block.Grid... grids) {
        List<Block> blocks = Stream.of(grids)
                .filter(grid -> !grid.rows().isEmpty())
                .<Block>map(grid -> grid)
                .toList();
        return blocks.isEmpty() ? List.of() : List.of(new Section(2, title, blocks));
    }

    /** {@return what all scenarios were measured under; what they differ in stands in their names} */
    private static List<Block.Fact> conditions(ScenarioNames names) {
        List<Block.Fact> facts = new ArrayList<>();
        for (Condition condition : Condition.values()) {
            String values = names.scenarios().stream()
                    .map(scenario -> scenario.conditions().get(condition))
                    .map(value -> condition.word(value).map(condition::beside).orElse("-"))
                    .distinct()
                    .collect(Collectors.joining("; "));
            facts.add(new Block.Fact(condition.title(), values));
        }
        return facts;
    }

    private static Block.Grid rules(Publication publish) {
        return new Block.Grid(
                        "Each rule of docs/run-rules.md",
                        List.of("Rule", "Kept", "Found"),
                        publish.rules().stream()
                                .map(rule -> List.of(
                                        rule.rule(),
                                        rule.kept() == null ? "-" : rule.holds() ? "yes" : "no",
                                        rule.found()))
                                .toList())
                .with(Set.of(1, 2));
    }

    private static Charts charts(Results results) {
        ScenarioNames names = new ScenarioNames(results);
        SizeCharts bySize = new SizeCharts(results, names);
        List<Charts.Chart> charts = new ArrayList<>();
        charts.addAll(bySize.chart(
                "throughput",
                Figure.THROUGHPUT_MSGS_PER_S,
                "Messages accepted a second",
                "messages/s"));
        charts.addAll(StepCharts.of(names));
        charts.addAll(bySize.chart(
                "cost-server",
                Figure.CPU_COST_PROCESS_MCYCLES_PER_MSG,
                "CPU cost of a message, server alone",
                "MCycles/message"));
        charts.addAll(bySize.chart(
                "cost",
                Figure.CPU_COST_MCYCLES_PER_MSG,
                "CPU cost of a message, whole machine",
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
        charts.addAll(Timelines.charts(names));
        return new Charts(charts);
    }
}
