package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Formula.OfColumn;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A plan: what is known of its inputs, and what follows from that. Immutable.
 *
 * @param name tells plans of one file apart
 * @param title what it is a plan of
 * @param inputs numbers and curves by key, and of each chapter whether the plan has it
 * @param sources where each number and curve is from, by key
 */
record Plan(String name, String title, Repeat inputs, Map<String, Source> sources) {
    /** Copies. */
    Plan {
        sources = Collections.unmodifiableMap(new LinkedHashMap<>(sources));
    }

    /**
     * {@return the plan of what is known; what was not said and can be assumed is assumed}
     *
     * @param chapters those that belong to it
     * @throws org.hubmark.core.UserError where a number is not what it can be
     */
    static Plan of(String name, String title, Collected known, Collection<PlanChapter> chapters) {
        Repeat.Builder inputs = Repeat.counted();
        Map<String, Source> sources = new LinkedHashMap<>();
        for (Input input : PlanInputs.all()) {
            Collected.Known number = known.numbers().get(input);
            if (number != null) {
                String option = number.source().option();
                input.bounds()
                        .check(option == null ? input.key() : option, number.value(), input.unit());
                inputs.count(input.counter(), number.value());
                sources.put(input.key(), number.source());
            } else if (input.assumed() != null) {
                inputs.count(input.counter(), input.assumed().value());
                sources.put(input.key(), Source.assumed(input.assumed().because()));
            }
        }
        Collected.Points curve = known.curve();
        if (curve != null) {
            inputs.name(PlanInputs.IO_CURVE.name(), curve.points());
            sources.put(PlanInputs.IO_CURVE.key(), curve.source());
        }
        for (PlanChapter chapter : PlanModel.CHAPTERS) {
            inputs.count(chapter.counter(), chapters.contains(chapter) ? 1 : 0);
        }
        return new Plan(name, title, inputs.made(), sources);
    }

    /** {@return a curve; one without points where it isn't known} */
    Curve curve(CurveInput of) {
        return of.of(inputs);
    }

    /** {@return a value; NaN where it isn't known} */
    double value(Formula of) {
        return of.value(inputs);
    }

    /** {@return whether a value is known} */
    boolean isKnown(Formula of) {
        return !Double.isNaN(value(of));
    }

    /** {@return the value of an input or a step, as people read it} */
    Amount amount(Formula of) {
        return switch (of) {
            case Input input -> {
                Source source = source(input);
                boolean isExact = source != null && source.kind() != Source.Kind.MEASURED;
                yield new Amount(value(input), input.unit(), isExact);
            }
            // What is rounded up is to be bought, to the last one.
            case OfColumn step ->
                new Amount(
                        value(step),
                        step.column().unit(),
                        PlanChapter.formula(step) instanceof StepFormula made
                                && made.function() == StepFormula.Function.UP);
            default -> Amount.of(value(of), "");
        };
    }

    /** {@return a step in an answer: users rounded down, as the answers are} */
    String shown(OfColumn step) {
        Amount amount = amount(step);
        return step.column().unit().equals("users")
                ? new Amount(Math.floor(amount.value()), "", amount.isExact()).number()
                : amount.number();
    }

    /** {@return what there is of what a check asks for} */
    Amount there(PlanModel.Check check) {
        return check.has() instanceof Input input
                ? amount(input)
                : Amount.of(value(check.has()), check.needs().column().unit());
    }

    /** {@return the formula of a step with the numbers that it is made of} */
    String numbers(OfColumn step) {
        return PlanChapter.formula(step).numbers(inputs);
    }

    /** {@return where an input or curve is from; null where it isn't known} */
    @Nullable
    Source source(Formula input) {
        return sources.get(key(input));
    }

    /** {@return the name of an input, a curve or a step in files} */
    static String key(Formula of) {
        return switch (of) {
            case Input input -> input.key();
            case CurveInput curve -> curve.key();
            case OfColumn step -> step.column().key();
            default -> throw new IllegalArgumentException(of.words());
        };
    }

    /** {@return the chapters that could be computed} */
    List<PlanChapter> chapters() {
        return wanted().stream()
                .filter(chapter -> chapter.needs().stream().allMatch(this::isKnown))
                .toList();
    }

    /** {@return the chapters that belong to it} */
    List<PlanChapter> wanted() {
        return PlanModel.CHAPTERS.stream()
                .filter(chapter -> value(chapter.counter()) == 1)
                .toList();
    }

    /** {@return the steps of a chapter that could be computed, whether their values are known or not} */
    List<OfColumn> steps() {
        return chapters().stream().flatMap(chapter -> chapter.steps().stream()).toList();
    }

    /** {@return the inputs of the chapters that belong to it, known or not} */
    List<Input> used() {
        // Where nothing is known, all is looked at.
        Repeat nothing = Repeat.counted().made();
        Set<Formula> all = wanted().stream()
                .flatMap(chapter -> chapter.steps().stream())
                .flatMap(step -> StepFormula.inputs(PlanChapter.formula(step), nothing).stream())
                .collect(Collectors.toSet());
        return PlanInputs.all().stream().filter(all::contains).toList();
    }

