package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.page.Html;
import org.hubmark.bench.kit.page.Markdown;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.kit.page.TerminalText;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.machine.Environment;
import org.hubmark.core.OutputFile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Draws a document: report.md, report.html, and what stands on a terminal. Any thread. */
public final class DocumentReport {
    /** Timelines that are unfolded at the beginning. */
    private static final int TIMELINES_OPEN = 2;

    private static final int COMMIT_DIGITS = 12;

    /** A page has room for so many rows side by side. */
    private static final int SIDE_BY_SIDE_MAX = 8;

    /** More rows than that stand one below the other, where they have no more figures than this. */
    private static final int LABELS_MAX = 16;

    private DocumentReport() {}

    /** Writes report.md and report.html of a document that nobody has checked. */
    public static void write(Document document, Path folder) throws IOException {
        write(document, new DocumentFile.Check(0, List.of(), List.of()), folder);
    }

    /** Writes report.md and report.html, with what a check found. */
    public static void write(Document document, DocumentFile.Check check, Path folder)
            throws IOException {
        String title = document.findings().title();
        String subtitle =
                "Verdict: " + document.findings().said() + ". " + origin(document.provenance());
        List<Section> sections = sections(document, check);
        OutputFile.write(folder.resolve("report.md"), Markdown.of(title, subtitle, sections));
        OutputFile.write(folder.resolve("report.html"), Html.of(title, subtitle, sections));
    }

    /** Prints what one wants to know first. */
    public static void print(Document document, PrintStream out) {
        for (Table table : tables(document)) {
            print(grid(document, table, first(table), List.of()), out);
        }
        Findings findings = document.findings();
        findings.answer().lines().forEach(line -> TerminalText.wrap("", line, out));
        findings.warnings().forEach(warning -> TerminalText.wrap("warning: ", warning, out));
        findings.remarks().forEach(remark -> TerminalText.wrap("", remark, out));
    }

    /** Prints every table, and the sections of the study. */
    public static void printAll(Document document, PrintStream out) {
        for (Table table : tables(document)) {
            blocks(document, table).forEach(block -> print(block, out));
        }
        TerminalText.print(document.kind().sections().apply(document), out);
        out.println();
        TerminalText.print(answer(document, List.of()), out);
    }

    private static void print(Block block, PrintStream out) {
        TerminalText.print(block, out);
        out.println();
    }

    /** {@return by which version something was measured, when, and by which command} */
    public static String origin(Provenance from) {
        String commit = from.tool().commit();
        return "hubmark " + from.tool().version()
                + (commit == null
                        ? ""
                        : " (" + commit.substring(0, Math.min(COMMIT_DIGITS, commit.length()))
                                + ")")
                + ", " + from.startedAt() + " to " + from.finishedAt() + ", " + from.command();
    }

    /** {@return those that have a row and a caption: of the others there is nothing to show} */
    private static List<Table> tables(Document document) {
        return document.tables().stream()
                .filter(table ->
                        !table.rows().isEmpty() && !table.form().caption().isEmpty())
                .toList();
    }

    /** {@return the verdicts for a build server} */
    public static List<CaseResult> verdicts(Document document) {
        Findings findings = document.findings();
        if (!findings.cases().isEmpty()) {
            return findings.cases();
        }
        CaseResult.Status status = switch (findings.outcome()) {
            case GOOD -> CaseResult.Status.PASSED;
            case FAILED, NOT_MET -> CaseResult.Status.FAILURE;
            case NOT_VALID -> CaseResult.Status.ERROR;
        };
        return List.of(new CaseResult(
                document.kind().name(), status, String.join("; ", findings.reasons())));
    }

    private static List<Section> sections(Document document, DocumentFile.Check check) {
        List<Section> sections = new ArrayList<>();
        sections.addAll(items(
                Block.Tone.PROBLEM,
                "Changed: these files differ from those that were written",
                check.changed()));
        sections.addAll(items(
                Block.Tone.PROBLEM,
                "Self-check failed: these figures do not follow from the counters and raw files",
                check.mismatches()));
        Charts charts = document.kind().charts().apply(document);
        List<Charts.Chart> plots = charts.plots();
        sections.addAll(answer(document, plots.stream().limit(1).toList()));
        for (Table table : tables(document)) {
            List<Block> blocks = blocks(document, table);
            if (!blocks.isEmpty()) {
                sections.add(new Section(2, table.form().caption(), blocks));
            }
        }
        sections.addAll(document.kind().sections().apply(document));
        if (plots.size() > 1) {
            sections.add(new Section(
                    2, "Plots", List.of(new Block.Plots(plots.subList(1, plots.size())))));
        }
        sections.addAll(timelines(charts));
        for (Table table : tables(document)) {
            if (hasRepeats(table)) {
                sections.add(new Section(2, "Each repeat", repeats(document, table)));
            }
        }
        if (check.figures() > 0) {
            sections.add(
                    new Section(2, "Self-check", List.of(new Block.Text(check.words() + "."))));
        }
        if (!tables(document).isEmpty()) {
            sections.add(formulas(document));
        }
        sections.addAll(new MachineSections(
                        document.provenance().environment(),
                        document.fact(MachineSections.SERVER, Environment.class))
                .tell("Server's counters: ", document.facts().get(MachineSections.WATCH.key()))
                .all());
        sections.addAll(provenance(document));
        return sections;
    }

