package org.hubmark.bench.plan.report;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Html;
import org.hubmark.bench.kit.page.Markdown;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.plan.Chapter;
import org.hubmark.bench.plan.Input;
import org.hubmark.bench.plan.Plan;
import org.hubmark.bench.plan.PlanResults;
import org.hubmark.bench.plan.PublishedCases;
import org.hubmark.bench.plan.Sensitivity;
import org.hubmark.bench.plan.Source;
import org.hubmark.bench.plan.Step;
import org.hubmark.bench.plan.StepResult;
import org.hubmark.bench.plan.Values;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Writes report.html, report.md and what-if.html of plans. */
public final class PlanReport {
    /** Behind what rests on something that is assumed. */
    static final String ASSUMED = " (assumed)";

    private final PublishedCases.Case one;
    private final Plan plan;
    private final List<Section> sections = new ArrayList<>();

    private PlanReport(PublishedCases.Case one) {
        this.one = one;
        this.plan = one.plan();
    }

    /**
     * Writes all of them.
     *
     * @param notes what to know of the results that the plan is made of
     */
    public static void write(PlanResults results, List<String> notes, Path folder)
            throws IOException {
        List<Section> sections = new ArrayList<>();
        for (PublishedCases.Case one : results.cases()) {
            sections.addAll(new PlanReport(one).sections());
        }
        if (!notes.isEmpty()) {
            sections.add(new Section(2, "Results that it is made of", lines(notes)));
        }
        sections.add(new Section(2, "Command", lines(List.of(results.command()))));
        String title = "Plan: "
                + (results.cases().size() == 1
                        ? results.plans().getFirst().title()
                        : "published cases");
        Files.writeString(folder.resolve("report.md"), Markdown.of(title, sections));
        Files.writeString(
                folder.resolve("report.html"),
                Html.of(title, sections, PlanFigures.of(results.plans())));
        Files.writeString(folder.resolve("what-if.html"), WhatIfPage.of(title, results.plans()));
    }

    private static List<Block> lines(List<String> lines) {
        return List.of(new Block.Lines(lines));
    }

    private List<Section> sections() {
        answer();
        if (!one.printed().isEmpty()) {
            printed();
        }
        whatIf();
        sensitivity();
        for (Chapter chapter : plan.chapters()) {
            chapter(chapter);
        }
        inputs();
        return sections;
    }

