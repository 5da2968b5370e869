package org.hubmark.bench.plan;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gathers what was measured, published or given. One thread. */
public final class Collected {
    private final Map<Input, Known> numbers = new LinkedHashMap<>();
    private final Map<CurveInput, Points> curves = new LinkedHashMap<>();
    private final List<String> warnings = new ArrayList<>();

    /** A number. */
    record Known(double value, Source source) {}

    /** A curve. */
    record Points(Curve points, Source source) {}

    /** Takes what was measured; nothing where it isn't known or can't be, as a rate of nothing can't. */
    void measured(Input input, @Nullable Double value, Source source) {
        if (value != null && input.bounds().allows(value)) {
            numbers.put(input, new Known(value, source));
        }
    }

    /** Takes what was published or given, whatever it is; nothing where it isn't known. */
    public void said(Input input, @Nullable Double value, Source source) {
        if (value != null) {
            numbers.put(input, new Known(value, source));
        }
    }

    /** Takes a curve; none where it has no point. */
    void measured(CurveInput input, List<Curve.Point> points, Source source) {
        if (!points.isEmpty()) {
            curves.put(input, new Points(new Curve(points), source));
        }
    }

    /** Takes down what makes it say less than it seems to. */
    void warn(String text) {
        warnings.add(text);
    }

    /** {@return the same, with what was said in the place of what was measured} */
    Collected with(Collected said) {
        Collected all = new Collected();
        all.numbers.putAll(numbers);
        all.numbers.putAll(said.numbers);
        all.curves.putAll(curves);
        all.warnings.addAll(warnings);
        return all;
    }

    /** {@return the numbers} */
    Map<Input, Known> numbers() {
        return Collections.unmodifiableMap(numbers);
    }

    /** {@return the curves} */
    Map<CurveInput, Points> curves() {
        return Collections.unmodifiableMap(curves);
    }

    /** {@return what to know of what was measured} */
    List<String> warnings() {
        return List.copyOf(warnings);
    }
}