    private static List<Section> items(Block.Tone tone, String title, List<String> lines) {
        return lines.isEmpty()
                ? List.of()
                : List.of(new Section(2, title, List.of(new Block.Items(lines)), tone));
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

    /** {@return what was found, beside a plot of it, why that is not valid, and what makes it less certain} */
    private static List<Section> answer(Document document, List<Charts.Chart> plot) {
        Findings findings = document.findings();
        List<Block> blocks = new ArrayList<>();
        if (!findings.answer().isEmpty()) {
            List<String> lines = findings.answer().lines().toList();
            blocks.add(
                    lines.size() == 1
                            ? new Block.Text(findings.answer() + ".")
                            : new Block.Items(lines));
        }
        if (!document.complete()) {
            blocks.add(new Block.Text("It did not complete: repeats are missing."));
        }
        List<Block.Fact> facts = new ArrayList<>();
        for (Name name : labelled(document.kind().facts())) {
            facts.add(fact(name.label(), document.facts().get(name.key())));
        }
        if (!facts.isEmpty()) {
            blocks.add(new Block.Facts(facts));
        }
        if (!plot.isEmpty()) {
            blocks.add(new Block.Plots(plot));
        }
        List<Section> sections = new ArrayList<>();
        if (!blocks.isEmpty()) {
            sections.add(new Section(2, "Answer", blocks));
        }
        sections.addAll(
                items(Block.Tone.PROBLEM, "Verdict: " + findings.said(), findings.reasons()));
        sections.addAll(items(Block.Tone.WARNING, "Warnings", findings.warnings()));
        sections.addAll(items(Block.Tone.NONE, "Scope of the figures", findings.remarks()));
        return sections;
    }

    /** {@return a table in its groups, the parts of its rows, and what has to be known of it} */
    private static List<Block> blocks(Document document, Table table) {
        List<Block> blocks = new ArrayList<>(grids(document, table));
        blocks.addAll(parts(document, table));
        if (!table.form().note().isEmpty()) {
            blocks.add(new Block.Text(table.form().note()));
        }
        return blocks;
    }

    /** {@return a table for each group that has anything to show} */
    private static List<Block.Grid> grids(Document document, Table table) {
        Heads heads = table.form().heads();
        List<Heads.Published> published =
                heads == null ? List.of() : heads.published().apply(document);
        return table.form().groups().stream()
                .filter(group -> !group.caption().isEmpty())
                .map(group -> grid(document, table, group, published))
                .filter(grid -> !grid.rows().isEmpty())
                .toList();
    }

    private static List<Block> parts(Document document, Table table) {
        List<Block> blocks = new ArrayList<>();
        for (Form part : table.form().parts()) {
            if (!part.caption().isEmpty()
                    && table.rows().stream()
                            .anyMatch(row -> !row.part(part).rows().isEmpty())) {
                part.groups().stream()
                        .filter(group -> !group.caption().isEmpty())
                        .forEach(group -> blocks.add(parts(document, table, part, group)));
            }
            if (!part.note().isEmpty()) {
                blocks.add(new Block.Text(part.note()));
            }
        }
        return blocks;
    }

    private static Form.Group first(Table table) {
        return table.form().groups().getFirst();
    }

    private static List<Name> labelled(List<Name> names) {
        return names.stream().filter(name -> !name.label().isEmpty()).toList();
    }

    private static boolean hasRepeats(Table table) {
        return table.rows().stream().anyMatch(row -> row.repeats().size() > 1);
    }

    private static String caption(Table table) {
        int sittings = table.rows().stream().mapToInt(Row::sittings).max().orElse(1);
        Form form = table.form();
        return hasRepeats(table)
                ? form.caption() + ": "
                        + (form.heads() == null
                                ? form.rule().words()
                                : form.rule().brief())
                        + (sittings > 1 ? "; repeats of " + sittings + " sittings" : "")
                : form.caption();
    }

    private static Block.Grid grid(
            Document document, Table table, Form.Group group, List<Heads.Published> beside) {
        boolean isFirst = group.equals(first(table));
        String caption = isFirst ? caption(table) : group.caption();
        List<Name> names = labelled(table.form().names()).stream()
                .filter(name -> isFirst || name.identifies())
                .toList();
        List<Form.Derived> derived = table.form().shown(group).stream()
                .filter(one -> !group.shown().contains(one)
                        || table.rows().stream()
                                .anyMatch(row -> one.of().apply(document, row) != null))
                .toList();
        List<String> headings = headings(List.of(), names, derived, group.columns());
        List<List<TableCell>> rows = table.rows().stream()
                .map(row -> cells(document, table, row, names, derived, group.columns()))
                .toList();
        Heads heads = table.form().heads();
        return heads == null
                ? laid(caption, headings, rows)
                : headed(
                        caption,
                        headings,
                        heads.rows().apply(document, table),
                        rows,
                        published(beside, derived, group));
    }

    /** {@return rows that others published, as far as they have something of a group} */
    private static Map<Block.Heading, List<TableCell>> published(
            List<Heads.Published> all, List<Form.Derived> derived, Form.Group group) {
        List<String> keys = Stream.concat(
                        derived.stream().map(one -> one.name().key()),
                        group.columns().stream().map(Column::key))
                .toList();
        Map<Block.Heading, List<TableCell>> rows = new LinkedHashMap<>();
        for (Heads.Published one : all) {
            if (keys.stream().anyMatch(one.values()::containsKey)) {
                rows.put(
                        one.heading().from(Block.Side.PUBLISHED),
                        keys.stream().map(key -> plain(one.values().get(key))).toList());
            }
        }
        return rows;
    }

    /** What was published has the digits that it was published with. */
    private static TableCell plain(@Nullable Object value) {
        return value instanceof Number number
                ? TableCell.text(Digits.plain(number.doubleValue()))
                : text(value);
    }

    /** Lays rows side by side, each under its head; many one below the other. */
    private static Block.Grid headed(
            String caption,
            List<String> labels,
            List<Block.Heading> heads,
            List<List<TableCell>> rows,
            Map<Block.Heading, List<TableCell>> published) {
        List<Block.Heading> allHeads = heads.stream()
                .map(head -> published.isEmpty() ? head : head.from(Block.Side.OURS))
                .collect(Collectors.toCollection(ArrayList::new));
        allHeads.addAll(published.keySet());
        List<List<TableCell>> all = new ArrayList<>(rows);
        all.addAll(published.values());
        List<Block.Heading> across = new ArrayList<>(List.of(Block.Heading.of("")));
        List<List<TableCell>> lines = new ArrayList<>();
        if (rows.size() > SIDE_BY_SIDE_MAX && labels.size() <= LABELS_MAX) {
            labels.forEach(label -> across.add(Block.Heading.of(label.strip())));
            for (int i = 0; i < all.size(); i++) {
                TableCell head = TableCell.text(allHeads.get(i).line());
                lines.add(Stream.concat(Stream.of(head), all.get(i).stream()).toList());
            }
        } else {
            across.addAll(allHeads);
            lines.addAll(turned(labels, all));
        }
        return new Block.Grid(caption, across, lines, Set.of());
    }

    private static List<String> headings(
            List<Name> above, List<Name> names, List<Form.Derived> derived, List<Column> columns) {
        return Stream.of(
                        above.stream().map(Name::label),
                        names.stream().map(Name::label),
                        derived.stream().map(one -> one.name().label()),
                        columns.stream().map(Column::heading))
                .flatMap(all -> all)
                .toList();
    }

    private static List<TableCell> cells(
            Document document,
            Table table,
            Row row,
            List<Name> names,
            List<Form.Derived> derived,
            List<Column> columns) {
        List<TableCell> cells = named(names, row.names());
        derived.forEach(one -> cells.add(text(one.of().apply(document, row))));
        columns.forEach(column -> cells.add(Unfoldings.cell(document, table, row, column)));
        return cells;
    }

    private static List<TableCell> named(List<Name> names, Map<String, @Nullable Object> values) {
        return names.stream()
                .map(name -> text(values.get(name.key())))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static TableCell text(@Nullable Object value) {
        return TableCell.text(CellText.text(value));
    }

    private static List<Name> identifying(Table table) {
        return table.form().names().stream().filter(Name::identifies).toList();
    }

    private static Block.Grid parts(Document document, Table table, Form part, Form.Group group) {
        boolean isFirst = group.equals(part.groups().getFirst());
        List<Name> above = table.rows().size() == 1 ? List.of() : identifying(table);
        List<Name> names = labelled(part.names()).stream()
                .filter(name -> isFirst || name.identifies())
                .toList();
        List<Form.Derived> derived = part.shown(group);
        List<Column> columns = group.columns();
        List<List<TableCell>> rows = new ArrayList<>();
        for (Row row : table.rows()) {
            Table parts = row.part(part);
            for (Row one : parts.rows()) {
                List<TableCell> cells = named(above, row.names());
                cells.addAll(cells(document, parts, one, names, derived, columns));
                rows.add(cells);
            }
        }
        return laid(
                isFirst ? part.caption() : group.caption(),
                headings(above, names, derived, columns),
                rows);
    }

    private static List<Block> repeats(Document document, Table table) {
        return table.form().groups().stream()
                .filter(group -> !group.caption().isEmpty()
                        && group.columns().stream().anyMatch(Column::isOfRepeats))
                .<Block>map(group -> new Block.Folded(
                        group.caption() + ", each repeat",
                        false,
                        List.of(repeats(document, table, group))))
                .toList();
    }

    private static Block.Grid repeats(Document document, Table table, Form.Group group) {
        List<Name> above = identifying(table);
        List<Name> names =
                group.equals(first(table)) ? labelled(table.form().ofRepeats()) : List.of();
        List<Column> columns =
                group.columns().stream().filter(Column::isOfRepeats).toList();
        List<List<TableCell>> rows = new ArrayList<>();
        for (Row row : table.rows()) {
            for (Repeat repeat : row.repeats()) {
                List<TableCell> cells = named(above, row.names());
                cells.addAll(named(names, repeat.names()));
                columns.forEach(column -> cells.add(Unfoldings.cell(document, repeat, column)));
                rows.add(cells);
            }
        }
        List<Block.Heading> heads = headings(above, names, List.of(), columns).stream()
                .map(label -> Block.Heading.of(label.strip()))
                .toList();
        return new Block.Grid("", heads, rows, Set.of());
    }

    /** Lays the longer side of a table down the page. */
    private static Block.Grid laid(
            String caption, List<String> headings, List<List<TableCell>> rows) {
        if (headings.size() <= rows.size() || rows.isEmpty()) {
            return Block.Grid.of(caption, headings, rows);
        }
        List<String> across = new ArrayList<>(List.of(headings.getFirst()));
        rows.forEach(row -> across.add(row.getFirst().text()));
        List<List<TableCell>> down = turned(headings, rows);
        return Block.Grid.of(caption, across, down.subList(1, down.size()));
    }

    /** {@return a line for each heading, with what the rows have below it} */
    private static List<List<TableCell>> turned(List<String> headings, List<List<TableCell>> rows) {
        return IntStream.range(0, headings.size())
                .mapToObj(i -> Stream.concat(
                                Stream.of(TableCell.text(headings.get(i))),
                                rows.stream().map(row -> row.get(i)))
                        .toList())
                .toList();
    }

    private static Section formulas(Document document) {
        List<Block.Fact> facts = new ArrayList<>();
        for (Table table : tables(document)) {
            formulas(table.form(), facts);
        }
        return new Section(2, "Formulas", List.of(new Block.Facts(facts)));
    }

    private static void formulas(Form form, List<Block.Fact> facts) {
        String of = form.caption().isEmpty() ? form.key() : form.caption();
        form.columns()
                .forEach(column ->
                        facts.add(new Block.Fact(of + ": " + column.heading(), column.words())));
        form.parts().forEach(part -> formulas(part, facts));
    }

    private static List<Section> provenance(Document document) {
        Provenance from = document.provenance();
        List<Block.Fact> settings = new ArrayList<>();
        from.settings().forEach((key, value) -> settings.add(fact(key, value)));
        List<List<String>> raw = document.rawFiles().stream()
                .map(file -> List.of(file.file(), Long.toString(file.bytes()), file.sha256()))
                .toList();
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(
                2,
                "Settings",
                List.of(
                        new Block.Facts(List.of(
                                fact("Command", from.command()),
                                fact("Version", from.tool().version()),
                                fact("Commit", from.tool().commit()),
                                fact("Started", from.startedAt()),
                                fact("Finished", from.finishedAt()))),
                        new Block.Facts(settings))));
        if (!raw.isEmpty()) {
            sections.add(new Section(
                    2,
                    "Raw files",
                    List.of(new Block.Grid(
                                    "Files written during the measurement",
                                    List.of("File", "Bytes", "SHA-256"),
                                    raw)
                            .with(Set.of(2)))));
        }
        return sections;
    }

    /** {@return a figure of a repeat in words of a study's own, which unfolds to how it is made} */
    public static TableCell figure(Document document, Repeat repeat, Column column, String text) {
        return Unfoldings.cell(document, repeat, column, text);
    }

    private static Block.Fact fact(String name, @Nullable Object value) {
        return new Block.Fact(name, CellText.text(value));
    }
}
