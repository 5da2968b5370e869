package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.GridText;
import org.hubmark.bench.kit.page.Html;
import org.hubmark.bench.kit.page.JUnitFile;
import org.hubmark.bench.kit.page.Markdown;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.volumes.Volume;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Draws a document: report.md, report.html, and what stands on a terminal. Any thread. */
public final class DocumentReport {
    private DocumentReport() {}

    /** Writes report.md and report.html. */
    public static void write(Document document, Path folder) throws IOException {
        String title = document.findings().title();
        List<Section> sections = sections(document);
        Files.writeString(folder.resolve("report.md"), Markdown.of(title, sections));
        Files.writeString(
                folder.resolve("report.html"),
                Html.of(title, sections, document.kind().charts().apply(document)));
    }

    /** Prints what one wants to know first. */
    public static void print(Document document, PrintStream out) {
        for (Table table : shown(document.tables())) {
            GridText.print(grid(document, table, caption(table)), out);
        }
        Findings findings = document.findings();
        if (!findings.answer().isEmpty()) {
            out.println(findings.answer());
        }
        findings.warnings().forEach(warning -> out.println("warning: " + warning));
    }

    /** {@return the verdict for a build server} */
    public static JUnitFile.Case verdict(Document document) {
        Findings findings = document.findings();
        JUnitFile.Status status = switch (findings.outcome()) {
            case GOOD -> JUnitFile.Status.PASSED;
            case FAILED, NOT_PASSED -> JUnitFile.Status.FAILURE;
            case NOT_VALID -> JUnitFile.Status.ERROR;
        };
        return new JUnitFile.Case(
                document.kind().name(), status, String.join("; ", findings.reasons()));
    }