    private void answer() {
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block.Lines(PlanText.of(plan)));
        List<List<String>> rows = new ArrayList<>();
        plan.values().numbers().forEach((name, given) -> {
            List<String> steps = plan.steps().stream()
                    .filter(step -> step.value() != null && step.assumptions().contains(name))
                    .map(step -> step.step().label())
                    .toList();
            if (given.source().isAssumption() && !steps.isEmpty()) {
                rows.add(List.of(
                        plan.model().label(name),
                        number(name),
                        Integer.toString(steps.size()),
                        given.source().where()));
            }
        });
        if (!rows.isEmpty()) {
            blocks.add(new Block.Grid(
                    "Assumptions: nobody has measured, published or given these",
                    List.of("Input", "Value", "Steps that rest on it", "Why"),
                    rows,
                    Set.of(0, 3)));
        }
        if (!plan.leftOut().isEmpty()) {
            plan.leftOut().forEach(left -> blocks.add(new Block.Text("Left out: " + left)));
        }
        sections.add(new Section(2, one.printed().isEmpty() ? "Answer" : plan.title(), blocks));
    }

    private String number(String name) {
        return Numbers.text(plan.values().number(name), plan.model().unit(name));
    }

    private void printed() {
        List<List<String>> rows = new ArrayList<>();
        for (PublishedCases.Printed figure : one.printed()) {
            Double computed = plan.value(figure.step());
            rows.add(List.of(
                    plan.model().label(figure.step()),
                    figure.value() == null ? "N/A" : Numbers.text(figure.value()),
                    computed == null ? "N/A" : Numbers.text(computed),
                    figure.agrees(computed) ? "yes" : "no"));
        }
        sections.add(new Section(
                3,
                "Beside what is printed",
                List.of(new Block.Grid(
                        "The source rounds some figures and cuts others",
                        List.of("Figure", "Printed", "Computed", "Agrees"),
                        rows))));
    }

    private void whatIf() {
        WhatIfTable.of(plan)
                .ifPresent(table -> sections.add(new Section(3, "What if", List.of(table))));
    }

    private void sensitivity() {
        for (StepResult answer : plan.answers()) {
            List<List<String>> rows = new ArrayList<>();
            for (Sensitivity its : Sensitivity.of(plan)) {
                if (its.answer().equals(answer.step().name())) {
                    Source source = plan.values().source(its.input());
                    rows.add(List.of(
                            plan.model().label(its.input()),
                            Numbers.change(its.lowerPercent()),
                            Numbers.change(its.higherPercent()),
                            source == null ? "" : source.words()));
                }
            }
            if (!rows.isEmpty()) {
                sections.add(new Section(
                        3,
                        "What it depends on: " + answer.step().label(),
                        List.of(new Block.Grid(
                                "Change of the answer, before it is rounded, when one input changes"
                                        + " and the others stay; what is not here changes nothing",
                                List.of("Input", "10 % less", "10 % more", "From"),
                                rows,
                                Set.of(0, 3)))));
            }
        }
    }

    private void chapter(Chapter chapter) {
        List<List<String>> rows = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        List<String> said = new ArrayList<>();
        for (StepResult result : plan.steps()) {
            if (!result.chapter().equals(chapter.name())) {
                continue;
            }
            Step step = result.step();
            if (result.value() == null && !result.unknown().isEmpty()) {
                unknown.add("Not known: " + step.label() + ", which needs "
                        + String.join(
                                ", ",
                                result.unknown().stream()
                                        .map(plan.model()::label)
                                        .toList()));
                continue;
            }
            rows.add(List.of(
                    step.label() + (result.assumptions().isEmpty() ? "" : ASSUMED),
                    result.value() == null ? "N/A" : Numbers.text(result.value(), step.unit()),
                    step.expression().words(plan.model()::label),
                    step.expression().words(name -> PlanText.inNumbers(plan, name)),
                    String.join(
                            ", ",
                            result.assumptions().stream()
                                    .map(plan.model()::label)
                                    .toList())));
            if (step.why() != null) {
                said.add(step.label() + ": " + step.why());
            }
            result.notes().forEach(note -> said.add(step.label() + ": " + note));
        }
        List<Block> blocks = new ArrayList<>();
        if (!rows.isEmpty()) {
            blocks.add(new Block.Grid(
                    "Steps",
                    List.of("Step", "Result", "Made of", "In numbers", "Assumed"),
                    rows,
                    Set.of(0, 2, 3, 4)));
        }
        said.addAll(unknown);
        said.forEach(text -> blocks.add(new Block.Text(text)));
        if (chapter.name().equals("pair")) {
            blocks.addFirst(pair());
        }
        sections.add(new Section(3, chapter.title(), blocks));
    }

    /** The table of the source: its rows, which way is better, and by how much. */
    private Block pair() {
        List<List<String>> rows = new ArrayList<>();
        for (StepResult result : plan.steps()) {
            String better = result.step().better();
            if (better == null) {
                continue;
            }
            String row = result.step().name().substring("improvement_".length());
            if (plan.values().source("on_" + row) != null
                    || plan.values().source("off_" + row) != null) {
                rows.add(List.of(
                        plan.model().label("on_" + row).replace(" with cache", ""),
                        number("on_" + row),
                        number("off_" + row),
                        result.value() == null
                                ? result.unknown().isEmpty() ? "N/A" : Numbers.text(null)
                                : Numbers.text(result.value()),
                        better));
            }
        }
        return new Block.Grid(
                "N/A: no better with the cache, of a latency often since it bears a higher load",
                List.of("Figure", "With cache", "Without", "Improvement (%)", "Better"),
                rows,
                Set.of(0, 4));
    }

    private void inputs() {
        List<List<String>> rows = new ArrayList<>();
        List<List<String>> unknown = new ArrayList<>();
        for (Input input : plan.inputs()) {
            Values.Given given = plan.values().numbers().get(input.name());
            if (given == null) {
                unknown.add(List.of(input.label(), input.bounds(), input.name()));
            } else {
                rows.add(List.of(
                        input.label(),
                        Numbers.text(given.value(), input.unit()),
                        given.source().words(),
                        input.name()));
            }
        }
        plan.values().curves().forEach((name, curve) -> {
            rows.add(List.of(
                    plan.model().label(name),
                    curve.curve().points().size() == 1
                            ? "1 point"
                            : curve.curve().points().size() + " points",
                    curve.source().words(),
                    name));
        });
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block.Grid(
                "Each number can be another: --set NAME=VALUE",
                List.of("Input", "Value", "From", "NAME"),
                rows,
                Set.of(0, 2, 3)));
        if (!unknown.isEmpty()) {
            blocks.add(new Block.Grid(
                    "Not known, and can be given in the same way",
                    List.of("Input", "What it can be", "NAME"),
                    unknown,
                    Set.of(0, 1, 2)));
        }
        sections.add(new Section(3, "Inputs", blocks));
    }
}
