package org.hubmark.bench.kit.page;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Draws a report as Markdown. */
public final class Markdown {
    private static final Pattern LINE_ENDS = Pattern.compile("\\R+");

    /** Begins an image, a link or code, or takes the meaning of what follows. */
    private static final Pattern SPECIAL = Pattern.compile("[\\\\`]|(?<=!)\\[|(?<=])[(:]");

    private final StringBuilder out = new StringBuilder();

    private Markdown() {}

    /**
     * {@return the report}
     *
     * @param subtitle a line below the title; may be empty
     */
    public static String of(String title, String subtitle, List<Section> sections) {
        Markdown page = new Markdown();
        page.out.append("# ").append(literal(title)).append("\n");
        if (!subtitle.isEmpty()) {
            page.paragraph(literal(subtitle));
        }
        sections.forEach(page::section);
        return page.out.toString();
    }

    private void section(Section section) {
        if (section.blocks().stream().allMatch(Block::isOfPage)) {
            return;
        }
        if (section.tone() == Block.Tone.NONE) {
            paragraph("#".repeat(section.level()) + " " + literal(section.title()));
        } else {
            paragraph("**" + literal(section.title()) + "**");
        }
        section.blocks().forEach(this::block);
    }

    private void block(Block block) {
        switch (block) {
            case Block.Text text -> paragraph(literal(text.text()));
            case Block.Facts facts -> {
                out.append("\n");
                row(List.of("", ""));
                rule(2, Set.of());
                facts.facts()
                        .forEach(fact -> row(List.of(fact.name(), fact.value().text())));
            }
            case Block.Grid grid -> table(grid);
            case Block.Items items -> {
                out.append("\n");
                for (String item : items.items()) {
                    out.append(item.startsWith(" ") ? "  - " : "- ")
                            .append(literal(item.strip()))
                            .append("\n");
                }
            }
            case Block.Plots plots -> {}
            case Block.Folded folded -> {
                paragraph("**" + literal(folded.title()) + "**");
                folded.blocks().forEach(this::block);
            }
        }
    }

    private void table(Block.Grid grid) {
        if (!grid.caption().isEmpty()) {
            paragraph("**" + literal(grid.caption()) + "**");
        }
        out.append("\n");
        row(grid.headings().stream().map(Markdown::head).toList());
        rule(grid.headings().size(), grid.words());
        grid.rows().forEach(row -> row(row.stream().map(TableCell::text).toList()));
    }

    private static String head(Block.Heading heading) {
        // A unit stands in a line of its own on a page.
        return String.join(", ", heading.words(mark -> "**" + mark + "**")).replace(", (", " (");
    }

    private void paragraph(String text) {
        out.append("\n").append(text).append("\n");
    }

    private void row(List<String> cells) {
        out.append(cells.stream()
                        .map(cell -> literal(cell).replace("|", "\\|"))
                        .collect(Collectors.joining(" | ", "| ", " |")))
                .append("\n");
    }

    /** {@return text in one line in which no HTML, image, link or code begins} */
    private static String literal(String text) {
        return SPECIAL.matcher(LINE_ENDS.matcher(text).replaceAll(" "))
                .replaceAll("\\\\$0")
                .replace("<", "&lt;");
    }

    private void rule(int columns, Set<Integer> words) {
        out.append("|---|");
        for (int i = 1; i < columns; i++) {
            out.append(words.contains(i) ? "---|" : "---:|");
        }
        out.append("\n");
    }
}
