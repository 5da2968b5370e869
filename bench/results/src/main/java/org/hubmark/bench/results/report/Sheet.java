package org.hubmark.bench.results.report;

import org.hubmark.bench.kit.page.Charts;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Everything that a report says, in the order in which it says it; each way of drawing takes it
 * from here.
 *
 * @param title what was measured
 * @param subtitle when, by which command and which build
 * @param publication whether it may be published; null where nobody asked
 * @param summaries the figures to read first, one each scenario of this run
 * @param overview the same and more as a table with a row for each scenario
 * @param problems why results are not valid; empty if all are
 * @param dangers what can lose acknowledged mail, and why; empty if nothing can
 * @param warnings what makes figures less certain, though they are valid; empty if nothing does
 * @param check whether the figures follow from the raw files
 * @param replay the study measured again; null where something else was measured
 * @param effects of the factors of a matrix; may have no rows
 * @param grid the rates of a matrix, sizes along, everything else down; may have no rows
 * @param studyTable the study's table, row for row, with the published columns beside
 * @param furtherTable what the study lacks
 * @param steps a row each step of a rate that changes; may have no rows
 * @param environment machine, system, JDK
 * @param volumes what each volume lies on
 * @param disclosure what else somebody has to know to repeat it; empty where nobody looked
 * @param settings everything that was in force
 * @param costModels fitted to the scenarios; may have no rows
 * @param notes the first ones are numbered from the tables
 * @param charts the plots, with their data
 */
public record Sheet(
        String title,
        String subtitle,
        @Nullable Publication publication,
        List<Summary> summaries,
        Grid overview,
        List<String> problems,
        List<String> dangers,
        List<String> warnings,
        SelfCheck check,
        @Nullable Replay replay,
        Grid effects,
        Grid grid,
        Table studyTable,
        Table furtherTable,
        Grid steps,
        List<Fact> environment,
        Grid volumes,
        List<Fact> disclosure,
        List<Fact> settings,
        Grid costModels,
        List<String> notes,
        Charts charts) {
    /** As many scenarios can be read as cards or columns; of more the overview tells. */
    private static final int COLUMNS_MAX = 12;

    /** {@return whether the scenarios are too many for a column each on a terminal or in Markdown} */
    public boolean isWide() {
        return replay != null || summaries.size() > COLUMNS_MAX;
    }

    /** {@return whether there are more scenarios than cards that one would read} */
    public boolean isMatrix() {
        return summaries.size() > COLUMNS_MAX / 2;
    }

    /**
     * Whether the rules of docs/run-rules.md were kept.
     *
     * @param form short, standard or day
     * @param broken the rules that were not, or are not known to be, each with what was found
     * @param rules a row each
     * @param hours of the day form; may have no rows
     */
    public record Publication(
            String form, boolean publishable, List<String> broken, Grid rules, Grid hours) {}

    /**
     * The result of a scenario in short.
     *
     * @param heading size and durability class
     * @param throughput messages a second: a figure, or a range where the repeats have a trend
     * @param limitedBy the limiting resource
     * @param facts three or four further figures
     * @param valid false if the result must not be used
     * @param unsafe true if acknowledged mail can be lost when the power fails
     * @param warnings what makes the figures less certain, a word or two each
     */
    public record Summary(
            String heading,
            TableCell throughput,
            TableCell limitedBy,
            List<Fact> facts,
            boolean valid,
            boolean unsafe,
            List<String> warnings) {}

    /**
     * A name and what it stands for.
     *
     * @param name what it is
     * @param value with its unit; a dash where it is not known
     */
    public record Fact(String name, TableCell value) {}

    /**
     * A plain table of texts.
     *
     * @param headings one each column
     * @param rows as many cells as headings each
     */
    public record Grid(List<String> headings, List<List<TableCell>> rows) {}
}
