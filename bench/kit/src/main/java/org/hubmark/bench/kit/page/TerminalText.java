package org.hubmark.bench.kit.page;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Draws parts of a report on a terminal, at most 118 columns wide. Columns of a table that do not fit
 * beside are printed below, with the names of the rows again.
 */
public final class TerminalText {
    private static final int WIDTH_MAX = 118;

    /** A longer name is broken where the columns beside it need the room. */
    private static final int NAME_MIN = 40;

    /** A longer head is broken where the cells below it are not as wide. */
    private static final int HEAD_MIN = 16;

    private final PrintStream out;

    private TerminalText(PrintStream out) {
        this.out = out;
    }

    /** Prints sections, an empty line before each block of them. */
    public static void print(List<Section> sections, PrintStream out) {
        for (Section section : sections) {
            if (!section.blocks().stream().allMatch(Block::isOfPage)) {
                out.println();
                wrap("", section.title(), out);
                for (Block block : section.blocks()) {
                    if (block instanceof Block.Grid) {
                        out.println();
                    }
                    print(block, out);
                }
            }
        }
    }

    /** Prints a block; of plots nothing. */
    public static void print(Block block, PrintStream out) {
        switch (block) {
            case Block.Text text -> wrap("", text.text(), out);
            case Block.Facts facts ->
                facts.facts()
                        .forEach(fact ->
                                wrap("  ", fact.name() + ": " + fact.value().text(), out));
            case Block.Grid grid -> new TerminalText(out).grid(grid);
            case Block.Items items -> items.items().forEach(item -> wrap("  ", item, out));
            case Block.Plots plots -> {}
            case Block.Folded folded -> folded.blocks().forEach(inner -> print(inner, out));
        }
    }

    /** Prints a text broken at spaces; what follows stands below its first word. */
    public static void wrap(String lead, String text, PrintStream out) {
        String before = lead;
        for (String line : broken(text, WIDTH_MAX - lead.length())) {
            out.println((before + line).stripTrailing());
            before = " ".repeat(lead.length());
        }
    }

    private static List<String> broken(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private void grid(Block.Grid grid) {
        List<List<String>> heads = new ArrayList<>();
        int[] widths = new int[grid.headings().size()];
        for (int i = 0; i < widths.length; i++) {
            for (List<TableCell> row : grid.rows()) {
                widths[i] = Math.max(widths[i], row.get(i).text().length());
            }
            heads.add(head(grid.headings().get(i), Math.max(HEAD_MIN, widths[i])));
            for (String line : heads.get(i)) {
                widths[i] = Math.max(widths[i], line.length());
            }
        }
        int all = IntStream.of(widths).sum();
        int gaps = widths.length - 1;
        int gap = all + 2 * gaps > WIDTH_MAX && all + gaps <= WIDTH_MAX ? 1 : 2;
        int over = Math.max(0, all + gap * gaps - WIDTH_MAX);
        widths[0] = Math.max(Math.min(NAME_MIN, widths[0]), widths[0] - over);
        if (!grid.caption().isEmpty()) {
            wrap("", grid.caption(), out);
        }
        for (int next = 1; next < widths.length; ) {
            List<Integer> columns = new ArrayList<>();
            int used = widths[0];
            while (next < widths.length
                    && (columns.isEmpty() || used + gap + widths[next] <= WIDTH_MAX)) {
                used += gap + widths[next];
                columns.add(next++);
            }
            if (columns.getFirst() > 1) {
                out.println();
            }
            print(grid, heads, new Part(IntStream.of(widths).boxed().toList(), gap, columns, used));
        }
    }

    private static List<String> head(Block.Heading heading, int width) {
        return heading.words(mark -> mark).stream()
                .flatMap(one -> broken(one, width).stream())
                .toList();
    }

    /** The columns that stand beside the names of the rows at one time. */
    private record Part(List<Integer> widths, int gap, List<Integer> columns, int width) {}

    private void print(Block.Grid grid, List<List<String>> heads, Part part) {
        int lines = Stream.concat(Stream.of(0), part.columns.stream())
                .mapToInt(i -> heads.get(i).size())
                .max()
                .orElse(0);
        for (int i = 0; i < lines; i++) {
            int number = i;
            row(
                    heads.stream()
                            .map(head -> number < head.size() ? head.get(number) : "")
                            .toList(),
                    grid.words(),
                    part);
        }
        out.println("-".repeat(part.width));
        grid.rows()
                .forEach(
                        row -> row(row.stream().map(TableCell::text).toList(), grid.words(), part));
    }

    private void row(List<String> cells, Set<Integer> words, Part part) {
        int width = part.widths.getFirst();
        String name = cells.getFirst();
        // What is too long for one line goes on in a line of its own before the figures.
        for (; name.length() > width; name = "  " + rest(name, width)) {
            out.println(name.substring(0, cut(name, width)));
        }
        StringBuilder line = new StringBuilder(name).append(" ".repeat(width - name.length()));
        for (int i : part.columns) {
            String text = cells.get(i);
            String pad = " ".repeat(part.widths.get(i) - text.length());
            line.append(" ".repeat(part.gap)).append(words.contains(i) ? text + pad : pad + text);
        }
        out.println(line.toString().stripTrailing());
    }

    private static int cut(String name, int width) {
        int space = name.lastIndexOf(' ', width);
        return space > 2 ? space : width;
    }

    private static String rest(String name, int width) {
        return name.substring(cut(name, width)).strip();
    }
}
