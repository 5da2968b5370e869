package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.Formula.OfColumn;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.kit.page.TableCell;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The tables of a plan's report; of several plans each has a table of each kind, and a column in the steps. */
record PlanSections(Document document, List<Plan> plans) {
    /** What the source has printed where a figure is not better with the cache. */
    private static final String NOT_BETTER = "N/A";

    static List<Section> of(Document document) {
        PlanSections all = new PlanSections(document, PlanDocument.plans(document));
        List<Section> sections = new ArrayList<>();
        all.add(sections, "With and without the cache", all.pairs());
        all.add(sections, "Steps", all.steps());
        all.add(sections, "Inputs", all.inputs());
        return sections;
    }

    private void add(List<Section> sections, String title, List<Block> blocks) {
        if (!blocks.isEmpty()) {
            sections.add(new Section(2, title, blocks));
        }
    }

    /** The table of the source: its rows, by how much each is better, and what is printed of it. */
    private List<Block> pairs() {
        List<Block> blocks = new ArrayList<>();
        for (Plan plan : plans) {
            List<PublishedCases.Printed> printed = PublishedCases.printed(plan.name());
            List<List<String>> rows = new ArrayList<>();
            for (int i = 0; i < PlanInputs.PAIRS.size(); i++) {
                PlanInputs.Pair pair = PlanInputs.PAIRS.get(i);
                if (plan.chapters().contains(CacheSteps.PAIR)
                        && (plan.isKnown(pair.with()) || plan.isKnown(pair.without()))) {
                    rows.add(List.of(
                            pair.label(),
                            plan.amount(pair.with()).text(),
                            plan.amount(pair.without()).text(),
                            pair.isHigherBetter() ? "higher" : "lower",
                            computed(plan, CacheSteps.IMPROVEMENTS.get(i))));
                }
            }
            if (!rows.isEmpty()) {
                blocks.add(new Block.Grid(
                        plan.title(),
                        List.of("Figure", "With cache", "Without", "Better", "Improvement (%)"),
                        rows));
            }
            if (!printed.isEmpty()) {
                blocks.add(new Block.Grid(
                        "Compared with the printed figures; the source rounds some and truncates others",
                        List.of("Figure", "Printed", "Computed", "Agrees"),
                        printed.stream().map(figure -> printed(plan, figure)).toList()));
            }
        }
        if (!blocks.isEmpty()) {
            blocks.add(
                    new Block.Text(NOT_BETTER + ": not better with the cache; for a latency often"
                            + " because the load is higher. Without a cache, pages that are not written yet"
                            + " are read from memory too."));
        }
        return blocks;
    }

    private static String computed(Plan plan, OfColumn step) {
        return plan.isKnown(step) || !plan.lacks(step).isEmpty() ? plan.shown(step) : NOT_BETTER;
    }

    private static List<String> printed(Plan plan, PublishedCases.Printed figure) {
        Double value = figure.value();
        return List.of(
                figure.step().column().heading(),
                value == null ? NOT_BETTER : new Amount(value, "", true).text(),
                computed(plan, figure.step()),
                figure.agrees(plan.value(figure.step())) ? "yes" : "no");
    }

    /** {@return a table for each chapter, in which each result unfolds to its numbers} */
    private List<Block> steps() {
        List<Block> blocks = new ArrayList<>();
        for (PlanChapter chapter : PlanModel.CHAPTERS) {
            List<Plan> having = plans.stream()
                    .filter(plan -> plan.chapters().contains(chapter))
                    .toList();
            List<String> headings = new ArrayList<>(List.of("Step"));
            having.forEach(plan -> headings.add(having.size() > 1 ? plan.name() : "Result"));
            headings.add("Made of");
            if (!having.isEmpty()) {
                blocks.add(Block.Grid.of(
                                chapter.title(),
                                headings,
                                chapter.steps().stream()
                                        .map(step -> step(having, step))
                                        .toList())
                        .with(Set.of(headings.size() - 1)));
            }
        }
        return blocks;
    }

    private List<TableCell> step(List<Plan> having, OfColumn step) {
        List<TableCell> cells = new ArrayList<>(List.of(TableCell.text(step.words())));
        for (Plan plan : having) {
            cells.add(DocumentReport.figure(
                    document, plan.inputs(), step.column(), plan.amount(step).text()));
        }
        cells.add(TableCell.text(PlanChapter.formula(step).words()));
        return cells;
    }

    /** {@return the inputs of each plan, and where each is from} */
    private List<Block> inputs() {
        List<Block> blocks = new ArrayList<>();
        for (Plan plan : plans) {
            blocks.add(new Block.Grid(
                            plan.title()
                                    + ": --set NAME=VALUE changes each input, and gives those that are unknown",
                            List.of("Input", "Value", "Is", "From", "What it can be", "NAME"),
                            plan.used().stream()
                                    .map(input -> input(plan, input))
                                    .toList())
                    .with(Set.of(2, 3, 4, 5)));
        }
        return blocks;
    }

    private static List<String> input(Plan plan, Input input) {
        Source source = plan.source(input);
        return List.of(
                input.label(),
                plan.amount(input).text(),
                source == null ? Cells.UNKNOWN : source.kind().text(),
                source == null ? Cells.UNKNOWN : source.where(),
                input.bounds().words(input.unit()),
                input.key());
    }
}
