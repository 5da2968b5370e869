package org.hubmark.bench.plan;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * How far an answer moves when one input is a tenth smaller or larger, and all others stay. Answers are
 * taken before they are rounded.
 *
 * @param answer the step
 * @param input number or curve; of a curve everything along it is changed
 * @param lowerPercent by how much the answer changes with an input smaller by a tenth; null where that
 *     input is not possible or leaves no answer
 * @param higherPercent the same with a larger one
 */
public record Sensitivity(
        String answer,
        String input,
        boolean assumption,
        @Nullable Double lowerPercent,
        @Nullable Double higherPercent) {
    private static final double CHANGE = 0.1;

    /** {@return those of all answers of a plan, for each answer the largest change first} */
    public static List<Sensitivity> of(Plan plan) {
        List<Sensitivity> all = new ArrayList<>();
        for (StepResult answer : plan.answers()) {
            String exact = answer.step().exact();
            String step = exact == null ? answer.step().name() : exact;
            List<Sensitivity> its = new ArrayList<>();
            for (String input : inputs(plan)) {
                Source source = plan.values().source(input);
                Sensitivity one = new Sensitivity(
                        answer.step().name(),
                        input,
                        source != null && source.isAssumption(),
                        change(plan, step, input, 1 - CHANGE),
                        change(plan, step, input, 1 + CHANGE));
                if (one.largest() > 0) {
                    its.add(one);
                }
            }
            its.sort(Comparator.comparingDouble(Sensitivity::largest)
                    .reversed()
                    .thenComparing(Sensitivity::input));
            all.addAll(its);
        }
        return all;
    }

    /** Not only those that an answer was made of: a smallest may become another's. */
    private static Set<String> inputs(Plan plan) {
        Set<String> names = new LinkedHashSet<>();
        plan.steps().forEach(step -> names.addAll(step.inputs()));
        return names;
    }

    /** {@return the larger of both changes} */
    public double largest() {
        return Math.max(
                lowerPercent == null ? 0 : Math.abs(lowerPercent),
                higherPercent == null ? 0 : Math.abs(higherPercent));
    }

    private static @Nullable Double change(Plan plan, String step, String input, double factor) {
        Values values = plan.values();
        Values changed;
        if (values.curves().containsKey(input)) {
            changed = values.scaled(input, factor);
        } else {
            double value = values.number(input) * factor;
            if (!Objects.requireNonNull(plan.model().inputs().get(input)).allows(value)) {
                return null;
            }
            changed = values.with(input, value);
        }
        Double before = plan.value(step);
        Double after = plan.with(changed).value(step);
        return before == null || before == 0 || after == null
                ? null
                : (Double) (100 * (after - before) / Math.abs(before));
    }
}
