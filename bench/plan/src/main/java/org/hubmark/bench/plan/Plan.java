package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Formula.OfColumn;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A plan: what is known of its inputs, and what follows from that.
 *
 * @param name tells plans of one file apart
 * @param title what it is a plan of
 * @param inputs the numbers by key
 * @param sources where each number is from, by key
 */
record Plan(String name, String title, Repeat inputs, Map<String, Source> sources) {
    /**
     * {@return the plan of what is known; what was not said and can be assumed is assumed}
     *
     * @throws org.hubmark.core.UserError where a number is not what it can be
     */
    static Plan of(String name, String title, Collected known) {
        Repeat.Builder inputs = Repeat.counted();
        Map<String, Source> sources = new LinkedHashMap<>();
        for (Input input : PlanInputs.all()) {
            Collected.Known number = known.numbers().get(input);
            if (number != null) {
                String option = number.source().option();
                input.check(option == null ? input.key() : option, number.value());
                inputs.count(input.counter(), number.value());
                sources.put(input.key(), number.source());
            } else if (input.assumed() != null) {
                inputs.count(input.counter(), input.assumed());
                sources.put(input.key(), Source.assumed(String.valueOf(input.because())));
            }
        }
        return new Plan(name, title, inputs.made(), sources);
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
                        step.column().formula() instanceof StepFormula made
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

    /** {@return where an input is from; null where it isn't known} */
    @Nullable
    Source source(Formula input) {
        return sources.get(key(input));
    }

    /** {@return the name of an input or a step in files} */
    static String key(Formula of) {
        return switch (of) {
            case Input input -> input.key();
            case OfColumn step -> step.column().key();
            default -> throw new IllegalArgumentException(of.words());
        };
    }

    /** {@return the steps of a chapter that are known; none where its answer is not} */
    List<OfColumn> steps(PlanChapter chapter) {
        boolean hasAnswer = PlanModel.ANSWERS.stream()
                .filter(answer -> chapter.steps().contains(answer.step()))
                .allMatch(answer -> isKnown(answer.step()));
        return chapter.steps().stream()
                .filter(step -> hasAnswer && isKnown(step))
                .toList();
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

    /** {@return the answers that are known} */
    List<PlanModel.Answer> answers() {
        return PlanModel.ANSWERS.stream()
                .filter(answer -> isKnown(answer.step()))
                .toList();
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

    /** {@return the inputs and earlier steps that a step was made of} */
    List<Formula> madeOf(OfColumn step) {
        return StepFormula.inputs(step.column().formula(), inputs)
                .filter(this::isKnown)
                .toList();
    }

    /** {@return a formula and all formulas that it rests on; of one that is known those that are} */
    private Stream<Formula> restsOn(Formula of) {
        List<Formula> parts = of instanceof OfColumn step
                ? List.of(step.column().formula())
                : StepFormula.parts(of, inputs);
        return Stream.concat(
                        Stream.of(of),
                        parts.stream()
                                .filter(part -> isKnown(part) || !isKnown(of))
                                .flatMap(this::restsOn))
                .distinct();
    }

    /** {@return the inputs that a step rests on and that nobody has measured, published or given} */
    List<Input> assumptions(OfColumn step) {
        return restsOn(step)
                .filter(Input.class::isInstance)
                .map(Input.class::cast)
                .filter(input -> {
                    Source source = source(input);
                    return source != null && source.kind() == Source.Kind.ASSUMPTION;
                })
                .toList();
    }

    /** {@return the inputs that a step lacks; none of one that is known, or not applicable} */
    List<Formula> lacks(OfColumn step) {
        return restsOn(step)
                .filter(part -> part instanceof Input && !isKnown(step) && !isKnown(part))
                .toList();
    }

    /** {@return what to know of a step and of those that it rests on} */
    List<String> notes(OfColumn step) {
        return restsOn(step)
                .filter(StepFormula.class::isInstance)
                .flatMap(part -> notes((StepFormula) part))
                .distinct()
                .toList();
    }

    private Stream<String> notes(StepFormula of) {
        return switch (of.function()) {
            case LEAST, GREATEST ->
                of.parts().stream()
                        .filter(part -> part instanceof OfColumn && !isKnown(part))
                        .map(part -> "not counted: " + part.words() + " (unknown)");
            case FIRST, DOWN, UP, IF_POSITIVE -> Stream.of();
        };
    }
}
