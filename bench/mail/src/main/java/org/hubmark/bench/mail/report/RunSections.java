package org.hubmark.bench.mail.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.MachineSections;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.mail.document.Case;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.HubStudy;
import org.hubmark.bench.mail.document.Publication;
import org.hubmark.bench.mail.document.Reason;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.Warnings;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What the report of a results file says: it is decided here, and drawn by the kit. */
final class RunSections {
    /** As many scenarios can be read as columns on a terminal; of more the overview tells. */
    private static final int COLUMNS_MAX = 12;

    /** More cards nobody reads. */
    private static final int CARDS_MAX = 6;

    /** Of more scenarios it is told how many there are. */
    private static final int NAMES_MAX = 4;

    /** A setting that a matrix alone has. */
    private static final String OF_MATRIX = "layouts";

    /** Timelines that are unfolded at the beginning. */
    private static final int TIMELINES_OPEN = 2;

    private final Results results;
    private final PublishedStudy study;
    private final Notes notes;
    private final DocumentFile.Check check;
    private final ScenarioTables tables;
    private final Steps steps;
    private final List<Block> replay;

    /** Without a check, for a terminal. */
    RunSections(Results results) {
        this(results, new DocumentFile.Check(0, List.of(), List.of()));
    }

    /**
     * Takes what is to be shown.
     *
     * @param check of the results against their files
     */
    RunSections(Results results, DocumentFile.Check check) {
        this.results = results;
        this.check = check;
        this.study = PublishedStudy.beside(results);
        this.notes = new Notes(study, results);
        this.tables = new ScenarioTables(study, results);
        this.steps = new Steps(tables.scenarios(), tables.markedNames());
        this.replay = StudyReplay.of(study, results, tables, notes);
    }

    /**
     * {@return all, in the order in which the report says it} A matrix answers its question first, and marks
     * cells that are not valid where their figures stand; figures of a run that is not valid are no answer.
     */
    List<Section> all() {
        List<Section> all = new ArrayList<>(doubted());
        all.addAll(isReplay() ? List.of(study()) : answer());
        all.addAll(publication());
        if (isMatrix()) {
            all.add(inShort());
            all.addAll(effects());
            all.addAll(endangered());
        } else {
            all.addAll(endangered());
            all.add(inShort());
        }
        all.addAll(warned());
        if (!isReplay()) {
            all.add(study());
        }
        Charts charts = charts();
        if (!charts.plots().isEmpty()) {
            all.add(new Section(2, "Plots", List.of(new Block.Plots(charts.plots()))));
        }
        all.addAll(costModels());
        all.addAll(steps());
        all.addAll(timelines(charts));
        all.add(further());
        all.add(notes());
        all.addAll(rules());
        all.addAll(
                new MachineSections(results.provenance().environment(), results.serverEnvironment())
                        .tell("Server's counters: ", results.targetWatch())
                        .all());
        all.add(new Section(2, "Settings", List.of(new Block.Facts(settings()))));
        return all;
    }

    /** {@return what of it is shown on a terminal that is to have all tables} */
    List<Section> tables() {
        List<Section> all = new ArrayList<>(isReplay() ? List.of(study()) : answer());
        all.addAll(publication());
        if (isWide()) {
            all.add(new Section(2, "Scenarios", List.of(overview())));
        } else {
            all.add(study());
            all.add(further());
        }
        all.addAll(effects());
        all.addAll(steps());
        all.addAll(costModels());
        all.add(notes());
        all.addAll(doubted());
        all.addAll(endangered());
        all.addAll(warned());
        return all;
    }

    /** {@return whether the scenarios are too many for a column each on a terminal} */
    boolean isWide() {
        return isReplay() || tables.scenarios().size() > COLUMNS_MAX;
    }

    /** {@return whether it is the study measured again} */
    boolean isReplay() {
        return !replay.isEmpty();
    }

    /** {@return the scenarios in columns} */
    ScenarioTables scenarios() {
        return tables;
    }

    private boolean isMatrix() {
        return results.provenance().settings().containsKey(OF_MATRIX);
    }

    /** {@return what a matrix tells of each factor; none of other results} */
    List<Section> answer() {
        return isMatrix() && !isReplay()
                ? items(
                        Block.Tone.NONE,
                        "What each factor is worth",
                        EffectTables.sentences(results.effects(), tables))
                : List.of();
    }

