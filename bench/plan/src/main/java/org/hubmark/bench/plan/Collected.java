package org.hubmark.bench.plan;

import org.hubmark.bench.plan.formula.Curve;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gathers what was measured. One thread. */
public final class Collected {
    private final Map<String, Values.Given> numbers = new LinkedHashMap<>();
    private final Map<String, Values.GivenCurve> curves = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    /** Takes a number; none where it isn't known or out of its bounds, as a rate of nothing is. */
    void put(String name, @Nullable Double value, Source source) {
        Input input = Model.OURS.inputs().get(name);
        if (input == null) {
            throw new IllegalArgumentException(name);
        }
        if (value != null && input.allows(value)) {
            numbers.put(name, new Values.Given(value, source));
        }
    }

    /** Takes a curve; none where it has no point. */
    void put(String name, List<Curve.Point> points, Source source) {
        if (!points.isEmpty()) {
            curves.put(name, new Values.GivenCurve(new Curve(points), source));
        }
    }

    /** Takes down what to know of it. */
    void note(String text) {
        notes.add(text);
    }

    /** {@return the numbers by name, in the order in which they were taken} */
    public Map<String, Values.Given> numbers() {
        return Collections.unmodifiableMap(numbers);
    }

    /** {@return the curves by name, likewise} */
    public Map<String, Values.GivenCurve> curves() {
        return Collections.unmodifiableMap(curves);
    }

    /** {@return what to know of them} */
    public List<String> notes() {
        return List.copyOf(notes);
    }
}
