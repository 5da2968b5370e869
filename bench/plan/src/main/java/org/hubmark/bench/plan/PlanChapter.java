package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.OfColumn;
import org.hubmark.bench.kit.document.YamlResource;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Steps that belong together. They are added while the class that states them is loaded, and never later.
 *
 * @param title the heading above its steps
 * @param steps in order
 */
record PlanChapter(String title, List<OfColumn> steps) {
    private static final Listed LISTED = YamlResource.read("/plan/steps.yaml", Listed.class);

    PlanChapter(String title) {
        this(title, new ArrayList<>());
    }

    private record Listed(Map<String, Words> steps) {}

    /** A step in words; an answer, which somebody wants to know in the end, says what is better. */
    private record Words(
            String unit, String label, @Nullable Better better) {}

    /** Adds a step of steps.yaml; {@return it} */
    OfColumn step(String key, Formula formula) {
        Words its = Objects.requireNonNull(LISTED.steps.get(key), key);
        Better better = its.better == null ? Better.NEITHER : its.better;
        return step(Column.of(key, its.unit, its.label, 3, better, formula));
    }

    /** Adds a step; {@return it} */
    OfColumn step(Column column) {
        OfColumn step = new OfColumn(column);
        steps.add(step);
        return step;
    }
}
