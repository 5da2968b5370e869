package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.CurveInput;
import org.hubmark.bench.kit.document.Formula.Input;
import org.hubmark.bench.kit.document.Formula.OfColumn;
import org.hubmark.bench.kit.document.Listing;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Quantity;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What follows from plans, as file and report have it. */
final class PlanListings {
    private static final Name CASE = new Name("case", "", true);
    private static final Name CHAPTER = new Name("chapter", "", true);
    private static final Name NAME = new Name("name", "", true);
    private static final Name KEY = Name.of("name", "NAME");
    private static final Name STEP = new Name("step", "", true);
    private static final Name ANSWER = Name.note("answer", "");
    private static final Name ANSWER_LABEL = new Name("answer_label", "", true);
    private static final Name INPUT = new Name("input", "", true);
    private static final Name LABEL = Name.note("label", "Figure");
    private static final Name INPUT_LABEL = Name.note("label", "Input");
    private static final Name VALUE = Name.note("value", "Value");
    private static final Name UNIT = Name.note("unit", "");
    private static final Name BOUNDS = Name.note("bounds", "What it can be");
    private static final Name KIND = Name.note("kind", "Is");
    private static final Name SOURCE = Name.note("source", "From");
    private static final Name FROM = Name.note("from", "From");
    private static final Name COUNT = Name.note("count", "Points");
    private static final Name POINTS = Name.note("points", "");
    private static final Name FORMULA = Name.note("formula", "Made of");
    private static final Name NUMBERS = Name.note("numbers", "In numbers");
    private static final Name INPUTS = Name.note("inputs", "");
    private static final Name RESULT = Name.note("result", "Result");
    private static final Name ASSUMPTION = Name.note("assumption", "");
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
    private static final Name LOWER = Name.note("lower_percent", "10 % less");
    private static final Name HIGHER = Name.note("higher_percent", "10 % more");
    private static final Name TEXT = Name.note("text", "Chapter, and what it needs");
    private static final Name WITH = Name.note("with_cache", "With cache");
    private static final Name WITHOUT = Name.note("without_cache", "Without");
    private static final Name IMPROVEMENT = Name.note("improvement_percent", "Improvement (%)");
    private static final Name BETTER = Name.note("better", "Better");

    private PlanListings() {}

    static List<Listing> of(List<Plan> plans) {
        return List.of(
                assumptions(plans),
                leftOut(plans),
                published(plans),
                UsersTable.of(plans),
                sensitivity(plans),
                pair(plans),
                steps(plans),
                inputs(plans),
                curves(plans),
                checks(plans),
                answers(plans));
    }

    private static Listing assumptions(List<Plan> plans) {
        List<Row> rows = new ArrayList<>();
        for (Plan plan : plans) {
            for (Input input : plan.used()) {
                List<String> steps = plan.steps().stream()
                        .filter(step ->
                                plan.isKnown(step) && plan.assumptions(step).contains(input))
                        .map(Plan::key)
                        .toList();
                Source source = plan.source(input);
                if (source != null && source.isAssumption() && !steps.isEmpty()) {
                    rows.add(new Row(plan)
                            .with(NAME, input.key())
                            .with(INPUT_LABEL, input.label())
                            .with(VALUE, plan.quantity(input))
                            .with(UNIT, input.unit())
                            .with(STEP_COUNT, steps.size())
                            .with(STEPS, steps)
                            .with(BECAUSE, source.where()));
                }
            }
        }
        return listing(
                "assumptions",
                "Assumptions: nobody has measured, published or given these",
                rows,
                CASE,
                NAME,
                INPUT_LABEL,
                VALUE,
                UNIT,
                STEP_COUNT,
                STEPS,
                BECAUSE);
    }

    private static Listing leftOut(List<Plan> plans) {
        List<Row> rows = new ArrayList<>();
        for (Plan plan : plans) {
            List<Chapter> left = new ArrayList<>(plan.wanted());
            left.removeAll(plan.chapters());
            for (Chapter chapter : left) {
                String needs = chapter.needs().stream()
                        .filter(need -> !plan.isKnown(need))
                        .map(Formula::words)
                        .collect(Collectors.joining(", "));
                rows.add(new Row(plan).with(TEXT, chapter.title() + ": needs " + needs));
            }
        }
        return listing("left_out", "Left out", rows, CASE, TEXT);
    }

