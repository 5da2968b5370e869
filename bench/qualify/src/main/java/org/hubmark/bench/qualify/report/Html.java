package org.hubmark.bench.qualify.report;

import java.util.List;

/** Draws a report as a page that needs nothing else. */
final class Html {
    private final StringBuilder out = new StringBuilder();

    private Html() {}

    static String of(String title, String style, List<Section> sections, Figures figures) {
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
        page.line(style);
        page.line("</style>");
        page.line("</head>");
        page.line("<body>");
        page.line("<header>");
        page.line("<p class=\"name\">Hubmark</p>");
        page.line("<h1>" + text(title) + "</h1>");
        page.line("</header>");
        page.line("<main>");
        sections.forEach(page::section);
        page.line(figures.html());
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
        grid.headings().forEach(heading -> line("<th scope=\"col\">" + text(heading) + "</th>"));
        line("</tr></thead>");
        line("<tbody>");
        for (List<String> row : grid.rows()) {
            line("<tr>");
            row.forEach(cell -> line("<td>" + text(cell) + "</td>"));
            line("</tr>");
        }
        line("</tbody>");
        line("</table>");
        line("</div>");
    }

    private void line(String html) {
        out.append(html).append('\n');
    }

    /** {@return a text as it can stand anywhere in a page} */
    static String text(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
