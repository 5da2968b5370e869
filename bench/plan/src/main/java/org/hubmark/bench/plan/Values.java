package org.hubmark.bench.plan;

import org.hubmark.bench.plan.formula.Curve;
import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a plan is made of, each with where it is from; what was not said and can be assumed is assumed.
 *
 * @param numbers by name, in the order of the model
 * @param curves by name
 */
public record Values(Map<String, Given> numbers, Map<String, GivenCurve> curves) {
    /** A number. */
    public record Given(double value, Source source) {}

    /** A curve. */
    public record GivenCurve(Curve curve, Source source) {}

    /** Copies. */
    public Values {
        numbers = Collections.unmodifiableMap(new LinkedHashMap<>(numbers));
        curves = Collections.unmodifiableMap(new LinkedHashMap<>(curves));
    }

    /**
     * {@return all of it, checked}
     *
     * @throws org.hubmark.core.UserError where a number is out of its bounds
     */
    public static Values of(
            Model model, Map<String, Given> numbers, Map<String, GivenCurve> curves) {
        Map<String, Given> all = new LinkedHashMap<>();
        for (Input input : model.inputs().values()) {
            Given given = numbers.get(input.name());
            if (given != null) {
                input.check(given.value, given.source.option());
                all.put(input.name(), given);
            } else if (input.assumed() != null) {
                String why = input.because() == null ? "" : input.because();
                all.put(input.name(), new Given(input.assumed(), Source.assumed(why)));
            }
        }
        return new Values(all, curves);
    }

    /** {@return a number; NaN where it isn't known} */
    public double number(String name) {
        Given given = numbers.get(name);
        return given == null ? Double.NaN : given.value;
    }

    /** {@return where a number or curve is from; null where it isn't known} */
    public @Nullable Source source(String name) {
        Given given = numbers.get(name);
        if (given != null) {
            return given.source;
        }
        GivenCurve curve = curves.get(name);
        return curve == null ? null : curve.source;
    }

    /** {@return the same with another number} */
    public Values with(String name, double value) {
        Map<String, Given> all = new LinkedHashMap<>(numbers);
        Source source = source(name);
        all.put(name, new Given(value, source == null ? Source.given(name) : source));
        return new Values(all, curves);
    }

    /** {@return the same with a curve of which everything along is changed by a factor} */
    public Values scaled(String name, double factor) {
        Map<String, GivenCurve> all = new LinkedHashMap<>(curves);
        all.computeIfPresent(
                name, (unused, given) -> new GivenCurve(given.curve.scaled(factor), given.source));
        return new Values(numbers, all);
    }
}
