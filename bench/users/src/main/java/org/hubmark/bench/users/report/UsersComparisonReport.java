package org.hubmark.bench.users.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.page.Html;
import org.hubmark.bench.kit.page.Markdown;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.users.compare.LevelFigure;
import org.hubmark.bench.users.compare.LevelPair;
import org.hubmark.bench.users.compare.Paired;
import org.hubmark.bench.users.compare.UsersComparison;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes comparison.json of two results of users, and its report. */
public final class UsersComparisonReport {
    private static final List<LevelFigure> OVERVIEW = List.of(
            LevelFigure.SCORE_MS,
            LevelFigure.SEND_P95_MS,
            LevelFigure.ARRIVAL_P95_MS,
            LevelFigure.CPU_PERCENT);

    private UsersComparisonReport() {}

    /**
     * Writes comparison.json, report.html and report.md.
     *
     * @param a as it stands in users.json
     * @param b likewise
     */
    public static void write(UsersComparison comparison, JsonNode a, JsonNode b, Path folder)
            throws IOException {
        Charts charts = Figures.of(a, b);
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(2, "Answer", answer(comparison, a, b)));
        sections.add(new Section(2, "Levels", List.of(overview(comparison), Published.points())));
        for (LevelPair pair : comparison.levels()) {
            sections.add(
                    new Section(2, Numbers.whole(pair.users()) + " users", List.of(figures(pair))));
        }
        sections.add(SourceFigures.section(charts));
        String title =
                "Two mail systems side by side, " + a.at("/profile/name").asText() + " profile";
        Files.writeString(folder.resolve("comparison.json"), comparison.json() + "\n");
        Files.writeString(folder.resolve("report.md"), Markdown.of(title, sections));
        Files.writeString(folder.resolve("report.html"), Html.of(title, sections, charts));
    }

    private static List<Block> answer(UsersComparison comparison, JsonNode a, JsonNode b) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block.Text(sentence(comparison.text())));
        blocks.add(new Block.Facts(List.of(
                new Block.Fact("A", comparison.a()),
                new Block.Fact("A's SMTP greeting", Cells.of(a.at("/target/smtp_greeting"))),
                new Block.Fact("A's IMAP greeting", Cells.of(a.at("/target/imap_greeting"))),
                new Block.Fact("B", comparison.b()),
                new Block.Fact("B's SMTP greeting", Cells.of(b.at("/target/smtp_greeting"))),
                new Block.Fact("B's IMAP greeting", Cells.of(b.at("/target/imap_greeting"))))));
        List<String> lines = new ArrayList<>(comparison.remarks());
        lines.addAll(UsersComparisonText.reasons(comparison));
        if (!lines.isEmpty()) {
            blocks.add(new Block.Lines(lines));
        }
        blocks.add(new Block.Text(
                "B holds more than A when A did not pass a level, B passed it or one of"
                        + " more users, and chance does not explain that: each of the two levels was played"
                        + " several times, and the 95 % intervals of score and sending lie on that side of"
                        + " their limits, or in each run a task or a message failed. Else the two are not told"
                        + " apart."));
        return blocks;
    }

    private static String sentence(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1) + ".";
    }

    private static Block overview(UsersComparison comparison) {
        List<String> headings = new ArrayList<>(List.of("Users", "A passes", "B passes"));
        for (LevelFigure figure : OVERVIEW) {
            headings.addAll(List.of(figure.title() + ", A", "B", "B / A"));
        }
        List<List<String>> rows = new ArrayList<>();
        for (LevelPair pair : comparison.levels()) {
            List<String> row = new ArrayList<>(List.of(
                    Numbers.whole(pair.users()),
                    ComparisonRows.passes(pair.a()),
                    ComparisonRows.passes(pair.b())));
            for (LevelFigure figure : OVERVIEW) {
                row.addAll(cells(pair.figure(figure)));
            }
            rows.add(row);
        }
        return new Block.Grid("A level that one did not play is a dash", headings, rows);
    }

    private static List<String> cells(@Nullable Paired paired) {
        return paired == null
                ? List.of(Cells.UNKNOWN, Cells.UNKNOWN, Cells.UNKNOWN)
                : List.of(
                        Numbers.known(paired.a(), 1),
                        Numbers.known(paired.b(), 1),
                        ComparisonRows.ratio(paired.ratio()));
    }

    private static Block figures(LevelPair pair) {
        List<String> headings = new ArrayList<>(List.of("Figure"));
        headings.addAll(ComparisonRows.HEADINGS);
        return new Block.Grid(
                "Ratios of the figures beside; their intervals are Welch's, of all runs",
                headings,
                ComparisonRows.of(pair, true));
    }
}
