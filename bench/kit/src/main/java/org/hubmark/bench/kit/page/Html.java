package org.hubmark.bench.kit.page;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Draws a report as a page that needs nothing else. */
public final class Html {
    /** A screen of 1366 pixels has room for so many columns beside the first. */
    private static final int COLUMNS_MAX = 9;

    /** It has room for so many cases, whose heads have several lines. */
    private static final int CASES_MAX = 8;

    /** More columns than that are set closer. */
    private static final int COLUMNS_WIDE = 8;

    private final StringBuilder out = new StringBuilder();
    private final List<Charts.Chart> charts = new ArrayList<>();

    private Html() {}

    /**
     * {@return the report}
     *
     * @param subtitle a line below the title; may be empty
     */
    public static String of(String title, String subtitle, List<Section> sections)
            throws IOException {
        Html page = new Html();
        if (!subtitle.isEmpty()) {
            page.line("<p class=\"subtitle\">" + text(subtitle) + "</p>");
        }
        sections.forEach(page::section);
        page.scripts();
        return resource("/report/page.html")
                .formatted(text(title), resource("/report/report.css"), text(title), page.out);
    }

    /** What is said first and the plot of it stand side by side, so that a screen has both. */
    private void section(Section section) {
        String heading = "h" + section.level();
        Block.Tone tone = section.tone();
        line(
                tone == Block.Tone.NONE
                        ? "<section>"
                        : "<section class=\"" + tone.style() + "\""
                                + (tone == Block.Tone.PROBLEM ? " role=\"alert\">" : ">"));
        line("<" + heading + ">" + text(section.title()) + "</" + heading + ">");
        List<Block> blocks = section.blocks();
        if (blocks.size() > 1 && blocks.getLast() instanceof Block.Plots plots) {
            line("<div class=\"beside\">\n<div>");
            blocks.subList(0, blocks.size() - 1).forEach(this::block);
            line("</div>");
            block(plots);
            line("</div>");
        } else {
            blocks.forEach(this::block);
        }
        line("</section>");
    }

    private void block(Block block) {
        switch (block) {
            case Block.Text text -> line("<p>" + text(text.text()) + "</p>");
            case Block.Facts facts -> {
                line("<dl class=\"facts\">");
                facts.facts()
                        .forEach(fact -> line("<div><dt>" + text(fact.name()) + "</dt><dd>"
                                + cell(fact.value()) + "</dd></div>"));
                line("</dl>");
            }
            case Block.Grid grid -> grid(grid);
            case Block.Items items -> {
                line("<ul class=\"notes\">");
                items.items()
                        .forEach(one -> line((one.startsWith(" ") ? "<li class=\"part\">" : "<li>")
                                + text(one.strip()) + "</li>"));
                line("</ul>");
            }
            case Block.Plots plots -> {
                if (charts.isEmpty()) {
                    line("<noscript><p>The plots need JavaScript.</p></noscript>");
                }
                line("<div class=\"plots\">");
                plots.charts().forEach(this::plot);
                line("</div>");
            }
            case Block.Folded folded -> {
                line("<details class=\"fold\"" + (folded.isOpen() ? " open>" : ">"));
                line("<summary>" + text(folded.title()) + "</summary>");
                folded.blocks().forEach(this::block);
                line("</details>");
            }
        }
    }

    /** Columns that do not fit beside stand below, with the names of the rows again. */
    private void grid(Block.Grid grid) {
        boolean ofCases =
                grid.headings().stream().anyMatch(heading -> heading.lines().size() > 1);
        grid.parts(ofCases ? CASES_MAX : COLUMNS_MAX).forEach(this::table);
    }