    private static Listing published(List<Plan> plans) {
        List<Row> rows = new ArrayList<>();
        for (Plan plan : plans) {
            for (PublishedCases.Printed figure : PublishedCases.printed(plan.name())) {
                double computed = plan.value(figure.step());
                rows.add(new Row(plan)
                        .with(STEP, Plan.key(figure.step()))
                        .with(LABEL, figure.step().words())
                        .with(PRINTED, printed(figure))
                        .with(COMPUTED, plan.number(figure.step()))
                        .with(AGREES, figure.agrees(computed)));
            }
        }
        return listing(
                "published",
                "Beside what is printed; the source rounds some figures and cuts others",
                rows,
                CASE,
                STEP,
                LABEL,
                PRINTED,
                COMPUTED,
                AGREES);
    }

    private static Quantity printed(PublishedCases.Printed figure) {
        return Quantity.exact(figure.value() == null ? Double.NaN : figure.value())
                .orElse("N/A");
    }

    private static Listing sensitivity(List<Plan> plans) {
        List<Row> rows = new ArrayList<>();
        for (Plan plan : plans) {
            for (Sensitivity one : Sensitivity.of(plan)) {
                Source source = plan.source(one.input());
                rows.add(new Row(plan)
                        .with(ANSWER, Plan.key(one.answer()))
                        .with(ANSWER_LABEL, one.answer().words())
                        .with(INPUT, Plan.key(one.input()))
                        .with(INPUT_LABEL, one.input().words())
                        .with(ASSUMPTION, plan.isAssumed(one.input()))
                        .with(LOWER, change(one.lowerPercent()))
                        .with(HIGHER, change(one.higherPercent()))
                        .with(FROM, source == null ? null : source.words()));
            }
        }
        return new Listing(
                "sensitivity",
                "What it depends on",
                "Change of the answer, before it is rounded, when one input changes by a"
                        + " tenth and the others stay; what is not here changes nothing.",
                List.of(
                        CASE,
                        ANSWER,
                        ANSWER_LABEL,
                        INPUT,
                        INPUT_LABEL,
                        ASSUMPTION,
                        LOWER,
                        HIGHER,
                        FROM),
                rows.stream().map(Row::values).toList());
    }

    private static @Nullable Quantity change(@Nullable Double percent) {
        return percent == null ? null : Quantity.of(percent, "%");
    }

    /** The table of the source: its rows, which way is better, and by how much. */
    private static Listing pair(List<Plan> plans) {
        List<Row> rows = new ArrayList<>();
        for (Plan plan : plans) {
            for (PlanModel.Improvement one : PlanModel.IMPROVEMENTS) {
                boolean hasPair = plan.chapters().contains(Chapter.PAIR)
                        && (plan.isKnown(one.with()) || plan.isKnown(one.without()));
                if (hasPair) {
                    rows.add(new Row(plan)
                            .with(NAME, Plan.key(one.step()))
                            .with(LABEL, one.with().label().replace(" with cache", ""))
                            .with(WITH, plan.quantity(one.with()))
                            .with(WITHOUT, plan.quantity(one.without()))
                            .with(IMPROVEMENT, plan.number(one.step()))
                            .with(BETTER, one.isHigherBetter() ? "higher" : "lower"));
                }
            }
        }
        return new Listing(
                "pair",
                Chapter.PAIR.title(),
                "N/A: no better with the cache, of a latency often since it bears a higher load.",
                List.of(CASE, NAME, LABEL, WITH, WITHOUT, IMPROVEMENT, BETTER),
                rows.stream().map(Row::values).toList());
    }

    private static Listing steps(List<Plan> plans) {
        List<Row> rows = new ArrayList<>();
        for (Plan plan : plans) {
            for (OfColumn step : plan.steps()) {
                List<Input> assumptions = plan.assumptions(step);
                rows.add(new Row(plan)
                        .with(CHAPTER, PlanModel.chapter(step).title())
                        .with(NAME, Plan.key(step))
                        .with(LABEL, step.words())
                        .with(RESULT, plan.quantity(step))
                        .with(UNIT, step.column().unit())
                        .with(FORMULA, Chapter.formula(step).words())
                        .with(NUMBERS, plan.numbers(step))
                        .with(INPUTS, inputs(plan, step))
                        .with(ASSUMPTIONS, assumptions.stream().map(Input::key).toList())
                        .with(ASSUMED, assumptions.stream().map(Input::label).toList())
                        .with(UNKNOWN, plan.lacks(step).stream().map(Plan::key).toList())
                        .with(NOTES, notes(plan, step)));
            }
        }
        return listing(
                "steps",
                "Steps",
                rows,
                CASE,
                CHAPTER,
                NAME,
                LABEL,
                RESULT,
                UNIT,
                FORMULA,
                NUMBERS,
                INPUTS,
                ASSUMPTIONS,
                ASSUMED,
                UNKNOWN,
                NOTES);
    }

    /** What a step was made of, as a file has it; a curve has no value. */
    private record StepInput(String name, @Nullable Double value, String unit, String from) {}

