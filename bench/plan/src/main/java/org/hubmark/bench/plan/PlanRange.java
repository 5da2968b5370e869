package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Amount;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Input;
import org.hubmark.bench.kit.document.Formula.OfColumn;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The least and the most that a step is when each of its inputs lies anywhere within its interval, and the
 * others stay. A step only rises or only falls with an input, so that the ends of the intervals suffice.
 *
 * @param inputs those that have an interval
 */
record PlanRange(double low, double high, List<Input> inputs) {
    /** {@return it; null where no input has an interval, or there is no value at an end of one} */
    static @Nullable PlanRange of(Plan plan, OfColumn step) {
        List<Input> inputs = inputs(plan, step);
        double[] values = ends(plan, inputs).stream()
                .mapToDouble(end -> end.value(step))
                .sorted()
                .toArray();
        return inputs.isEmpty() || Double.isNaN(values[values.length - 1])
                ? null
                : new PlanRange(values[0], values[values.length - 1], inputs);
    }

    /** {@return whether a check is met at all ends} */
    static boolean isMet(Plan plan, PlanModel.Check check) {
        List<Input> inputs = new ArrayList<>(inputs(plan, check.needs()));
        if (check.has() instanceof OfColumn has) {
            inputs(plan, has).stream()
                    .filter(input -> !inputs.contains(input))
                    .forEach(inputs::add);
        }
        return ends(plan, inputs).stream().allMatch(end -> end.isMet(check));
    }

    private static List<Input> inputs(Plan plan, OfColumn step) {
        List<Input> inputs = new ArrayList<>();
        for (Formula one : plan.restsOn(step)) {
            if (one instanceof Input input && interval(plan, input) != null) {
                inputs.add(input);
            }
        }
        return inputs;
    }

    private static @Nullable Interval interval(Plan plan, Input input) {
        Source source = plan.source(input);
        return source == null ? null : source.interval();
    }

    /** {@return plans at all ends of the intervals: one for no interval, two for one, four for two} */
    private static List<Plan> ends(Plan plan, List<Input> inputs) {
        List<Plan> ends = List.of(plan);
        for (Input input : inputs) {
            Interval interval = Objects.requireNonNull(interval(plan, input));
            List<Plan> next = new ArrayList<>();
            for (Plan end : ends) {
                next.add(end.with(input, interval.low()));
                next.add(end.with(input, interval.high()));
            }
            ends = next;
        }
        return ends;
    }

    /** {@return it as people read it} */
    String words() {
        return Amount.of(low, "").text() + " to " + Amount.of(high, "").text() + " with "
                + inputs.stream().map(Input::label).collect(Collectors.joining(", "))
                + " anywhere within the interval";
    }
}
