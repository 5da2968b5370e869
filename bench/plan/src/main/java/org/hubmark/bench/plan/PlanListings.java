package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.OfColumn;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.plan.Listing.Row;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What follows from plans, as file and report have it. */
final class PlanListings {
    private static final Name CASE = new Name("case", "", true);
    private static final Name CHAPTER = new Name("chapter", "", true);
    private static final Name NAME = new Name("name", "", true);
    private static final Name KEY = Name.of("name", "NAME");
    private static final Name STEP = new Name("step", "", true);
    private static final Name LABEL = Name.note("label", "Figure");
    private static final Name INPUT_LABEL = Name.note("label", "Input");
    private static final Name VALUE = Name.note("value", "Value");
    private static final Name UNIT = Name.note("unit", "");
    private static final Name BOUNDS = Name.note("bounds", "What it can be");
    private static final Name KIND = Name.note("kind", "Is");
    private static final Name SOURCE = Name.note("source", "From");
    private static final Name COUNT = Name.note("count", "Points");
    private static final Name POINTS = Name.note("points", "");
    private static final Name FORMULA = Name.note("formula", "Made of");
    private static final Name NUMBERS = Name.note("numbers", "In numbers");
    private static final Name INPUTS = Name.note("inputs", "");
    private static final Name RESULT = Name.note("result", "Result");
    private static final Name ASSUMPTIONS = Name.note("assumptions", "");
    private static final Name ASSUMED = Name.note("assumed", "Assumed");
    private static final Name UNKNOWN = Name.note("unknown", "");
    private static final Name NOTES = Name.note("notes", "To know");
    private static final Name HAS = Name.note("has", "There");
    private static final Name NEEDS = Name.note("needs", "Needed");
    private static final Name MET = Name.note("met", "Met");
    private static final Name INFORMS = Name.note("informs", "");
    private static final Name EXACT = Name.note("exact", "");
    private static final Name PRINTED = Name.note("printed", "Printed");
    private static final Name COMPUTED = Name.note("computed", "Computed");
    private static final Name AGREES = Name.note("agrees", "Agrees");
    private static final Name BECAUSE = Name.note("because", "Why");
    private static final Name STEPS = Name.note("steps", "");
    private static final Name STEP_COUNT = Name.note("step_count", "Steps that rest on it");
    private static final Name TEXT = Name.note("text", "Chapter, and its inputs");
    private static final Name WITH = Name.note("with_cache", "With cache");
    private static final Name WITHOUT = Name.note("without_cache", "Without");
    private static final Name IMPROVEMENT = Name.note("improvement_percent", "Improvement (%)");
    private static final Name BETTER = Name.note("better", "Better");

    private PlanListings() {}

    static List<Listing> of(List<Plan> plans) {
        return List.of(
                assumptions(plans),
                listing(
                        "left_out",
                        "Left out",
                        plans,
                        plan -> plan.wanted().stream()
                                .filter(chapter -> !plan.chapters().contains(chapter))
                                .map(chapter -> leftOut(plan, chapter))),
                published(plans),
                pair(plans),
                listing(
                        "steps",
                        "Steps",
                        plans,
                        plan -> plan.chapters().stream()
                                .flatMap(chapter -> chapter.steps().stream()
                                        .map(step -> step(plan, chapter, step)))),
                inputs(plans),
                curves(plans),
                checks(plans),
                answers(plans));
    }

    private static Listing listing(
            String key, String caption, List<Plan> plans, Function<Plan, Stream<Row>> rows) {
        return new Listing(key, caption, "", plans.stream().flatMap(rows).toList());
    }

    private static Listing assumptions(List<Plan> plans) {
        return listing(
                "assumptions",
                "Assumptions: values that are not measured, published or given",
                plans,
                plan -> plan.used().stream()
                        .filter(plan::isAssumed)
                        .map(input -> assumption(plan, input))
                        .flatMap(Optional::stream));
    }

    private static Optional<Row> assumption(Plan plan, Input input) {
        Source source = plan.source(input);
        List<String> steps = plan.steps().stream()
                .filter(step -> plan.isKnown(step) && plan.assumptions(step).contains(input))
                .map(Plan::key)
                .toList();
        return source == null || steps.isEmpty()
                ? Optional.empty()
                : Optional.of(row(plan)
                        .with(NAME, input.key())
                        .with(INPUT_LABEL, input.label())
                        .with(VALUE, plan.amount(input))
                        .with(UNIT, input.unit())
                        .with(STEP_COUNT, steps.size())
                        .with(STEPS, steps)
                        .with(BECAUSE, source.where()));
    }

    private static Row leftOut(Plan plan, PlanChapter chapter) {
        String needs = chapter.needs().stream()
                .filter(need -> !plan.isKnown(need))
                .map(Formula::words)
                .collect(Collectors.joining(", "));
        return row(plan).with(TEXT, chapter.title() + ": needs " + needs);
    }

    private static Listing published(List<Plan> plans) {
        return listing(
                "published",
                "Compared with the printed figures; the source rounds some and truncates others",
                plans,
                plan -> PublishedCases.printed(plan.name()).stream()
                        .map(figure -> row(plan)
                                .with(STEP, Plan.key(figure.step()))
                                .with(LABEL, figure.step().words())
                                .with(PRINTED, printed(figure))
                                .with(COMPUTED, plan.number(figure.step()))
                                .with(AGREES, figure.agrees(plan.value(figure.step())))));
    }