    /** What must be read before anything else. */
    private List<Section> doubted() {
        List<Section> all = new ArrayList<>(items(
                Block.Tone.PROBLEM,
                "Changed: these files differ from those that the run wrote",
                check.changed()));
        all.addAll(items(
                Block.Tone.PROBLEM,
                "Self-check failed: these figures do not follow from the counters and raw files",
                check.mismatches()));
        return all;
    }

    private List<Section> endangered() {
        List<Section> all = new ArrayList<>(
                items(Block.Tone.PROBLEM, "Not valid: do not use these results", problems()));
        all.addAll(items(
                Block.Tone.DANGER, "UNSAFE: a power loss may take acknowledged mail", dangers()));
        return all;
    }

    /** {@return what makes figures less certain, though they are valid} */
    List<Section> warned() {
        return items(Block.Tone.WARNING, "Warnings", warnings());
    }

    private static List<Section> items(Block.Tone tone, String title, List<String> lines) {
        return lines.isEmpty()
                ? List.of()
                : List.of(new Section(2, title, List.of(new Block.Items(lines, false)), tone));
    }

    /** Tables without rows are left out, and a section without tables. */
    private static List<Section> grids(String title, Block.Grid... grids) {
        List<Block> blocks = Stream.of(grids)
                .filter(grid -> !grid.rows().isEmpty())
                .<Block>map(grid -> grid)
                .toList();
        return blocks.isEmpty() ? List.of() : List.of(new Section(2, title, blocks));
    }

    private Section inShort() {
        return new Section(
                2,
                "In short",
                List.of(
                        isMatrix() || tables.scenarios().size() > CARDS_MAX
                                ? overview(study.columns())
                                : cards(),
                        new Block.Text("Self-check: " + check.words()
                                + ". In report.html a figure with a dotted line unfolds to its"
                                + " formula and inputs.")));
    }

    /** {@return effects of the factors of a matrix, and its rates; none of other results} */
    List<Section> effects() {
        return grids(
                "Effect of each factor, all else equal",
                EffectTables.effects(results),
                EffectTables.grid(tables));
    }

    /** {@return the study's table with the published columns beside, or the study measured again} */
    Section study() {
        return isReplay()
                ? new Section(2, "The hub study, replayed", replay)
                : new Section(
                        2, "Comparison with the hub study", List.of(tables.studyTable(notes)));
    }

    private Section further() {
        return new Section(2, "What the study lacks", List.of(tables.furtherTable()));
    }

    /** {@return what was fitted to the scenarios} */
    List<Section> costModels() {
        return grids("Cost models", FitCharts.table(results));
    }

    /** {@return a row for each step of a rate that changes; none of other rates} */
    List<Section> steps() {
        return grids("Step by step", steps.table());
    }

    private static List<Section> timelines(Charts charts) {
        List<Block> folds = new ArrayList<>();
        for (Charts.Chart chart : charts.timelines()) {
            folds.add(new Block.Folded(
                    chart.title(),
                    folds.size() < TIMELINES_OPEN,
                    List.of(new Block.Plots(List.of(chart)))));
        }
        return folds.isEmpty() ? List.of() : List.of(new Section(2, "Second by second", folds));
    }

    private Section notes() {
        return new Section(2, "Notes", List.of(new Block.Items(notes.texts(), true)));
    }

    /** {@return what was measured} */
    String title() {
        return (results.provenance().settings().get("name") instanceof String name
                                && !name.isEmpty()
                        ? name + ": "
                        : "")
                + "Durable SMTP receive throughput";
    }

    /**
     * {@return whether it may be published; none where nobody asked} What was publishable is so no more
     * once its files are others.
     */
    List<Section> publication() {
        Publication publish = results.publish();
        if (publish == null) {
            return List.of();
        }
        if (publish.publishable() && check.isClean()) {
            return items(
                    Block.Tone.GOOD,
                    "Publishable",
                    List.of("All run rules are kept (form " + publish.form() + ")."));
        }
        List<String> broken = new ArrayList<>();
        publish.broken().forEach(rule -> broken.add(rule.rule() + ": " + rule.found()));
        check.changed().forEach(file -> broken.add(file + " is not what the run wrote"));
        return items(
                Block.Tone.PROBLEM,
                "Not publishable: these run rules are not kept, or are not known to be (form "
                        + publish.form() + ")",
                broken);
    }

