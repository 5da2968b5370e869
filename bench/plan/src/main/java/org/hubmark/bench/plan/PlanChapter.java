package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.OfColumn;

import java.util.ArrayList;
import java.util.List;

/**
 * Steps that belong together. They are added while the class that states them is loaded, and never later.
 *
 * @param title the heading above its steps
 * @param steps in order
 */
record PlanChapter(String title, List<OfColumn> steps) {
    PlanChapter(String title) {
        this(title, new ArrayList<>());
    }

    /** Adds a step; {@return it} */
    OfColumn step(String name, String unit, String label, Formula formula) {
        return answer(name, unit, label, Better.NEITHER, formula);
    }

    /** Adds a step that somebody wants to know in the end; {@return it} */
    OfColumn answer(String name, String unit, String label, Better better, Formula formula) {
        OfColumn step = new OfColumn(Column.of(name, unit, label, 3, better, formula));
        steps.add(step);
        return step;
    }
}
