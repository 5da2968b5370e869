package org.hubmark.bench.kit.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * Proves that each part of a report stands in each drawing of it, that figures unfold on the page, and
 * that a table keeps within the width of a terminal. Draws parts made up for the purpose.
 */
class BlocksTest {
    private static final Block.Mark UNSAFE = new Block.Mark("UNSAFE", Block.Tone.DANGER);
    private static final Block.Heading OURS =
            new Block.Heading(List.of("4 KB", "synced"), Block.Side.OURS, List.of(UNSAFE));
    private static final Block.Heading THEIRS =
            new Block.Heading(List.of("4 KB"), Block.Side.PUBLISHED, List.of());
    private static final TableCell MADE = TableCell.text("12")
            .with(new TableCell.Unfolding("a / b", List.of("24 / 2"), "<made>.json"));
    private static final Block.Grid GRID = new Block.Grid(
            "Costs & rates",
            List.of(Block.Heading.of(""), OURS, THEIRS),
            List.of(List.of(TableCell.text("Rate"), MADE, TableCell.text(Cells.UNKNOWN))),
            Set.of());
    private static final Charts.Chart CHART = new Charts.Chart(
            "rate",
            Charts.Kind.BY_SIZE,
            "Rate by size",
            "What there is to see",
            "1/s",
            List.of(),
            List.of(Charts.Series.of("ours", Charts.Style.MEASURED, List.of(List.of(4, 1)))));

    private static final List<Section> ALL = List.of(
            new Section(
                    2,
                    "Not valid",
                    List.of(new Block.Items(List.of("too <few>", "too late"))),
                    Block.Tone.PROBLEM),
            new Section(2, "In short", List.of(GRID)),
            new Section(2, "Plots", List.of(new Block.Plots(List.of(CHART)))),
            new Section(
                    2,
                    "More",
                    List.of(
                            new Block.Folded(
                                    "Details", false, List.of(new Block.Text("folded text"))),
                            new Block.Items(List.of("first", "second")))));

    @Test
    void thePageHasAllOfIt() throws IOException {
        String page = Html.of("A & B", "made today", ALL);
        assertThat(page)
                .contains("<h1>A &amp; B</h1>", "<p class=\"subtitle\">made today</p>")
                .contains("<section class=\"problem\" role=\"alert\">", "<li>too &lt;few&gt;</li>")
                .contains("<span class=\"mark danger\">UNSAFE</span>")
                .contains("<th scope=\"col\" class=\"ours\"><span class=\"origin\">this run</span>")
                .contains("<th scope=\"row\">Rate</th>")
                .contains("<span class=\"unknown\" aria-label=\"not known\">")
                .contains("id=\"plot-rate\"", "<script type=\"application/json\" id=\"charts\">")
                .contains(
                        "<details class=\"fold\">\n<summary>Details</summary>\n<p>folded text</p>")
                .contains("<ul class=\"notes\">\n<li>first</li>");
    }

    /** Each part has the names of the rows and what was published. */
    @Test
    void aTableOfManyCasesFoldsOnThePage() throws IOException {
        List<Block.Heading> heads = new ArrayList<>(List.of(Block.Heading.of("")));
        heads.addAll(Collections.nCopies(9, OURS));
        heads.add(THEIRS);
        Block.Grid many =
                new Block.Grid("Many", heads, List.of(Collections.nCopies(11, MADE)), Set.of(10));
        assertThat(many.parts(8))
                .extracting(part -> part.headings().size() + " " + part.words())
                .containsExactly("9 [8]", "4 [3]");
        assertThat(many.parts(10)).containsExactly(many);
        assertThat(Html.of("A", "", List.of(new Section(2, "B", List.of(many))))
                        .split("<table", -1))
                .hasSize(3);
    }

    @Test
    void aFigureUnfoldsOnThePage() throws IOException {
        assertThat(Html.of("A", "", ALL))
                .contains("<td class=\"ours\"><details><summary>12</summary>"
                        + "<div class=\"unfolding\"><p>a / b</p><ul><li>24 / 2</li></ul>"
                        + "<p class=\"source\">From &lt;made&gt;.json</p></div></details></td>");
        // A dash is made of nothing.
        assertThat(TableCell.text(Cells.UNKNOWN).with(MADE.unfolding()).unfolding())
                .isNull();
    }

    @Test
    void markdownHasAllButThePlots() {
        assertThat(Markdown.of("A", "made today", ALL)).isEqualTo("""
                # A

                made today

                **Not valid**

                - too &lt;few>
                - too late

                ## In short

                **Costs & rates**

                |  | this run, 4 KB, synced, **UNSAFE** | published, 4 KB |
                |---|---:|---:|
                | Rate | 12 | - |

                ## More

                **Details**

                folded text

                - first
                - second
                """);
    }

    /** The text of a server or of a results file makes no block of its own, and loads nothing. */
    @Test
    void textStaysTextInMarkdown() {
        String text = Markdown.of(
                "t",
                "",
                List.of(new Section(
                        2,
                        "a\n\n![x](http://e.example/p)",
                        List.of(new Block.Items(List.of("\\|`", "```"))))));
        assertThat(text)
                .contains("## a !\\[x]\\(http://e.example/p)\n", "- \\\\|\\`\n", "- \\`\\`\\`\n");
    }

    @Test
    void soHasATerminal() {
        assertThat(printed(ALL)).isEqualTo("""

                Not valid
                  too <few>
                  too late

                In short

                Costs & rates
                      this run  published
                          4 KB       4 KB
                        synced
                        UNSAFE
                -------------------------
                Rate        12          -

                More
                folded text
                  first
                  second
                """);
    }

    @Test
    void columnsThatDoNotFitBesideANameStandBelow() {
        String name = "sata-7200/cache/suppressed";
        List<String> headings = new ArrayList<>(List.of("Configuration"));
        List<String> row = new ArrayList<>(List.of(name));
        for (int i = 1; i <= 9; i++) {
            headings.add("column " + i);
            row.add("1234.56 to 7890.1");
        }
        List<String> lines = grid(new Block.Grid("", headings, List.of(row)));
        assertThat(lines).allMatch(line -> line.length() <= 118);
        assertThat(lines.stream().filter(line -> line.startsWith(name + " "))).hasSize(3);
        assertThat(String.join(" ", lines)).contains(headings);
        assertThat(Collections.frequency(List.of(String.join(" ", lines).split(" +")), "7890.1"))
                .isEqualTo(9);
    }

    @Test
    void aLongNameIsBrokenWhereTheColumnsNeedTheRoom() {
        String name = "a name of a row that is longer than all that stands beside it has to be";
        List<String> headings = new ArrayList<>(List.of(""));
        List<String> row = new ArrayList<>(List.of(name));
        for (int i = 1; i <= 5; i++) {
            headings.add("a heading of column " + i);
            row.add("1234.56");
        }
        List<String> lines = grid(new Block.Grid("", headings, List.of(row)));
        assertThat(lines).allMatch(line -> line.length() <= 118).hasSizeLessThan(7);
        assertThat(String.join(" ", lines).replaceAll(" +", " "))
                .contains("a name of a row", "has to be 1234.56 1234.56 1234.56 1234.56 1234.56");
    }

    private static List<String> grid(Block.Grid grid) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TerminalText.print(grid, new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static String printed(List<Section> sections) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TerminalText.print(sections, new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
