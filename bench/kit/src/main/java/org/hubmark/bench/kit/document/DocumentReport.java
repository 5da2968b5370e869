package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.page.Html;
import org.hubmark.bench.kit.page.JUnitFile;
import org.hubmark.bench.kit.page.Markdown;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.kit.page.TerminalText;
import org.hubmark.core.OutputFile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Draws a document: report.md, report.html, and what stands on a terminal. Any thread. */
public final class DocumentReport {
    private DocumentReport() {}

    /** Writes report.md and report.html. */
    public static void write(Document document, Path folder) throws IOException {
        String title = document.findings().title();
        List<Section> sections = sections(document);
        OutputFile.write(folder.resolve("report.md"), Markdown.of(title, "", sections));
        OutputFile.write(folder.resolve("report.html"), Html.of(title, "", sections));
    }

    /** Prints what one wants to know first. */
    public static void print(Document document, PrintStream out) {
        for (Table table : tables(document)) {
            if (!first(table).caption().isEmpty()) {
                TerminalText.print(grid(document, table, first(table), caption(table)), out);
                out.println();
            }
        }
        Findings findings = document.findings();
        if (!findings.answer().isEmpty()) {
            out.println(findings.answer());
        }
        findings.warnings().forEach(warning -> out.println("warning: " + warning));
    }

    /** {@return those that have a row and a caption: of the others there is nothing to show} */
    private static List<Table> tables(Document document) {
        return document.tables().stream()
                .filter(table ->
                        !table.rows().isEmpty() && !table.form().caption().isEmpty())
                .toList();
    }

    /** {@return the verdicts for a build server} */
    public static List<JUnitFile.Case> verdicts(Document document) {
        Findings findings = document.findings();
        if (!findings.cases().isEmpty()) {
            return findings.cases();
        }
        JUnitFile.Status status = switch (findings.outcome()) {
            case GOOD -> JUnitFile.Status.PASSED;
            case FAILED, NOT_MET -> JUnitFile.Status.FAILURE;
            case NOT_VALID -> JUnitFile.Status.ERROR;
        };
        return List.of(new JUnitFile.Case(
                document.kind().name(), status, String.join("; ", findings.reasons())));
    }

