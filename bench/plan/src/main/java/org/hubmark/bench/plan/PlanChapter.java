package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Formula.OfColumn;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Steps that belong together. They are known only in a plan that has the chapter, where its needs are
 * known. Its steps are added while the class that states them is loaded, and never later.
 */
final class PlanChapter {
    private final String key;
    private final String title;
    private final List<Formula> needs;
    private final List<OfColumn> steps = new ArrayList<>();

    /**
     * One without steps.
     *
     * @param needs inputs and curves without which it is left out
     */
    PlanChapter(String key, String title, Formula... needs) {
        this.key = key;
        this.title = title;
        this.needs = List.of(needs);
    }

    /** Adds a step; {@return it} */
    OfColumn step(String name, String unit, String label, Formula formula) {
        return answer(name, unit, label, Better.NEITHER, formula);
    }

    /** Adds a step that somebody wants to know in the end; {@return it} */
    OfColumn answer(String name, String unit, String label, Better better, Formula formula) {
        Formula condition = counter();
        for (Formula need : needs) {
            condition = condition.times(need.isKnown());
        }
        OfColumn step =
                new OfColumn(Column.of(name, unit, label, 3, better, formula.where(condition)));
        steps.add(step);
        return step;
    }

    /** {@return the formula of a step, without the condition of its chapter} */
    static Formula formula(OfColumn step) {
        return ((Formula.Operation) step.column().formula()).left();
    }

    /** {@return the heading above its steps} */
    String title() {
        return title;
    }

    /** {@return inputs and curves without which it is left out} */
    List<Formula> needs() {
        return needs;
    }

    /** {@return 1 in a plan that has it, else 0} */
    Counter counter() {
        return new Counter("chapter_" + key);
    }

    /** {@return its steps in order} */
    List<OfColumn> steps() {
        return Collections.unmodifiableList(steps);
    }
}
