package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.OfColumn;
import org.hubmark.bench.plan.Listing.Row;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What follows from plans, as file and report have it; of several plans each has a part of each list. */
record PlanListings(List<Plan> plans) {
    /** {@return all lists, in the order of the report} */
    List<Listing> all() {
        return List.of(
                listing(
                        "left_out",
                        "Left out",
                        plan -> plan.wanted().stream()
                                .filter(chapter -> !plan.chapters().contains(chapter))
                                .map(chapter -> leftOut(plan, chapter))),
                listing(
                        "published",
                        "Compared with the printed figures; the source rounds some and truncates others",
                        plan -> PublishedCases.printed(plan.name()).stream()
                                .map(figure -> published(plan, figure))),
                pair(),
                listing(
                        "steps",
                        "Steps",
                        plan -> plan.chapters().stream()
                                .flatMap(chapter -> chapter.steps().stream()
                                        .map(step -> step(plan, chapter, step)))),
                listing(
                        "inputs",
                        "Inputs: --set NAME=VALUE changes each of them, and gives those that are unknown",
                        plan -> plan.used().stream().map(input -> input(plan, input))),
                listing(
                        "curves",
                        "Curves",
                        plan -> Stream.of(PlanInputs.IO_CURVE)
                                .filter(plan::isKnown)
                                .map(curve -> curve(plan, curve))),
                listing(
                        "checks",
                        "",
                        plan -> plan.checks().stream()
                                .map(check -> row(plan, "")
                                        .with("name", check.name())
                                        .with("label", check.label())
                                        .with("has", plan.there(check))
                                        .with("needs", plan.amount(check.needs()))
                                        .with("unit", check.needs().column().unit())
                                        .with("met", plan.isMet(check))
                                        .with("informs", check.informs()))),
                listing(
                        "answers",
                        "",
                        plan -> plan.answers().stream()
                                .map(answer -> row(plan, "")
                                        .with("name", Plan.key(answer.step()))
                                        .with("label", answer.step().words())
                                        .with("value", plan.amount(answer.step()))
                                        .with("exact", plan.amount(answer.exact()))
                                        .with("unit", answer.step().column().unit())
                                        .with(
                                                "assumptions",
                                                assumptions(plan, answer.step(), Input::key)))));
    }

    private Listing listing(String key, String caption, Function<Plan, Stream<Row>> rows) {
        return new Listing(key, caption, "", plans.stream().flatMap(rows).toList());
    }

    /** {@return a row below the name of its plan, where there are several, and a title} */
    private Row row(Plan plan, String title) {
        String part = Stream.of(plans.size() > 1 ? plan.name() : "", title)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(", "));
        return new Row(part).with("case", plan.name());
    }

    private Row leftOut(Plan plan, PlanChapter chapter) {
        String needs = chapter.needs().stream()
                .filter(need -> !plan.isKnown(need))
                .map(Formula::words)
                .collect(Collectors.joining(", "));
        return row(plan, "")
                .with("text", "Chapter, and its inputs", chapter.title() + ": needs " + needs);
    }

    private Row published(Plan plan, PublishedCases.Printed figure) {
        Double value = figure.value();
        return row(plan, "")
                .with("step", Plan.key(figure.step()))
                .with("label", "Figure", figure.step().words())
                .with(
                        "printed",
                        "Printed",
                        new Amount(value == null ? Double.NaN : value, "", true, "N/A"))
                .with("computed", "Computed", plan.number(figure.step()))
                .with("agrees", "Agrees", figure.agrees(plan.value(figure.step())));
    }

    /** The table of the source: its rows, which way is better, and by how much. */
    private Listing pair() {
        List<Row> rows = new ArrayList<>();
        for (Plan plan : plans) {
            for (int i = 0; i < PlanInputs.PAIRS.size(); i++) {
                PlanInputs.Pair pair = PlanInputs.PAIRS.get(i);
                OfColumn improvement = CacheSteps.IMPROVEMENTS.get(i);
                if (plan.chapters().contains(CacheSteps.PAIR)
                        && (plan.isKnown(pair.with()) || plan.isKnown(pair.without()))) {
                    rows.add(row(plan, "")
                            .with("name", Plan.key(improvement))
                            .with("label", "Figure", pair.label())
                            .with("with_cache", "With cache", plan.amount(pair.with()))
                            .with("without_cache", "Without", plan.amount(pair.without()))
                            .with(
                                    "improvement_percent",
                                    "Improvement (%)",
                                    plan.number(improvement))
                            .with("better", "Better", pair.isHigherBetter() ? "higher" : "lower"));
                }
            }
        }
        return new Listing(
                "pair",
                CacheSteps.PAIR.title(),
                "N/A: not better with the cache; for a latency often because the load is higher.",
                rows);
    }

    private Row step(Plan plan, PlanChapter chapter, OfColumn step) {
        return row(plan, chapter.title())
                .with("chapter", chapter.title())
                .with("name", Plan.key(step))
                .with("label", "Figure", step.words())
                .with("result", "Result", plan.amount(step))
                .with("unit", step.column().unit())
                .with("formula", "Made of", PlanChapter.formula(step).words())
                .with("numbers", "In numbers", plan.numbers(step))
                .with("inputs", inputs(plan, step))
                .with("assumptions", assumptions(plan, step, Input::key))
                .with("assumed", "Assumed", assumptions(plan, step, Input::label))
                .with("unknown", plan.lacks(step).stream().map(Plan::key).toList())
                .with("notes", "To know", notes(plan, chapter.reason(step), step));
    }

    private static List<String> assumptions(
            Plan plan, OfColumn step, Function<Input, String> text) {
        return plan.assumptions(step).stream().map(text).toList();
    }

    /** What a step was made of, as a file has it; a curve has no value. */
    private record StepInput(String name, @Nullable Double value, String unit, String from) {}

    private static List<StepInput> inputs(Plan plan, OfColumn step) {
        return plan.madeOf(step).stream()
                .map(one -> {
                    Source source = plan.source(one);
                    Amount amount = plan.amount(one);
                    return new StepInput(
                            Plan.key(one),
                            one instanceof CurveInput ? null : amount.known(),
                            amount.unit(),
                            source == null ? "step" : source.words());
                })
                .toList();
    }

    private static List<String> notes(Plan plan, String reason, OfColumn step) {
        List<String> notes = new ArrayList<>();
        if (!reason.isEmpty()) {
            notes.add(reason);
        }
        notes.addAll(plan.notes(step));
        List<Formula> lacks = plan.lacks(step);
        if (!lacks.isEmpty()) {
            notes.add("needs "
                    + lacks.stream().map(Formula::words).collect(Collectors.joining(", ")));
        } else if (!plan.isKnown(step)) {
            notes.add("not applicable, or outside of the measured range");
        }
        return notes;
    }

    private Row input(Plan plan, Input input) {
        Source source = plan.source(input);
        return row(plan, "")
                .with("label", "Input", input.label())
                .with("value", "Value", plan.amount(input))
                .with("unit", input.unit())
                .with("kind", "Is", source == null ? null : source.kind())
                .with("source", "From", source == null ? null : source.where())
                .with("bounds", "What it can be", input.bounds().words(input.unit()))
                .with("name", "NAME", input.key());
    }

    private Row curve(Plan plan, CurveInput curve) {
        Source source = Objects.requireNonNull(plan.source(curve));
        return row(plan, "")
                .with("name", curve.key())
                .with("label", "Input", curve.label())
                .with("count", "Points", plan.curve(curve).points().size())
                .with("points", plan.curve(curve))
                .with("kind", "Is", source.kind())
                .with("source", "From", source.where());
    }
}
