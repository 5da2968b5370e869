package org.hubmark.bench.kit.page;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** A table of a report on a terminal. */
public final class GridText {
    private GridText() {}

    /** Prints it with columns as wide as what stands in them, and an empty line behind. */
    public static void print(Block.Grid grid, PrintStream out) {
        out.println(grid.caption());
        int[] widths = new int[grid.headings().size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = Math.max(
                    grid.headings().get(i).length(),
                    grid.rows().stream()
                            .mapToInt(row -> row.get(column).length())
                            .max()
                            .orElse(0));
        }
        line(grid.headings(), widths, out);
        grid.rows().forEach(row -> line(row, widths, out));
        out.println();
    }

    private static void line(List<String> cells, int[] widths, PrintStream out) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(String.format(Locale.ROOT, "  %" + widths[i] + "s", cells.get(i)));
        }
        out.println(line);
    }
}
