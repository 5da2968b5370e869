package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Formula.OfColumn;

import java.util.List;
import java.util.Locale;

/** Steps that belong together. They are known only in a plan that has them, where their needs are known. */
enum Chapter {
    USER("What a user asks for"),
    DEMAND("What all users ask for", PlanInputs.USERS),
    HUB("What the hub does for it", PlanInputs.HUB_MSGS_PER_S),
    STORAGE("What the measured storage gives", PlanInputs.IO_CURVE),
    CAPACITY("Drives for the mailboxes", PlanInputs.DISK_GB),
    DRIVES("Drives in all"),
    WANTED(
            "A cache that is not there",
            PlanInputs.PROFILE_CURVE,
            PlanInputs.CACHE_MB_WANTED,
            PlanInputs.USERS,
            PlanInputs.IOPS_PER_USER),
    BACK("How many users what is there holds"),
    PAIR("With and without the cache", PlanInputs.ON_DB_IOPS, PlanInputs.OFF_DB_IOPS),
    DRIVES_SAVED(
            "Drives saved, in three steps",
            PlanInputs.ON_DB_IOPS,
            PlanInputs.OFF_DB_IOPS,
            PlanInputs.DRIVES,
            PlanInputs.USERS,
            PlanInputs.IOPS_PER_USER),
    MORE_USERS(
            "More users, in five steps",
            PlanInputs.ON_DB_IOPS,
            PlanInputs.OFF_DB_IOPS,
            PlanInputs.IOPS_PER_USER,
            PlanInputs.DRIVES);

    private final String title;
    private final List<Formula> needs;

    Chapter(String title, Formula... needs) {
        this.title = title;
        this.needs = List.of(needs);
    }

    /** {@return the heading above its steps} */
    String title() {
        return title;
    }

    /** {@return its name in files} */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return inputs and curves without which it is left out} */
    List<Formula> needs() {
        return needs;
    }

    /** {@return 1 in a plan that has it, else 0} */
    Counter counter() {
        return new Counter("chapter_" + key());
    }

    /** {@return a step of it} */
    OfColumn step(String key, String unit, String label, Formula formula) {
        return step(key, unit, label, Better.NEITHER, formula);
    }

    /** {@return a step of which one can say which of two values is better} */
    OfColumn step(String key, String unit, String label, Better better, Formula formula) {
        Formula condition = counter();
        for (Formula need : needs) {
            condition = condition.times(need.isKnown());
        }
        return new OfColumn(Column.of(key, unit, label, 3, better, formula.where(condition)));
    }

    /** {@return the formula of a step, without the condition of its chapter} */
    static Formula formula(OfColumn step) {
        return ((Formula.Operation) step.column().formula()).left();
    }
}