    /**
     * {@return the same with a cache that brings only so much of what was measured}
     *
     * @param share of what each figure of the pair changes by, at most 1
     */
    Plan withGain(double share) {
        Repeat.Builder changed = Repeat.counted();
        inputs.names().forEach((key, value) -> changed.name(Name.note(key, ""), value));
        inputs.counters().forEach((key, value) -> changed.count(new Counter(key), value));
        for (PlanInputs.Pair pair : PlanInputs.PAIRS) {
            double without = value(pair.without());
            changed.count(pair.with().counter(), without + share * (value(pair.with()) - without));
        }
        return new Plan(name, title, changed.made(), sources);
    }

    /** {@return the answers that are known, and made of nothing below zero} */
    List<PlanModel.Answer> answers() {
        return PlanModel.ANSWERS.stream()
                .filter(answer -> isKnown(answer.step()) && below(answer) == null)
                .toList();
    }

    /** {@return why there is no answer where something that it is made of is below zero} */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        for (PlanModel.Answer answer : PlanModel.ANSWERS) {
            OfColumn below = below(answer);
            if (below != null) {
                faults.add("no answer to " + answer.step().column().label() + ": "
                        + below.column().label() + " is below zero, "
                        + amount(below).number());
            }
        }
        return faults;
    }

    private @Nullable OfColumn below(PlanModel.Answer answer) {
        return steps().contains(answer.step()) && isKnown(answer.step())
                ? madeOf(answer.exact()).stream()
                        .filter(part -> part instanceof OfColumn && value(part) < 0)
                        .map(OfColumn.class::cast)
                        .findFirst()
                        .orElse(null)
                : null;
    }

    /** {@return the checks that are asked and of which both sides are known} */
    List<PlanModel.Check> checks() {
        return PlanModel.CHECKS.stream()
                .filter(check -> isKnown(check.has()) && isKnown(check.needs()))
                .toList();
    }

    /** {@return whether there is as much as is needed} */
    boolean isMet(PlanModel.Check check) {
        return value(check.has()) >= value(check.needs());
    }

    /** {@return the inputs, curves and earlier steps that a step was made of} */
    List<Formula> madeOf(OfColumn step) {
        return StepFormula.inputs(PlanChapter.formula(step), inputs).stream()
                .filter(this::isKnown)
                .toList();
    }

    /** {@return all inputs and curves that a step rests on} */
    private Set<Formula> restsOn(OfColumn step) {
        Set<Formula> all = new LinkedHashSet<>();
        for (Formula input : madeOf(step)) {
            all.addAll(input instanceof OfColumn earlier ? restsOn(earlier) : Set.of(input));
        }
        return all;
    }

    /** {@return the inputs that a step rests on and that nobody has measured, published or given} */
    List<Input> assumptions(OfColumn step) {
        return restsOn(step).stream()
                .filter(Input.class::isInstance)
                .map(Input.class::cast)
                .filter(input -> {
                    Source source = source(input);
                    return source != null && source.isAssumption();
                })
                .toList();
    }

    /** {@return what a step lacks; empty of one that is known} */
    List<Formula> lacks(OfColumn step) {
        if (isKnown(step)) {
            return List.of();
        }
        Set<Formula> all = new LinkedHashSet<>();
        for (Formula input : StepFormula.inputs(PlanChapter.formula(step), inputs)) {
            if (!isKnown(input)) {
                List<Formula> further =
                        input instanceof OfColumn earlier ? lacks(earlier) : List.of();
                all.addAll(further.isEmpty() ? List.of(input) : further);
            }
        }
        return List.copyOf(all);
    }

    /** {@return what to know of a step} */
    List<String> notes(OfColumn step) {
        Set<String> notes = new LinkedHashSet<>();
        if (isKnown(step)) {
            addNotes(PlanChapter.formula(step), notes);
        }
        return List.copyOf(notes);
    }

    private void addNotes(Formula formula, Set<String> notes) {
        StepFormula.parts(formula, inputs).forEach(part -> addNotes(part, notes));
        if (formula instanceof StepFormula made) {
            switch (made.function()) {
                case LEAST, GREATEST ->
                    made.parts().stream()
                            .filter(one -> !(one instanceof StepFormula) && !isKnown(one))
                            .forEach(
                                    one -> notes.add("not counted: " + one.words() + " (unknown)"));
                case MOST_WITHIN -> {
                    if (isKnown(made)) {
                        addNote(made.curve(), value(made.parts().getLast()), notes);
                    }
                }
                case FIRST, DOWN, UP, IF_POSITIVE -> {}
            }
        }
    }

    private void addNote(CurveInput input, double limit, Set<String> notes) {
        Curve curve = curve(input);
        if (curve.isBeyond(limit)) {
            notes.add("no point of " + input.label() + " is above the limit: the highest measured"
                    + " rate is taken, and more may be possible");
        } else if (curve.isBefore(limit)) {
            notes.add("every point of " + input.label() + " is above the limit, the lowest at "
                    + Amount.of(curve.lowest(), "").text() + ": no rate was shown to keep the"
                    + " limit");
        }
    }
}
