package org.hubmark.bench.kit.page;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Draws a report as a page that needs nothing else. */
public final class Html {
    /** What the style sheet of all reports does not have: the first column names, the others count. */
    private static final String NUMBERS = """
            table.numbers :is(th, td):nth-child(n + 2) { text-align: right; }
            table.numbers :is(th, td).words { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 9rem; }
            table.numbers thead th { white-space: normal; max-width: 9rem; }
            table.numbers tbody td:first-child { white-space: normal; overflow-wrap: anywhere; min-width: 9rem; max-width: 24rem; }
            table.numbers td:last-child:not(.words) { min-width: 0; }
            pre.scroll { white-space: pre-wrap; overflow-wrap: anywhere; }
            section > h3 { margin-top: 1.25rem; }
            @media print { table.numbers :is(th, td).words { min-width: 0; } }
            """;

    private final StringBuilder out = new StringBuilder();

    private Html() {}

    /** {@return the report, with its plots at the end} */
    public static String of(String title, List<Section> sections, Charts charts)
            throws IOException {
        Html page = new Html();
        sections.forEach(page::section);
        page.plots(charts);
        return around(title, NUMBERS, page.out.toString());
    }

    /**
     * {@return a page with a body of its own that looks like the reports}
     *
     * @param style rules beside those of all reports
     * @param body HTML, what stands in {@code main}
     */
    public static String around(String title, String style, String body) throws IOException {
        Html page = new Html();
        page.line("<!DOCTYPE html>");
        page.line("<html lang=\"en\">");
        page.line("<head>");
        page.line("<meta charset=\"utf-8\">");
        page.line("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
        page.line("<meta name=\"color-scheme\" content=\"light dark\">");
        page.line("<title>Hubmark: " + text(title) + "</title>");
        page.line("<link rel=\"icon\" href=\"data:,\">");
        page.line("<style>");
        page.line(resource("/report/report.css") + style);
        page.line("</style>");
        page.line("</head>");
        page.line("<body>");
        page.line("<header>");
        page.line("<p class=\"name\">Hubmark</p>");
        page.line("<h1>" + text(title) + "</h1>");
        page.line("</header>");
        page.line("<main>");
        page.out.append(body);
        page.line("</main>");
        page.line("</body>");
        page.line("</html>");
        return page.out.toString();
    }

    private void section(Section section) {
        String heading = "h" + section.level();
        line("<section>");
        line("<" + heading + ">" + text(section.title()) + "</" + heading + ">");
        section.blocks().forEach(this::block);
        line("</section>");
    }

    private void block(Block block) {
        switch (block) {
            case Block.Text text -> line("<p>" + text(text.text()) + "</p>");
            case Block.Facts facts -> {
                line("<dl class=\"facts\">");
                facts.facts()
                        .forEach(fact -> line("<div><dt>" + text(fact.name()) + "</dt><dd>"
                                + text(fact.value()) + "</dd></div>"));
                line("</dl>");
            }
            case Block.Grid grid -> grid(grid);
            case Block.Lines lines -> {
                line("<pre class=\"scroll\" tabindex=\"0\">");
                lines.lines().forEach(one -> line(text(one)));
                line("</pre>");
            }
        }
    }

    private void grid(Block.Grid grid) {
        line("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\""
                + text(grid.caption()) + "\">");
        line("<table class=\"plain numbers\">");
        line("<caption>" + text(grid.caption()) + "</caption>");
        line("<thead><tr>");
        cells("th scope=\"col\"", "th", grid.headings(), grid);
        line("</tr></thead>");
        line("<tbody>");
        for (List<String> row : grid.rows()) {
            line("<tr>");
            cells("td", "td", row, grid);
            line("</tr>");
        }
        line("</tbody>");
        line("</table>");
        line("</div>");
    }

    private void cells(String tag, String end, List<String> cells, Block.Grid grid) {
        for (int i = 0; i < cells.size(); i++) {
            String words = grid.words().contains(i) ? " class=\"words\"" : "";
            line("<" + tag + words + ">" + text(cells.get(i)) + "</" + end + ">");
        }
    }

    private void plots(Charts charts) throws IOException {
        if (charts.all().isEmpty()) {
            return;
        }
        line("<section><h2>Plots</h2><div class=\"plots\">");
        for (Charts.Chart chart : charts.all()) {
            String title = text(chart.title());
            line("<figure class=\"" + chart.width() + "\"><figcaption>" + title
                    + " <span class=\"unit\">(" + text(chart.unit()) + ")</span></figcaption>"
                    + "<div class=\"plot\" id=\"plot-" + chart.id()
                    + "\" role=\"img\" aria-label=\"" + title + "\"></div>"
                    + "<p class=\"description\">" + text(chart.description()) + "</p></figure>");
        }
        line("</div><noscript><p>The plots need JavaScript.</p></noscript></section>");
        line("<script type=\"application/json\" id=\"charts\">" + charts.json() + "</script>");
        for (String script : List.of("echarts.min.js", "plots.js", "page.js")) {
            line("<script>\n" + resource("/report/" + script) + "\n</script>");
        }
    }

    /** {@return a file that comes with the program, such as {@code /report/report.css}} */
    public static String resource(String name) throws IOException {
        try (InputStream in = Html.class.getResourceAsStream(name)) {
            return new String(
                    Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void line(String html) {
        out.append(html).append('\n');
    }

    /** {@return a text as it can stand anywhere in a page} */
    public static String text(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
