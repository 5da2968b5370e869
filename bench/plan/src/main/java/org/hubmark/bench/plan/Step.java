package org.hubmark.bench.plan;

import org.hubmark.bench.plan.formula.Expression;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * One step of a plan.
 *
 * @param why it is done so; null where that goes without saying
 * @param answer whether it is what somebody wants to know in the end
 * @param exact the step that it is before it was rounded; null where it isn't rounded
 * @param beside steps to be told with it, of an answer
 * @param better whether higher or lower figures are better, of an improvement; else null
 */
public record Step(
        String name,
        String label,
        String unit,
        String formula,
        Expression expression,
        @Nullable String why,
        boolean answer,
        @Nullable String exact,
        List<String> beside,
        @Nullable String better) {
    /** Copies. */
    public Step {
        beside = List.copyOf(beside);
    }
}
