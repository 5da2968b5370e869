package org.hubmark.bench.plan;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What came out of a step.
 *
 * @param chapter its name
 * @param value null where it isn't known or not applicable
 * @param used inputs and earlier steps that it was made of, by name
 * @param unknown inputs that it lacks
 * @param assumptions inputs that were not measured, given or published, and that it rests on, by name
 * @param inputs all inputs and curves that it rests on, by name
 * @param notes what to know of it
 */
public record StepResult(
        Step step,
        String chapter,
        @Nullable Double value,
        List<String> used,
        List<String> unknown,
        List<String> assumptions,
        List<String> inputs,
        List<String> notes) {
    /** Copies. */
    public StepResult {
        used = List.copyOf(used);
        unknown = List.copyOf(unknown);
        assumptions = List.copyOf(assumptions);
        inputs = List.copyOf(inputs);
        notes = List.copyOf(notes);
    }
}
