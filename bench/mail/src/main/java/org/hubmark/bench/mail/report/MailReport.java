package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Publication;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.ScenarioNames;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

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
            document -> MailCharts.of(new ScenarioNames(new Results(document))));

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
        all.addAll(grid("Effect of each factor, all else equal", Effects.table(results)));
        all.add(new Section(2, "Conditions", List.of(new Block.Facts(conditions(names)))));
        List<String> notes = notes(results);
        if (!notes.isEmpty()) {
            all.add(new Section(2, "Notes", List.of(new Block.Items(notes))));
        }
        Publication publish = results.publish();
        if (publish != null) {
            all.addAll(grid("Run rules", rules(publish)));
        }
        return all;
    }

    /** A table without rows is left out, and its section. */
    private static List<Section> grid(String title, Block.Grid grid) {
        return grid.rows().isEmpty() ? List.of() : List.of(new Section(2, title, List.of(grid)));
    }

    /** {@return what has to be known to read the figures of each repeat} */
    private static List<String> notes(Results results) {
        List<String> notes = new ArrayList<>();
        for (Scenario scenario : results.scenarios()) {
            for (Scenario.Repeat repeat : scenario.repeats()) {
                String of = scenario.id() + ", repeat " + repeat.repeat() + ": ";
                repeat.remarks().forEach(note -> notes.add(of + note + "."));
            }
        }
        return notes;
    }

    /** {@return what all scenarios were measured under; what they differ in stands in their names} */
    private static List<Block.Fact> conditions(ScenarioNames names) {
        List<Block.Fact> facts = new ArrayList<>();
        for (Condition condition : Condition.values()) {
            String values = names.scenarios().stream()
                    .map(scenario -> scenario.conditions().get(condition))
                    .map(value -> condition.word(value).orElse("-"))
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
}
