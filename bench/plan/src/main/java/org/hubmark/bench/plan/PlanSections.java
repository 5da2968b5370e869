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
import java.util.stream.Stream;

/** The tables of a plan's report; of several plans each has its own. */
record PlanSections(Document document, Plan plan) {
    /** What the source has printed where a figure is not better with the cache. */
    private static final String NOT_BETTER = "N/A";

    static List<Section> of(Document document) {
        List<PlanSections> all = PlanDocument.plans(document).stream()
                .map(plan -> new PlanSections(document, plan))
                .toList();
        return Stream.of(
                        new Section(
                                2,
                                "With and without the cache",
                                all.stream().flatMap(PlanSections::pairs).toList()),
                        new Section(
                                2,
                                "Steps",
                                all.stream().flatMap(PlanSections::steps).toList()),
                        new Section(
                                2,
                                "Inputs",
                                all.stream().map(PlanSections::inputs).toList()))
                .filter(section -> !section.blocks().isEmpty())
                .toList();
    }

    /** The table of the source: its rows, by how much each is better, and what is printed of it. */
    private Stream<Block> pairs() {
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < PlanInputs.PAIRS.size(); i++) {
            PlanInputs.Pair pair = PlanInputs.PAIRS.get(i);
            if (plan.isKnown(pair.with()) || plan.isKnown(pair.without())) {
                OfColumn improvement = CacheSteps.IMPROVEMENTS.get(i);
                rows.add(List.of(
                        pair.label(),
                        plan.amount(pair.with()).text(),
                        plan.amount(pair.without()).text(),
                        pair.isHigherBetter() ? "higher" : "lower",
                        computed(improvement)));
            }
        }
        Block.Grid pairs = new Block.Grid(
                plan.title(),
                List.of("Figure", "With cache", "Without", "Better", "Improvement (%)"),
                rows);
        Block.Grid beside = new Block.Grid(
                "Compared with the printed figures; the source rounds some and truncates others",
                List.of("Figure", "Printed", "Computed", "Agrees"),
                PublishedCases.printed(plan.name()).stream().map(this::printed).toList());
        Block.Text note = new Block.Text(NOT_BETTER + ": not better with the cache; for a latency"
                + " often because the load is higher. Without a cache, pages that are not written yet"
                + " are read from memory too.");
        return rows.isEmpty()
                ? Stream.of()
                : Stream.<Block>of(pairs, note, beside).limit(beside.rows().isEmpty() ? 2 : 3);
    }

    private String computed(OfColumn step) {
        return plan.isKnown(step) || !plan.lacks(step).isEmpty() ? plan.shown(step) : NOT_BETTER;
    }

    private List<String> printed(PublishedCases.Printed figure) {
        Double value = figure.value();
        return List.of(
                figure.step().column().heading(),
                value == null ? NOT_BETTER : new Amount(value, "", true).text(),
                computed(figure.step()),
                figure.agrees(plan.value(figure.step())) ? "yes" : "no");
    }

    /** {@return a table for each chapter, in which each result unfolds to its numbers} */
    private Stream<Block> steps() {
        return PlanModel.CHAPTERS.stream()
                .filter(chapter -> !plan.steps(chapter).isEmpty())
                .map(chapter -> Block.Grid.of(
                                (plan.name().equals(OwnPlan.NAME) ? "" : plan.name() + ": ")
                                        + chapter.title(),
                                List.of("Step", "Result", "Made of"),
                                plan.steps(chapter).stream().map(this::step).toList())
                        .with(Set.of(2)));
    }

    private List<TableCell> step(OfColumn step) {
        return List.of(
                TableCell.text(step.words()),
                DocumentReport.figure(
                        document,
                        plan.inputs(),
                        step.column(),
                        plan.amount(step).text()),
                TableCell.text(step.column().words()));
    }

    /** {@return the inputs, and where each is from} */
    private Block inputs() {
        return new Block.Grid(
                        plan.title()
                                + ": --set NAME=VALUE changes each input, and gives those that are unknown",
                        List.of("Input", "Value", "Is", "From", "What it can be", "NAME"),
                        PlanInputs.all().stream().map(this::input).toList())
                .with(Set.of(2, 3, 4, 5));
    }

    private List<String> input(Input input) {
        Source source = plan.source(input);
        return List.of(
                input.label(),
                plan.amount(input).text(),
                source == null ? Cells.UNKNOWN : source.kind().text(),
                source == null ? Cells.UNKNOWN : source.where(),
                input.range(),
                input.key());
    }
}
