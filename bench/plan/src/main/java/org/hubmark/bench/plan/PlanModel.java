package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Constant;
import org.hubmark.bench.kit.document.Formula.OfColumn;

import java.util.List;

/** All that plan computes, in its order, and what is made of it. */
final class PlanModel {
    /** A step is made of inputs and of steps that stand before it. */
    static final List<PlanChapter> CHAPTERS = List.of(
            SizingSteps.USER,
            SizingSteps.DEMAND,
            SizingSteps.CAPACITY,
            SizingSteps.ALL_DRIVES,
            SizingSteps.BACK,
            CacheSteps.PAIR,
            CacheSteps.SAVING,
            CacheSteps.ADDING);

    /** What somebody wants to know in the end. */
    static final List<Answer> ANSWERS = List.of(
            new Answer(SizingSteps.DRIVES_NEEDED, SizingSteps.DRIVES_EXACT),
            new Answer(SizingSteps.USERS_HELD, SizingSteps.USERS_HELD_EXACT),
            new Answer(CacheSteps.DRIVES_SAVED, CacheSteps.DRIVES_SAVED_EXACT),
            new Answer(CacheSteps.MORE_USERS, CacheSteps.MORE_USERS_EXACT));

    /** A plan in which one is not so is not met. */
    static final List<Check> CHECKS = List.of(
            new Check(
                    "storage",
                    "I/O a second of the measured storage",
                    PlanInputs.IOPS_AT_LIMIT.where(new Constant(1)
                            .minus(StepFormula.first(
                                            PlanInputs.DISK_IOPS,
                                            PlanInputs.DRIVES,
                                            PlanInputs.DISK_GB)
                                    .isKnown())),
                    SizingSteps.TARGET_DB_IOPS,
                    false),
            new Check("drives", "drives", PlanInputs.DRIVES, SizingSteps.DRIVES_NEEDED, false),
            new Check(
                    "target_on",
                    "I/O a second with cache",
                    PlanInputs.DB_IOPS.with(),
                    SizingSteps.TARGET_DB_IOPS,
                    true),
            new Check(
                    "target_off",
                    "I/O a second without cache",
                    PlanInputs.DB_IOPS.without(),
                    SizingSteps.TARGET_DB_IOPS,
                    true));

    private PlanModel() {}

    /**
     * What somebody wants to know in the end.
     *
     * @param exact the step that it is before it was rounded
     */
    record Answer(OfColumn step, OfColumn exact) {}

    /**
     * Something that has to be at least as large as something else.
     *
     * @param has what there is; NaN where that is not asked
     * @param informs that it fails does not make the demand one that is not met
     */
    record Check(String name, String label, Formula has, OfColumn needs, boolean informs) {}
}
