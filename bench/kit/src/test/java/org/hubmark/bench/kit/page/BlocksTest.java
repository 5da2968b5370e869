package org.hubmark.bench.kit.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.golden.GoldenFiles.requireSame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

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

    /** What the page has beside its style and its plots. */
    @Test
    void eachDrawingHasAllOfIt() throws IOException {
        String page = Html.of("A & B", "made today", ALL);
        assertThat(page).contains("<script type=\"application/json\" id=\"charts\">");
        requireSame(
                "blocks/page.txt",
                page.replaceAll("(?s)<(style|script).*?</\\1>", "").strip());
        requireSame("blocks/report.md", Markdown.of("A", "made today", ALL));
        requireSame("blocks/report.txt", printed(out -> TerminalText.print(ALL, out)));
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
    void aDashIsMadeOfNothing() {
        assertThat(TableCell.text(Cells.UNKNOWN).with(MADE.unfolding()).unfolding())
                .isNull();
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

    /** Columns that do not fit beside a name stand below; a long name is broken where they need the room. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sata-7200/cache/suppressed | column | 1234.56 to 7890.1 | 9
            a name of a row that is longer than all that stands beside it has to be | a heading of column | 1234.56 | 5
            """)
    void aTableKeepsWithinTheWidthOfATerminal(String name, String heading, String cell, int columns)
            throws IOException {
        List<String> headings = new ArrayList<>(List.of(""));
        List<String> row = new ArrayList<>(List.of(name));
        for (int i = 1; i <= columns; i++) {
            headings.add(heading + " " + i);
            row.add(cell);
        }
        Block.Grid grid = new Block.Grid("", headings, List.of(row));
        String text = printed(out -> TerminalText.print(grid, out));
        assertThat(text.lines()).allMatch(line -> line.length() <= 118);
        requireSame("blocks/" + columns + "-columns.txt", text);
    }

    private static String printed(Consumer<PrintStream> what) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        what.accept(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
