package org.hubmark.bench.kit.page;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Draws a report as Markdown. */
public final class Markdown {
    private final StringBuilder out = new StringBuilder();

    private Markdown() {}

    /** {@return the report} */
    public static String of(String title, List<Section> sections) {
        Markdown page = new Markdown();
        page.out.append("# ").append(title).append("\n");
        sections.forEach(page::section);
        return page.out.toString();
    }

    private void section(Section section) {
        out.append("\n")
                .append("#".repeat(section.level()))
                .append(" ")
                .append(literal(section.title()))
                .append("\n");
        section.blocks().forEach(this::block);
    }

    private void block(Block block) {
        out.append("\n");
        switch (block) {
            case Block.Text text -> out.append(literal(text.text())).append("\n");
            case Block.Facts facts -> {
                row(List.of("", ""));
                rule(2, Set.of());
                facts.facts().forEach(fact -> row(List.of(fact.name(), fact.value())));
            }
            case Block.Grid grid -> {
                out.append("**").append(grid.caption()).append("**\n\n");
                row(grid.headings());
                rule(grid.headings().size(), grid.words());
                grid.rows().forEach(this::row);
            }
            case Block.Lines lines -> {
                out.append("```\n");
                lines.lines().forEach(line -> out.append(line).append("\n"));
                out.append("```\n");
            }
        }
    }

    private void row(List<String> cells) {
        out.append(cells.stream()
                        .map(cell -> literal(cell).replace("|", "\\|"))
                        .collect(Collectors.joining(" | ", "| ", " |")))
                .append("\n");
    }

    /** {@return text in which no HTML begins} */
    private static String literal(String text) {
        return text.replace("<", "&lt;");
    }

    private void rule(int columns, Set<Integer> words) {
        out.append("|---|");
        for (int i = 1; i < columns; i++) {
            out.append(words.contains(i) ? "---|" : "---:|");
        }
        out.append("\n");
    }
}