    private List<Section> rules() {
        Publication publish = results.publish();
        if (publish == null) {
            return List.of();
        }
        return grids(
                "Run rules",
                new Block.Grid(
                                "Each rule of docs/run-rules.md",
                                List.of("Rule", "Kept", "Found"),
                                publish.rules().stream()
                                        .map(rule -> List.of(
                                                rule.rule(),
                                                ScenarioRow.shown(rule.kept(), null)
                                                        .text(),
                                                rule.found()))
                                        .toList())
                        .with(Set.of(1, 2)));
    }

    /** {@return when, by which command and which build} */
    String subtitle() {
        String commit = results.provenance().tool().commit();
        return "hubmark " + results.provenance().tool().version()
                + (commit == null
                        ? ""
                        : " (" + commit.substring(0, Math.min(12, commit.length())) + ")")
                + ", " + results.provenance().startedAt() + " to "
                + results.provenance().finishedAt() + ", "
                + results.provenance().command();
    }

    private Block cards() {
        List<Block.Card> cards = new ArrayList<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            int place = i;
            Scenario scenario = tables.scenarios().get(i);
            List<ScenarioRow> facts = new ArrayList<>();
            ScenarioTables.besideWords(scenario)
                    .ifPresent(words -> facts.add(new ScenarioRow(Fields.P99_BESIDE, words, 2)));
            facts.add(new ScenarioRow(
                    Fields.P99,
                    ScenarioTables.isClosedLoop(scenario)
                            ? ScenarioTables.CLOSED_LOOP + ", p99, ms"
                            : "accept latency p99, ms",
                    2));
            facts.add(new ScenarioRow(Fields.PROCESS_COST, "MCycles a message, server alone", 2));
            facts.add(new ScenarioRow(Fields.COST, "MCycles a message, whole machine", 2));
            facts.add(new ScenarioRow(Fields.LOG_WRITES, "log writes a message", 2));
            facts.add(new ScenarioRow(Fields.QUEUE_WRITES, "queue writes a message", 2));
            String reason = scenario.limiting().limitingReason();
            cards.add(new Block.Card(
                    tables.columns().get(i),
                    Marks.headline(scenario, tables.cell(new ScenarioRow(Fields.RATE, "", 2), i))
                            .text(),
                    "msg/s",
                    "limited by "
                            + tables.cell(new ScenarioRow(Fields.LIMIT, "", null), i)
                                    .text()
                            + (reason == null ? "" : ": " + reason),
                    facts.stream()
                            .map(row -> new Block.Fact(row.label(), tables.cell(row, place)))
                            .toList()));
        }
        return new Block.Cards(cards);
    }

    /** {@return a row for each scenario} */
    Block.Grid overview() {
        return overview(List.of());
    }

    /** {@return a row for each scenario and each published column, without columns of which nothing is known} */
    private Block.Grid overview(List<HubStudy.Published> published) {
        List<ScenarioRow> rows = List.of(
                new ScenarioRow(Fields.RATE, "msg/s (95 %)", 2),
                new ScenarioRow(Fields.LIMIT, "Limited by", null),
                new ScenarioRow(
                        Fields.P99.where(scenario -> !ScenarioTables.isClosedLoop(scenario)),
                        "p99, ms",
                        2),
                new ScenarioRow(
                        Fields.P99_BESIDE.where(ScenarioTables::isBeside), "p99 lower rate, ms", 2),
                new ScenarioRow(Fields.PROCESS_COST, "MCyc/msg, server alone", 2),
                new ScenarioRow(Fields.COST, "MCyc/msg, machine", 2),
                new ScenarioRow(Fields.LOG_WRITES, "Log w/msg", 2),
                new ScenarioRow(Fields.QUEUE_WRITES, "Queue w/msg", 2));
        List<Block.Heading> headings =
                new ArrayList<>(List.of(Block.Heading.of("Scenario"), Block.Heading.of("")));
        rows.forEach(row -> headings.add(Block.Heading.of(row.label())));
        List<List<TableCell>> lines = new ArrayList<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            Block.Heading column = tables.columns().get(i);
            List<TableCell> line = new ArrayList<>(TableCell.texts(List.of(
                    column.text(),
                    column.marks().stream()
                            .map(Block.Mark::text)
                            .collect(Collectors.joining(", ")))));
            for (ScenarioRow row : rows) {
                line.add(
                        row.field().equals(Fields.RATE)
                                ? EffectTables.rate(tables, i)
                                : tables.cell(row, i));
            }
            lines.add(line);
        }
        for (HubStudy.Published one : published) {
            List<TableCell> line = new ArrayList<>(TableCell.texts(
                    List.of("published, " + ScenarioTables.heading(one).text(), "")));
            rows.forEach(row -> line.add(row.published(one)));
            lines.add(line);
        }
        return new Block.Grid("A row for each scenario", headings, lines, Set.of(1))
                .columns(IntStream.range(0, headings.size())
                        .filter(column -> lines.stream()
                                .map(line -> line.get(column))
                                .anyMatch(cell -> cell.isKnown() && !cell.text().isEmpty()))
                        .boxed()
                        .toList());
    }

    private List<String> dangers() {
        return folded(scenario -> Dimensions.unsafeReason(scenario)
                .map(reason -> Map.of(reason, reason))
                .orElse(Map.of()));
    }

    /** {@return what makes figures less certain, though they are valid} */
    private List<String> warnings() {
        List<String> warnings = new ArrayList<>(Warnings.ofAll(results));
        warnings.addAll(folded(scenario -> Warnings.of(scenario).stream()
                .collect(Collectors.toMap(
                        Reason::code,
                        Reason::words,
                        (one, other) -> one + "; " + other,
                        LinkedHashMap::new))));
        return warnings;
    }

    /** {@return why results are not valid; none if all are} What has one remedy has one cause. */
    private List<String> problems() {
        return folded(scenario -> {
            List<String> reasons = scenario.validity().reasons();
            String remedies = Case.remedies(scenario.validity().cases());
            return scenario.validity().valid()
                    ? Map.of()
                    : Map.of(
                            remedies.isEmpty() ? reasons : remedies,
                            (reasons.isEmpty() ? "no reason given" : String.join("; ", reasons))
                                    + remedies);
        });
    }

    /** Says each cause once in the words of the first scenario, and of which or how many it is said. */
    private <C> List<String> folded(Function<Scenario, Map<C, String>> causes) {
        Map<C, Map<String, String>> byCause = new LinkedHashMap<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            String name = tables.columns().get(i).text();
            causes.apply(tables.scenarios().get(i))
                    .forEach((cause, words) -> byCause.computeIfAbsent(
                                    cause, key -> new LinkedHashMap<>())
                            .put(name, words));
        }
        List<String> lines = new ArrayList<>();
        for (Map<String, String> words : byCause.values()) {
            String first = words.keySet().iterator().next();
            boolean isAlike = Set.copyOf(words.values()).size() == 1;
            lines.add((words.size() > NAMES_MAX
                            ? words.size() + " of " + tables.scenarios().size() + " scenarios"
                            : String.join("; ", words.keySet()))
                    + ": " + words.get(first) + (isAlike ? "" : " (figures of " + first + ")"));
        }
        return lines;
    }

    private List<Block.Fact> settings() {
        List<Block.Fact> facts = new ArrayList<>();
        results.provenance()
                .settings()
                .forEach((key, value) -> facts.add(new Block.Fact(key, plain(value))));
        return facts;
    }

    /** {@return a value of a file as it is; texts are of others, and no words of ours} */
    private static String plain(@Nullable Object value) {
        JsonNode node = JsonFile.tree(value);
        if (node.isTextual()) {
            return node.asText();
        }
        if (node.isNull() || node.isMissingNode()) {
            return Cells.UNKNOWN;
        }
        if (node.isNumber()) {
            return ScenarioRow.shown(node.decimalValue(), null).text();
        }
        return ScenarioRow.shown(node.isValueNode() ? node.asText() : node.toString(), null)
                .text();
    }

    /** {@return the plots, with their data} */
    Charts charts() {
        List<Scenario> scenarios = tables.scenarios();
        List<Charts.Chart> charts = new ArrayList<>();
        SizeCharts bySize = new SizeCharts(scenarios, tables.dimensions(), study);
        charts.addAll(bySize.chart(
                "throughput",
                Figure.THROUGHPUT_MSGS_PER_S,
                "Messages accepted a second",
                "messages/s"));
        charts.addAll(steps.charts());
        charts.addAll(FitCharts.charts(results));
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
        charts.addAll(Timelines.charts(scenarios, tables.markedNames()));
        return new Charts(charts);
    }
}
