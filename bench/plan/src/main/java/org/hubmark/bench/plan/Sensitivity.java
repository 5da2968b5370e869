package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.CurveInput;
import org.hubmark.bench.kit.document.Formula.Input;
import org.hubmark.bench.kit.document.Formula.OfColumn;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
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
record Sensitivity(
        OfColumn answer,
        Formula input,
        @Nullable Double lowerPercent,
        @Nullable Double higherPercent) {
    /** The share by which an input is changed. */
    static final double CHANGE = 0.1;

    /** {@return those of all answers of a plan, for each answer the largest change first} */
    static List<Sensitivity> of(Plan plan) {
        // Not only those that an answer was made of: a smallest may become another's.
        Set<Formula> inputs = new LinkedHashSet<>();
        plan.steps().forEach(step -> inputs.addAll(plan.restsOn(step)));
        List<Sensitivity> all = new ArrayList<>();
        for (PlanModel.Answer answer : plan.answers()) {
            List<Sensitivity> its = new ArrayList<>();
            for (Formula input : inputs) {
                Sensitivity one = new Sensitivity(
                        answer.step(),
                        input,
                        change(plan, answer.exact(), input, 1 - CHANGE),
                        change(plan, answer.exact(), input, 1 + CHANGE));
                if (one.largest() > 0) {
                    its.add(one);
                }
            }
            its.sort(Comparator.comparingDouble(Sensitivity::largest)
                    .reversed()
                    .thenComparing(one -> Plan.key(one.input)));
            all.addAll(its);
        }
        return all;
    }

    /** {@return the larger of both changes} */
    double largest() {
        return Math.max(
                lowerPercent == null ? 0 : Math.abs(lowerPercent),
                higherPercent == null ? 0 : Math.abs(higherPercent));
    }

    private static @Nullable Double change(
            Plan plan, OfColumn step, Formula changed, double factor) {
        Plan other;
        if (changed instanceof CurveInput curve) {
            other = plan.scaled(curve, factor);
        } else {
            Input input = (Input) changed;
            double value = plan.value(input) * factor;
            if (!input.bounds().allows(value)) {
                return null;
            }
            other = plan.with(input, value);
        }
        double before = plan.value(step);
        double after = other.value(step);
        return before == 0 || Double.isNaN(before) || Double.isNaN(after)
                ? null
                : (Double) (100 * (after - before) / Math.abs(before));
    }
}