    private static List<Section> sections(Document document) {
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(2, "Answer", answer(document)));
        for (Table table : shown(document.tables())) {
            sections.add(section(document, table));
        }
        sections.addAll(document.kind().sections().apply(document));
        for (Table table : shown(document.tables())) {
            if (table.rows().stream().anyMatch(row -> row.repeats().size() > 1)) {
                sections.add(new Section(2, "Each repeat", List.of(repeats(table))));
            }
        }
        sections.add(formulas(document));
        sections.addAll(machine(document));
        return sections;
    }

    private static List<Block> answer(Document document) {
        Findings findings = document.findings();
        List<Block> blocks = new ArrayList<>();
        if (!findings.answer().isEmpty()) {
            blocks.add(new Block.Text(findings.answer() + "."));
        }
        if (!document.complete()) {
            blocks.add(new Block.Text("It did not come to its end: repeats are missing."));
        }
        if (!findings.reasons().isEmpty()) {
            blocks.add(new Block.Text("Verdict: " + findings.verdict() + ". Reasons:"));
            blocks.add(new Block.Lines(findings.reasons()));
        }
        if (!findings.warnings().isEmpty()) {
            blocks.add(new Block.Text("Warnings:"));
            blocks.add(new Block.Lines(findings.warnings()));
        }
        List<Block.Fact> facts = new ArrayList<>();
        for (Name name : document.kind().facts()) {
            facts.add(fact(name.label(), document.facts().get(name.key())));
        }
        if (!facts.isEmpty()) {
            blocks.add(new Block.Facts(facts));
        }
        return blocks;
    }

    /** What has neither rows nor a caption is left out. */
    private static List<Table> shown(List<Table> tables) {
        return tables.stream()
                .filter(table ->
                        !table.form().caption().isEmpty() && !table.rows().isEmpty())
                .toList();
    }

    private static Section section(Document document, Table table) {
        Form form = table.form();
        List<Block> blocks = new ArrayList<>();
        blocks.add(grid(document, table, caption(table)));
        for (Form part : form.parts()) {
            Block.Grid parts = parts(document, table, part);
            if (part.caption().isEmpty() || parts.rows().isEmpty()) {
                continue;
            }
            blocks.add(parts);
            if (!part.note().isEmpty()) {
                blocks.add(new Block.Text(part.note()));
            }
        }
        if (!form.note().isEmpty()) {
            blocks.add(new Block.Text(form.note()));
        }
        return new Section(2, form.caption(), blocks);
    }

    private static String caption(Table table) {
        return table.rows().stream().anyMatch(row -> row.repeats().size() > 1)
                ? table.form().caption() + ": " + table.form().rule().words()
                : table.form().caption();
    }

    /** {@return a table with all its columns, the longer side down the page} */
    public static Block.Grid grid(Document document, Table table, String caption) {
        Form form = table.form();
        List<String> headings = new ArrayList<>();
        named(form.names()).forEach(name -> headings.add(name.label()));
        headings.addAll(headings(document, table));
        List<List<String>> rows = new ArrayList<>();
        for (Row row : table.rows()) {
            List<String> cells = new ArrayList<>();
            named(form.names())
                    .forEach(name -> cells.add(Cell.text(row.names().get(name.key()))));
            cells.addAll(cells(document, table, row));
            rows.add(cells);
        }
        return laid(caption, headings, rows);
    }

    private static List<Column> shown(Form form) {
        return form.columns().stream().filter(Column::isShown).toList();
    }

    private static List<Name> named(List<Name> names) {
        return names.stream().filter(name -> !name.label().isEmpty()).toList();
    }

    /** Of figures, and of what else follows. */
    private static List<String> headings(Document document, Table table) {
        List<String> headings = new ArrayList<>();
        shown(table.form()).forEach(column -> headings.add(column.heading()));
        if (!table.rows().isEmpty()) {
            facts(document, table, table.rows().getFirst())
                    .forEach((key, value) -> headings.add(key.replace('_', ' ')));
        }
        return headings;
    }

    private static List<String> cells(Document document, Table table, Row row) {
        List<String> cells = new ArrayList<>();
        shown(table.form()).forEach(column -> cells.add(cell(table, row, column)));
        facts(document, table, row).values().forEach(value -> cells.add(Cell.text(value)));
        return cells;
    }

    /** Lists are said elsewhere. */
    private static Map<String, @Nullable Object> facts(Document document, Table table, Row row) {
        Map<String, @Nullable Object> shown = new LinkedHashMap<>();
        table.form().facts().apply(document, row).forEach((key, value) -> {
            if (!(value instanceof Collection)) {
                shown.put(key, value);
            }
        });
        return shown;
    }

    private static String cell(Table table, Row row, Column column) {
        Estimate estimate = table.estimate(row, column);
        if (column.definition() instanceof Column.Definition.AtMost && estimate.isKnown()) {
            return estimate.value() > 0 ? "yes" : "no";
        }
        return estimate.text(column.decimals());
    }

    private static Block.Grid parts(Document document, Table table, Form part) {
        List<Name> above =
                table.form().names().stream().filter(Name::identifies).toList();
        List<String> headings = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        for (Row row : table.rows()) {
            Table parts = row.part(part);
            // What stands in a repeat alone is not drawn of several.
            if (part.isOnce() && row.repeats().size() > 1 || parts.rows().isEmpty()) {
                continue;
            }
            if (headings.isEmpty()) {
                above.forEach(name -> headings.add(name.label()));
                named(part.names()).forEach(name -> headings.add(name.label()));
                headings.addAll(headings(document, parts));
            }
            for (Row one : parts.rows()) {
                List<String> cells = new ArrayList<>();
                above.forEach(name -> cells.add(Cell.text(row.names().get(name.key()))));
                named(part.names())
                        .forEach(name -> cells.add(Cell.text(one.names().get(name.key()))));
                cells.addAll(cells(document, parts, one));
                rows.add(cells);
            }
        }
        return laid(part.caption(), headings, rows);
    }

    private static Block.Grid repeats(Table table) {
        Form form = table.form();
        List<Name> above = form.names().stream().filter(Name::identifies).toList();
        List<Column> columns =
                shown(form).stream().filter(Column::isOfRepeats).toList();
        List<String> headings = new ArrayList<>();
        above.forEach(name -> headings.add(name.label()));
        form.ofRepeats().forEach(name -> headings.add(name.label()));
        columns.forEach(column -> headings.add(column.heading()));
        List<List<String>> rows = new ArrayList<>();
        for (Row row : table.rows()) {
            for (Repeat repeat : row.repeats()) {
                List<String> cells = new ArrayList<>();
                above.forEach(name -> cells.add(Cell.text(row.names().get(name.key()))));
                form.ofRepeats()
                        .forEach(name -> cells.add(Cell.text(repeat.names().get(name.key()))));
                columns.forEach(
                        column -> cells.add(Cell.number(column.value(repeat), column.decimals())));
                rows.add(cells);
            }
        }
        return new Block.Grid(form.caption() + ", each repeat", headings, rows);
    }

    /** Lays the longer side of a table down the page. */
    private static Block.Grid laid(String caption, List<String> headings, List<List<String>> rows) {
        if (headings.size() <= rows.size() || rows.isEmpty()) {
            return new Block.Grid(caption, headings, rows);
        }
        List<String> across = new ArrayList<>(List.of(headings.getFirst()));
        rows.forEach(row -> across.add(row.getFirst()));
        List<List<String>> down = new ArrayList<>();
        for (int i = 1; i < headings.size(); i++) {
            List<String> line = new ArrayList<>(List.of(headings.get(i)));
            for (List<String> row : rows) {
                line.add(row.get(i));
            }
            down.add(line);
        }
        return new Block.Grid(caption, across, down);
    }

    private static Section formulas(Document document) {
        List<Block.Fact> facts = new ArrayList<>();
        for (Table table : document.tables()) {
            if (!table.rows().isEmpty()) {
                formulas(table.form(), facts);
            }
        }
        return new Section(2, "Formulas", List.of(new Block.Facts(facts)));
    }

    private static void formulas(Form form, List<Block.Fact> facts) {
        String of = form.caption().isEmpty() ? form.key() : form.caption();
        form.columns()
                .forEach(column -> facts.add(
                        new Block.Fact(
                                of + ": " + (column.isShown() ? column.heading() : column.key()),
                                column.words())));
        form.parts().forEach(part -> formulas(part, facts));
    }

    private static List<Section> machine(Document document) {
        Provenance from = document.provenance();
        Environment machine = from.environment();
        List<Block.Fact> settings = new ArrayList<>();
        from.settings().forEach((key, value) -> settings.add(fact(key, value)));
        List<List<String>> raw = document.rawFiles().stream()
                .map(file -> List.of(file.file(), Long.toString(file.bytes()), file.sha256()))
                .toList();
        return List.of(
                new Section(
                        2,
                        "Machine",
                        machine(machine)),
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
                                "What was written while it was measured",
                                List.of("File", "Bytes", "SHA-256"),
                                raw,
                                Set.of(2)))));
    }

    private static List<Block> machine(Environment machine) {
        List<Block.Fact> facts = new ArrayList<>(List.of(
                fact("CPU", machine.cpuModel()),
                fact("Logical cores", machine.logicalCores()),
                fact("Memory (bytes)", machine.memoryBytes()),
                fact("OS", machine.os()),
                fact("Kernel", machine.kernel()),
                fact("JDK", machine.jdk())));
        if (machine.container() != null) {
            facts.add(fact("Container", machine.container()));
        }
        Block.Facts all = new Block.Facts(facts);
        return machine.volumes().isEmpty()
                ? List.of(all)
                : List.of(all, volumes(machine.volumes()));
    }

    private static Block volumes(List<Volume> volumes) {
        return new Block.Grid(
                "Volumes",
                List.of(
                        "Role",
                        "Folder",
                        "Device",
                        "File system",
                        "Mount options",
                        "Write cache",
                        "Rotational",
                        "Scheduler",
                        "Free (bytes)",
                        "Acts like",
                        "RAID",
                        "Syncs are"),
                volumes.stream()
                        .map(volume -> Stream.of(
                                        volume.role(),
                                        volume.path(),
                                        volume.device(),
                                        volume.filesystem(),
                                        volume.mountOptions(),
                                        volume.writeCache(),
                                        volume.rotational(),
                                        volume.scheduler(),
                                        volume.freeBytes(),
                                        volume.emulates(),
                                        volume.storage() == null ? null : volume.storage().raid(),
                                        volume.syncVerdict())
                                .map(Cell::text)
                                .toList())
                        .toList(),
                Set.of(1, 4));
    }

    private static Block.Fact fact(String name, @Nullable Object value) {
        return new Block.Fact(name, Cell.text(value));
    }
}