    private static List<Section> sections(Document document) {
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(2, "Answer", answer(document)));
        for (Table table : tables(document)) {
            Section section = section(document, table);
            if (!section.blocks().isEmpty()) {
                sections.add(section);
            }
        }
        sections.addAll(document.kind().sections().apply(document));
        for (Table table : tables(document)) {
            if (hasRepeats(table)) {
                sections.add(new Section(2, "Each repeat", repeats(document, table)));
            }
        }
        if (!tables(document).isEmpty()) {
            sections.add(formulas(document));
        }
        sections.addAll(new MachineSections(document.provenance().environment(), null).all());
        sections.addAll(provenance(document));
        List<Charts.Chart> charts = document.kind().charts().apply(document).all();
        if (!charts.isEmpty()) {
            sections.add(new Section(2, "Plots", List.of(new Block.Plots(charts))));
        }
        return sections;
    }

    private static List<Block> answer(Document document) {
        Findings findings = document.findings();
        List<Block> blocks = new ArrayList<>();
        if (!findings.answer().isEmpty()) {
            List<String> lines = findings.answer().lines().toList();
            blocks.add(
                    lines.size() == 1
                            ? new Block.Text(findings.answer() + ".")
                            : new Block.Lines(lines));
        }
        if (!document.complete()) {
            blocks.add(new Block.Text("It did not complete: repeats are missing."));
        }
        if (!findings.reasons().isEmpty()) {
            blocks.add(new Block.Text("Verdict: " + findings.said() + ". Reasons:"));
            blocks.add(new Block.Lines(findings.reasons()));
        }
        if (!findings.warnings().isEmpty()) {
            blocks.add(new Block.Text("Warnings:"));
            blocks.add(new Block.Lines(findings.warnings()));
        }
        List<Block.Fact> facts = new ArrayList<>();
        for (Name name : labelled(document.kind().facts())) {
            facts.add(fact(name.label(), document.facts().get(name.key())));
        }
        if (!facts.isEmpty()) {
            blocks.add(new Block.Facts(facts));
        }
        return blocks;
    }

    private static Section section(Document document, Table table) {
        Form form = table.form();
        List<Block> blocks = new ArrayList<>();
        for (Form.Group group : form.groups()) {
            if (!group.caption().isEmpty()) {
                blocks.add(grid(
                        document,
                        table,
                        group,
                        group.equals(first(table)) ? caption(table) : group.caption()));
            }
        }
        for (Form part : form.parts()) {
            if (!part.caption().isEmpty()
                    && table.rows().stream()
                            .anyMatch(row -> !row.part(part).rows().isEmpty())) {
                blocks.add(parts(document, table, part));
            }
            if (!part.note().isEmpty()) {
                blocks.add(new Block.Text(part.note()));
            }
        }
        if (!form.note().isEmpty()) {
            blocks.add(new Block.Text(form.note()));
        }
        return new Section(2, form.caption(), blocks);
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
        return hasRepeats(table)
                ? table.form().caption() + ": " + table.form().rule().words()
                        + (sittings > 1 ? "; repeats of " + sittings + " sittings" : "")
                : table.form().caption();
    }

    private static Block.Grid grid(
            Document document, Table table, Form.Group group, String caption) {
        boolean isFirst = group.equals(first(table));
        List<Name> names = labelled(table.form().names()).stream()
                .filter(name -> isFirst || name.identifies())
                .toList();
        List<Form.Derived> derived = isFirst ? derived(table.form()) : List.of();
        return laid(
                caption,
                headings(List.of(), names, derived, group.columns()),
                table.rows().stream()
                        .map(row -> cells(document, table, row, names, derived, group.columns()))
                        .toList());
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

    private static List<Form.Derived> derived(Form form) {
        return form.derived().stream()
                .filter(one -> !one.name().label().isEmpty())
                .toList();
    }

    private static Block.Grid parts(Document document, Table table, Form part) {
        List<Name> above = identifying(table);
        List<Name> names = labelled(part.names());
        List<Form.Derived> derived = derived(part);
        List<List<TableCell>> rows = new ArrayList<>();
        for (Row row : table.rows()) {
            Table parts = row.part(part);
            for (Row one : parts.rows()) {
                List<TableCell> cells = named(above, row.names());
                cells.addAll(cells(document, parts, one, names, derived, part.columns()));
                rows.add(cells);
            }
        }
        return laid(part.caption(), headings(above, names, derived, part.columns()), rows);
    }

    private static List<Block> repeats(Document document, Table table) {
        return table.form().groups().stream()
                .filter(group -> !group.caption().isEmpty()
                        && group.columns().stream().anyMatch(Column::isOfRepeats))
                .<Block>map(group -> repeats(document, table, group))
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
        return Block.Grid.of(
                group.caption() + ", each repeat",
                headings(above, names, List.of(), columns),
                rows);
    }

    /** Lays the longer side of a table down the page. */
    private static Block.Grid laid(
            String caption, List<String> headings, List<List<TableCell>> rows) {
        if (headings.size() <= rows.size() || rows.isEmpty()) {
            return Block.Grid.of(caption, headings, rows);
        }
        List<String> across = new ArrayList<>(List.of(headings.getFirst()));
        rows.forEach(row -> across.add(row.getFirst().text()));
        List<List<TableCell>> down = new ArrayList<>();
        for (int i = 1; i < headings.size(); i++) {
            List<TableCell> line = new ArrayList<>(List.of(TableCell.text(headings.get(i))));
            for (List<TableCell> row : rows) {
                line.add(row.get(i));
            }
            down.add(line);
        }
        return Block.Grid.of(caption, across, down);
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
        return List.of(
                new Section(
                        2,
                        "Settings",
                        List.of(
                                new Block.Lines(List.of(from.command())),
                                new Block.Facts(List.of(
                                        fact("Version", from.tool().version()),
                                        fact("Commit", from.tool().commit()),
                                        fact("Started", from.startedAt()),
                                        fact("Finished", from.finishedAt()))),
                                new Block.Facts(settings))),
                new Section(
                        2,
                        "Raw files",
                        List.of(new Block.Grid(
                                        "Files written during the measurement",
                                        List.of("File", "Bytes", "SHA-256"),
                                        raw)
                                .with(Set.of(2)))));
    }

    /** {@return a figure of a repeat in words of a study's own, which unfolds to how it is made} */
    public static TableCell figure(Document document, Repeat repeat, Column column, String text) {
        return Unfoldings.cell(document, repeat, column, text);
    }

    /** {@return how a figure of a row is made, for a table of a study's own} */
    public static TableCell.Unfolding unfolding(
            Document document, Table table, Row row, Column column) {
        return Unfoldings.of(document, table, row, column);
    }

    private static Block.Fact fact(String name, @Nullable Object value) {
        return new Block.Fact(name, CellText.text(value));
    }
}
