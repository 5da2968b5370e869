package org.hubmark.bench.results.report;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sets tables and text for a terminal: ASCII, at most 118 columns. What does not fit beside is printed
 * below, with the labels again.
 */
final class TerminalWriter {
    private static final int WIDTH_MAX = 118;
    private static final int GAP = 2;
    private static final int CELL_MIN = 10;
    /** A longer name is cut where the figures beside it need the room. */
    private static final int NAME_MIN = 40;

    private final PrintStream out;

    TerminalWriter(PrintStream out) {
        this.out = out;
    }

    /** Prints an empty line. */
    void space() {
        out.println();
    }

    /** Prints a line as it is. */
    void line(String text) {
        out.println(text);
    }

    /** Prints all that was set. */
    void flush() {
        out.flush();
    }

    /** Prints a table with its caption, if it has one. */
    void table(Table table) {
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
        if (!table.caption().isEmpty()) {
            wrap("", table.caption());
        }
        int headLines = table.columns().stream()
                .mapToInt(column -> head(table, column).size())
                .max()
                .orElse(0);
        for (int i = 0; i < headLines; i++) {
            StringBuilder line = new StringBuilder(" ".repeat(labelWidth));
            for (int column = from; column < to; column++) {
                List<String> head = head(table, table.columns().get(column));
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

    private static List<String> head(Table table, Table.Column column) {
        List<String> head = new ArrayList<>();
        if (table.columns().stream().anyMatch(Table.Column::published)) {
            head.add(column.published() ? "published" : "this run");
        }
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

    /** Prints a row each scenario: long names are cut to what is left beside the figures. */
    void grid(Sheet.Grid grid) {
        int[] widths = new int[grid.headings().size()];
        List<List<String>> rows = new ArrayList<>();
        rows.add(grid.headings());
        grid.rows().forEach(row -> rows.add(row.stream().map(TableCell::text).toList()));
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        int over = IntStream.of(widths).sum() + GAP * (widths.length - 1) - WIDTH_MAX;
        widths[0] = Math.max(Math.min(NAME_MIN, widths[0]), widths[0] - Math.max(0, over));
        for (int from = 1; from < widths.length; ) {
            int to = from;
            int used = widths[0];
            while (to < widths.length && (to == from || used + GAP + widths[to] <= WIDTH_MAX)) {
                used += GAP + widths[to];
                to++;
            }
            print(rows, widths, from, to);
            from = to;
        }
    }

    private void print(List<List<String>> rows, int[] widths, int from, int to) {
        out.println();
        for (List<String> row : rows) {
            String name = row.getFirst();
            // What is too long for one line goes on in a line of its own before the figures.
            for (; name.length() > widths[0]; name = "  " + rest(name, widths[0])) {
                out.println(name.substring(0, cut(name, widths[0])));
            }
            StringBuilder line =
                    new StringBuilder(name).append(" ".repeat(widths[0] - name.length()));
            for (int i = from; i < to; i++) {
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
        for (String line : head(table, table.columns().get(column))) {
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
    void wrap(String lead, String text) {
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
