package org.hubmark.bench.plan;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gathers what was measured, published or given. One thread. */
public final class Collected {
    private final Map<Input, Known> numbers = new LinkedHashMap<>();
    private final List<String> warnings = new ArrayList<>();

    /** A number. */
    record Known(double value, Source source) {}

    /** Takes what was measured; nothing where it isn't known or can't be, as a rate of nothing can't. */
    void measured(Input input, @Nullable Double value, Source source) {
        if (value != null && input.allows(value)) {
            numbers.put(input, new Known(value, source));
        }
    }

    /** Takes what was published or given, whatever it is; nothing where it isn't known. */
    public void said(Input input, @Nullable Double value, Source source) {
        if (value != null) {
            numbers.put(input, new Known(value, source));
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
        all.warnings.addAll(warnings);
        return all;
    }

    /** {@return the numbers} */
    Map<Input, Known> numbers() {
        return numbers;
    }

    /** {@return what to know of what was measured} */
    List<String> warnings() {
        return warnings;
    }
}