    private void table(Block.Grid grid) {
        String caption = text(grid.caption());
        line("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + caption
                + "\">");
        line(grid.headings().size() > COLUMNS_WIDE ? "<table class=\"many\">" : "<table>");
        line("<caption>" + caption + "</caption>");
        line("<thead><tr>");
        for (int i = 0; i < grid.headings().size(); i++) {
            Block.Heading heading = grid.headings().get(i);
            line("<th scope=\"col\"" + style(grid, i) + ">" + origin(heading.side())
                    + lines(heading.lines()) + marks(heading) + "</th>");
        }
        line("</tr></thead>");
        line("<tbody>");
        for (List<TableCell> row : grid.rows()) {
            line("<tr>");
            line("<th scope=\"row\">" + cell(row.getFirst()) + "</th>");
            for (int i = 1; i < row.size(); i++) {
                line("<td" + style(grid, i) + ">" + cell(row.get(i)) + "</td>");
            }
            line("</tr>");
        }
        line("</tbody>");
        line("</table>");
        line("</div>");
    }

    private static String style(Block.Grid grid, int column) {
        List<String> styles = new ArrayList<>();
        if (grid.words().contains(column)) {
            styles.add("words");
        }
        Block.Side side = grid.headings().get(column).side();
        if (side != Block.Side.NONE) {
            styles.add(side.style());
        }
        return styles.isEmpty() ? "" : " class=\"" + String.join(" ", styles) + "\"";
    }

    private static String origin(Block.Side side) {
        return side == Block.Side.NONE ? "" : "<span class=\"origin\">" + side.words + "</span>";
    }

    private static String lines(List<String> lines) {
        return lines.size() == 1
                ? text(lines.getFirst())
                : lines.stream()
                        .map(line -> "<span>" + text(line) + "</span>")
                        .collect(Collectors.joining());
    }

    private static String marks(Block.Heading heading) {
        return heading.marks().stream()
                .map(mark -> " <span class=\"mark " + mark.tone().style() + "\">"
                        + text(mark.text()) + "</span>")
                .collect(Collectors.joining());
    }

    private static String cell(TableCell cell) {
        TableCell.Unfolding made = cell.unfolding();
        if (!cell.isKnown()) {
            return "<span class=\"unknown\" aria-label=\"not known\">–</span>";
        }
        if (made == null) {
            return text(cell.text());
        }
        return "<details><summary>" + text(cell.text())
                + "</summary><div class=\"unfolding\"><p>" + text(made.formula()) + "</p>"
                + (made.inputs().isEmpty()
                        ? ""
                        : made.inputs().stream()
                                .map(one -> "<li>" + text(one) + "</li>")
                                .collect(Collectors.joining("", "<ul>", "</ul>")))
                + "<p class=\"source\">From " + text(made.source()) + "</p>"
                + "</div></details>";
    }

    private void plot(Charts.Chart chart) {
        charts.add(chart);
        String title = text(chart.title());
        String description = text(chart.description());
        line("<figure class=\"" + (chart.kind() == Charts.Kind.TIMELINE ? "full" : "wide")
                + "\"><figcaption>" + title
                + " <span class=\"unit\">(" + text(chart.unit()) + ")</span></figcaption>"
                + "<div class=\"plot\" id=\"plot-" + chart.id() + "\" role=\"img\" aria-label=\""
                + title + ": " + description + "\"></div>"
                + "<p class=\"description\">" + description + "</p></figure>");
    }

    private void scripts() throws IOException {
        if (charts.isEmpty()) {
            return;
        }
        line("<footer><p>Plots are drawn with Apache ECharts 6.1.0 (Apache License 2.0), contained"
                + " in this file. Nothing is loaded from anywhere.</p></footer>");
        line("<script type=\"application/json\" id=\"charts\">" + new Charts(charts).json()
                + "</script>");
        for (String script : List.of("echarts.min.js", "plots.js", "page.js")) {
            line("<script>\n" + resource("/report/" + script) + "\n</script>");
        }
    }

    /** {@return a file that comes with the program, such as {@code /report/report.css}} */
    private static String resource(String name) throws IOException {
        try (InputStream in = Html.class.getResourceAsStream(name)) {
            return new String(
                    Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void line(String html) {
        out.append(html).append('\n');
    }

    /** {@return a text as it can stand anywhere in a page} */
    private static String text(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
