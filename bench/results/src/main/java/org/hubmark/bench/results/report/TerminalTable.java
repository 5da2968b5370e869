package org.hubmark.bench.results.report;

import org.hubmark.bench.results.Results;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The tables on a terminal: ASCII, at most 118 columns. What does not fit beside is printed below,
 * with the labels again.
 */
public final class TerminalTable {
    private static final int WIDTH_MAX = 118;
    private static final int GAP = 2;
    private static final int CELL_MIN = 10;

    private final PrintStream out;

    private TerminalTable(PrintStream out) {
        this.out = out;
    }

    /** Prints the study's table, what the study lacks, and what must be known to read them. */
    public static void print(Results results, PrintStream out) {
        print(SheetBuilder.of(Report.tree(results), RawFiles.none()), out);
    }

    /** Prints the steps of a rate that changes; nothing for other rates. */
    public static void printSteps(Results results, PrintStream out) {
        new TerminalTable(out).printSteps(SheetBuilder.of(Report.tree(results), RawFiles.none()));
        out.flush();
    }

    /** Prints what makes figures less certain; nothing where nothing does. */
    public static void printWarnings(Results results, PrintStream out) {
        new TerminalTable(out)
                .printWarnings(SheetBuilder.of(Report.tree(results), RawFiles.none()));
        out.flush();
    }

    static void print(Sheet sheet, PrintStream out) {
        new TerminalTable(out).print(sheet);
    }

    private void print(Sheet sheet) {
        out.println(sheet.title());
        wrap("", sheet.subtitle());
        printPublication(sheet);
        if (sheet.replay() != null) {
            print(sheet.replay());
        }
        if (sheet.isWide()) {
            print(sheet.overview());
        } else {
            print(sheet.studyTable());
            print(sheet.furtherTable());
        }
        printMatrix(sheet);
        printSteps(sheet);
        if (!sheet.costModels().rows().isEmpty()) {
            out.println();
            out.println("Cost models");
            for (List<TableCell> row : sheet.costModels().rows()) {
                wrap(
                        "  ",
                        row.get(0).text() + " (" + row.get(1).text() + ") = "
                                + row.get(2).text() + "; R squared "
                                + row.get(3).text()
                                + ", largest residual " + row.get(4).text()
                                + " %, a size left out missed by "
                                + row.get(5).text() + " %; fits: " + row.get(7).text());
            }
        }
        out.println();
        for (int i = 0; i < sheet.notes().size(); i++) {
            wrap("[" + (i + 1) + "] ", sheet.notes().get(i));
        }
        printWarnings(sheet);
        if (!sheet.dangers().isEmpty()) {
            out.println();
            out.println("UNSAFE, a power loss may take acknowledged mail:");
            sheet.dangers().forEach(danger -> wrap("  ", danger));
        }
        if (!sheet.problems().isEmpty()) {
            out.println();
            out.println("NOT VALID, do not use these results:");
            sheet.problems().forEach(problem -> wrap("  ", problem));
        }
        out.flush();
    }