    private static Amount printed(PublishedCases.Printed figure) {
        Double value = figure.value();
        return new Amount(value == null ? Double.NaN : value, "", true, "N/A");
    }

    /** The table of the source: its rows, which way is better, and by how much. */
    private static Listing pair(List<Plan> plans) {
        List<Row> rows = new ArrayList<>();
        for (Plan plan : plans) {
            for (CacheSteps.Improvement one : CacheSteps.IMPROVEMENTS) {
                boolean hasPair = plan.chapters().contains(CacheSteps.PAIR)
                        && (plan.isKnown(one.with()) || plan.isKnown(one.without()));
                if (hasPair) {
                    rows.add(row(plan)
                            .with(NAME, Plan.key(one.step()))
                            .with(LABEL, one.with().label().replace(" with cache", ""))
                            .with(WITH, plan.amount(one.with()))
                            .with(WITHOUT, plan.amount(one.without()))
                            .with(IMPROVEMENT, plan.number(one.step()))
                            .with(BETTER, one.isHigherBetter() ? "higher" : "lower"));
                }
            }
        }
        return new Listing(
                "pair",
                CacheSteps.PAIR.title(),
                "N/A: not better with the cache; for a latency often because the load is higher.",
                rows);
    }

    private static Row step(Plan plan, PlanChapter chapter, OfColumn step) {
        List<Input> assumptions = plan.assumptions(step);
        return row(plan)
                .with(CHAPTER, chapter.title())
                .with(NAME, Plan.key(step))
                .with(LABEL, step.words())
                .with(RESULT, plan.amount(step))
                .with(UNIT, step.column().unit())
                .with(FORMULA, PlanChapter.formula(step).words())
                .with(NUMBERS, plan.numbers(step))
                .with(INPUTS, inputs(plan, step))
                .with(ASSUMPTIONS, assumptions.stream().map(Input::key).toList())
                .with(ASSUMED, assumptions.stream().map(Input::label).toList())
                .with(UNKNOWN, plan.lacks(step).stream().map(Plan::key).toList())
                .with(NOTES, notes(plan, chapter.reason(step), step));
    }

    /** What a step was made of, as a file has it; a curve has no value. */
    private record StepInput(String name, @Nullable Double value, String unit, String from) {}

    private static List<StepInput> inputs(Plan plan, OfColumn step) {
        List<StepInput> all = new ArrayList<>();
        for (Formula one : plan.madeOf(step)) {
            Source source = plan.source(one);
            Amount amount = plan.amount(one);
            all.add(new StepInput(
                    Plan.key(one),
                    one instanceof CurveInput ? null : amount.known(),
                    amount.unit(),
                    source == null ? "step" : source.words()));
        }
        return all;
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

    private static Listing inputs(List<Plan> plans) {
        return listing(
                "inputs",
                "Inputs: --set NAME=VALUE changes each of them, and gives those that are unknown",
                plans,
                plan -> plan.used().stream().map(input -> {
                    Source source = plan.source(input);
                    return row(plan)
                            .with(INPUT_LABEL, input.label())
                            .with(VALUE, plan.amount(input))
                            .with(UNIT, input.unit())
                            .with(KIND, source == null ? null : source.kind())
                            .with(SOURCE, source == null ? null : source.where())
                            .with(BOUNDS, input.bounds().words(input.unit()))
                            .with(KEY, input.key());
                }));
    }

    private static Listing curves(List<Plan> plans) {
        return listing(
                "curves",
                "Curves",
                plans,
                plan -> plan.curves().stream().map(curve -> {
                    Source source = Objects.requireNonNull(plan.source(curve));
                    return row(plan)
                            .with(NAME, curve.key())
                            .with(INPUT_LABEL, curve.label())
                            .with(COUNT, plan.curve(curve).points().size())
                            .with(POINTS, plan.curve(curve))
                            .with(KIND, source.kind())
                            .with(SOURCE, source.where());
                }));
    }

    private static Listing checks(List<Plan> plans) {
        return listing(
                "checks",
                "",
                plans,
                plan -> plan.checks().stream()
                        .map(check -> row(plan)
                                .with(NAME, check.name())
                                .with(LABEL, check.label())
                                .with(HAS, plan.there(check))
                                .with(NEEDS, plan.amount(check.needs()))
                                .with(UNIT, check.needs().column().unit())
                                .with(MET, plan.isMet(check))
                                .with(INFORMS, check.informs())));
    }

    private static Listing answers(List<Plan> plans) {
        return listing(
                "answers",
                "",
                plans,
                plan -> plan.answers().stream()
                        .map(answer -> row(plan)
                                .with(NAME, Plan.key(answer.step()))
                                .with(LABEL, answer.step().words())
                                .with(VALUE, plan.amount(answer.step()))
                                .with(EXACT, plan.amount(answer.exact()))
                                .with(UNIT, answer.step().column().unit())
                                .with(
                                        ASSUMPTIONS,
                                        plan.assumptions(answer.step()).stream()
                                                .map(Input::key)
                                                .toList())));
    }

    private static Row row(Plan plan) {
        return new Row().with(CASE, plan.name());
    }
}