    private static List<StepInput> inputs(Plan plan, OfColumn step) {
        List<StepInput> all = new ArrayList<>();
        for (Formula one : plan.madeOf(step)) {
            Source source = plan.source(one);
            Quantity quantity = plan.quantity(one);
            all.add(new StepInput(
                    Plan.key(one),
                    one instanceof CurveInput ? null : quantity.known(),
                    quantity.unit(),
                    source == null ? "step" : source.words()));
        }
        return all;
    }

    private static List<String> notes(Plan plan, OfColumn step) {
        List<String> notes = new ArrayList<>();
        String reason = PlanModel.REASONS.get(step);
        if (reason != null) {
            notes.add(reason);
        }
        notes.addAll(plan.notes(step));
        List<Formula> lacks = plan.lacks(step);
        if (!lacks.isEmpty()) {
            notes.add("needs "
                    + lacks.stream().map(Formula::words).collect(Collectors.joining(", ")));
        } else if (!plan.isKnown(step)) {
            notes.add("not applicable, or outside of what was measured");
        }
        return notes;
    }

    private static Listing inputs(List<Plan> plans) {
        List<Row> rows = new ArrayList<>();
        for (Plan plan : plans) {
            for (Input input : plan.used()) {
                Source source = plan.source(input);
                rows.add(new Row(plan)
                        .with(KEY, input.key())
                        .with(INPUT_LABEL, input.label())
                        .with(VALUE, plan.quantity(input))
                        .with(UNIT, input.unit())
                        .with(KIND, source == null ? null : source.kind())
                        .with(SOURCE, source == null ? null : source.where())
                        .with(BOUNDS, input.range().words(input.unit())));
            }
        }
        return listing(
                "inputs",
                "Inputs: each can be another, and each that is not known can be given: --set NAME=VALUE",
                rows,
                CASE,
                INPUT_LABEL,
                VALUE,
                UNIT,
                KIND,
                SOURCE,
                BOUNDS,
                KEY);
    }

    private static Listing curves(List<Plan> plans) {
        List<Row> rows = new ArrayList<>();
        for (Plan plan : plans) {
            for (CurveInput curve : plan.curves()) {
                Source source = plan.source(curve);
                if (source != null) {
                    rows.add(new Row(plan)
                            .with(NAME, curve.key())
                            .with(INPUT_LABEL, curve.label())
                            .with(COUNT, plan.curve(curve).points().size())
                            .with(POINTS, plan.curve(curve))
                            .with(KIND, source.kind())
                            .with(SOURCE, source.where()));
                }
            }
        }
        return listing(
                "curves", "Curves", rows, CASE, NAME, INPUT_LABEL, COUNT, POINTS, KIND, SOURCE);
    }

    private static Listing checks(List<Plan> plans) {
        List<Row> rows = new ArrayList<>();
        for (Plan plan : plans) {
            for (PlanModel.Check check : plan.checks()) {
                rows.add(new Row(plan)
                        .with(NAME, check.name())
                        .with(LABEL, check.label())
                        .with(HAS, plan.there(check))
                        .with(NEEDS, plan.quantity(check.needs()))
                        .with(UNIT, check.needs().column().unit())
                        .with(MET, plan.isMet(check))
                        .with(INFORMS, check.informs()));
            }
        }
        return listing("checks", "", rows, CASE, NAME, LABEL, HAS, NEEDS, UNIT, MET, INFORMS);
    }

    private static Listing answers(List<Plan> plans) {
        List<Row> rows = new ArrayList<>();
        for (Plan plan : plans) {
            for (PlanModel.Answer answer : plan.answers()) {
                rows.add(new Row(plan)
                        .with(NAME, Plan.key(answer.step()))
                        .with(LABEL, answer.step().words())
                        .with(VALUE, plan.quantity(answer.step()))
                        .with(EXACT, plan.quantity(answer.exact()))
                        .with(UNIT, answer.step().column().unit())
                        .with(
                                ASSUMPTIONS,
                                plan.assumptions(answer.step()).stream()
                                        .map(Input::key)
                                        .toList()));
            }
        }
        return listing("answers", "", rows, CASE, NAME, LABEL, VALUE, EXACT, UNIT, ASSUMPTIONS);
    }

    private static Listing listing(String key, String caption, List<Row> rows, Name... names) {
        return new Listing(
                key, caption, "", List.of(names), rows.stream().map(Row::values).toList());
    }

    /** A row of a listing, put together. */
    private record Row(Map<Name, @Nullable Object> values) {
        private Row(Plan plan) {
            this(new HashMap<>(Collections.singletonMap(CASE, plan.name())));
        }

        private Row with(Name name, @Nullable Object value) {
            values.put(name, value);
            return this;
        }
    }
}