    /** {@return a study measured again, in Markdown: the tables as they stand on a terminal} */
    static String study(Replay replay) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream text = new PrintStream(bytes, false, StandardCharsets.UTF_8);
        new TerminalTable(text).print(replay);
        text.flush();
        return "# The hub study, replayed\n\n```\n"
                + bytes.toString(StandardCharsets.UTF_8).strip() + "\n```\n";
    }

    private void print(Replay replay) {
        replay.tables().forEach(this::print);
        out.println();
        out.println("What limits at the highest rate that is sustained, by our data");
        replay.limits().forEach(limit -> wrap("  ", limit));
        print(replay.ratios());
        out.println();
        replay.remarks().forEach(remark -> wrap("  ", remark));
    }

    private void printSteps(Sheet sheet) {
        if (!sheet.steps().rows().isEmpty()) {
            out.println();
            out.println(
                    "Step by step (latency from the intended start, uncorr. from the actual send)");
            print(sheet.steps());
        }
    }

    private void printMatrix(Sheet sheet) {
        if (!sheet.grid().rows().isEmpty()) {
            print(sheet.grid());
        }
        if (!sheet.effects().rows().isEmpty()) {
            out.println();
            out.println("Effect of each factor, all else equal");
            print(sheet.effects());
        }
    }

    private void printPublication(Sheet sheet) {
        Sheet.Publication publication = sheet.publication();
        if (publication != null) {
            out.println();
            out.println(
                    publication.publishable()
                            ? "PUBLISHABLE: all run rules are kept (form " + publication.form()
                                    + ")"
                            : "NOT PUBLISHABLE, rules of docs/run-rules.md that are not kept (form "
                                    + publication.form() + "):");
            publication.broken().forEach(broken -> wrap("  ", broken));
        }
    }

    private void printWarnings(Sheet sheet) {
        if (!sheet.warnings().isEmpty()) {
            out.println();
            out.println("LESS CERTAIN than it looks:");
            sheet.warnings().forEach(warning -> wrap("  ", warning));
        }
    }

    private void print(Table table) {
        int labelWidth = table.lines().stream()
                .mapToInt(line -> line.markedLabel().length())
                .max()
                .orElse(0);
        List<Integer> widths = widths(table, CELL_MIN);
        int gap = GAP;
        if (total(labelWidth, widths, gap) > WIDTH_MAX) {
            List<Integer> narrow = widths(table, 0);
            if (total(labelWidth, narrow, 1) <= WIDTH_MAX) {
                widths = narrow;
                gap = 1;
            }
        }
        int from = 0;
        while (from < widths.size()) {
            int to = from;
            int used = labelWidth;
            while (to < widths.size() && (to == from || used + gap + widths.get(to) <= WIDTH_MAX)) {
                used += gap + widths.get(to);
                to++;
            }
            print(table, labelWidth, widths, gap, from, to);
            from = to;
        }
    }

    private static List<Integer> widths(Table table, int min) {
        List<Integer> widths = new ArrayList<>();
        for (int i = 0; i < table.columns().size(); i++) {
            widths.add(width(table, i, min));
        }
        return widths;
    }

    private static int total(int labelWidth, List<Integer> widths, int gap) {
        return labelWidth + widths.stream().mapToInt(Integer::intValue).sum() + gap * widths.size();
    }

    private void print(
            Table table, int labelWidth, List<Integer> widths, int gap, int from, int to) {
        out.println();
        wrap("", table.caption());
        int headLines = table.columns().stream()
                .mapToInt(column -> head(column).size())
                .max()
                .orElse(0);
        for (int i = 0; i < headLines; i++) {
            StringBuilder line = new StringBuilder(" ".repeat(labelWidth));
            for (int column = from; column < to; column++) {
                List<String> head = head(table.columns().get(column));
                right(line, i < head.size() ? head.get(i) : "", gap, widths.get(column));
            }
            out.println(line.toString().stripTrailing());
        }
        int width = labelWidth;
        for (int column = from; column < to; column++) {
            width += gap + widths.get(column);
        }
        out.println("-".repeat(width));
        for (Table.Line row : table.lines()) {
            StringBuilder line = new StringBuilder(row.markedLabel());
            line.append(" ".repeat(labelWidth - line.length()));
            for (int column = from; column < to; column++) {
                right(line, row.cells().get(column).text(), gap, widths.get(column));
            }
            out.println(line);
        }
    }

    private static List<String> head(Table.Column column) {
        List<String> head = new ArrayList<>();
        head.add(column.published() ? "published" : "this run");
        head.addAll(column.heading());
        if (column.unsafe()) {
            head.add(Dimensions.UNSAFE);
        }
        if (!column.valid()) {
            head.add("NOT VALID");
        }
        head.addAll(column.warnings());
        return head;
    }

    /** A row each scenario: names are cut to what is left beside the figures. */
    private void print(Sheet.Grid grid) {
        int[] widths = new int[grid.headings().size()];
        List<List<String>> rows = new ArrayList<>();
        rows.add(grid.headings());
        grid.rows().forEach(row -> rows.add(row.stream().map(TableCell::text).toList()));
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        int total = IntStream.of(widths).sum() + GAP * (widths.length - 1);
        widths[0] = Math.max(CELL_MIN, widths[0] - Math.max(0, total - WIDTH_MAX));
        out.println();
        for (List<String> row : rows) {
            String name = row.getFirst();
            // What is too long for one line goes on in a line of its own before the figures.
            for (; name.length() > widths[0]; name = "  " + rest(name, widths[0])) {
                out.println(name.substring(0, cut(name, widths[0])));
            }
            StringBuilder line =
                    new StringBuilder(name).append(" ".repeat(widths[0] - name.length()));
            for (int i = 1; i < row.size(); i++) {
                right(line, row.get(i), GAP, widths[i]);
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private static int cut(String name, int width) {
        int space = name.lastIndexOf(' ', width);
        return space > 2 ? space : width;
    }

    private static String rest(String name, int width) {
        return name.substring(cut(name, width)).strip();
    }

    private static int width(Table table, int column, int min) {
        int width = min;
        for (String line : head(table.columns().get(column))) {
            width = Math.max(width, line.length());
        }
        for (Table.Line line : table.lines()) {
            width = Math.max(width, line.cells().get(column).text().length());
        }
        return width;
    }

    private static void right(StringBuilder line, String text, int gap, int width) {
        line.append(" ".repeat(gap + width - text.length())).append(text);
    }

    /** Breaks at spaces, and sets what follows below the first word. */
    private void wrap(String lead, String text) {
        StringBuilder line = new StringBuilder(lead);
        for (String word : text.split(" ", -1)) {
            if (line.length() + 1 + word.length() > WIDTH_MAX && line.length() > lead.length()) {
                out.println(line.toString().stripTrailing());
                line.setLength(0);
                line.append(" ".repeat(lead.length()));
            }
            line.append(line.length() > lead.length() ? " " : "").append(word);
        }
        out.println(line);
    }
}
