package org.hubmark.bench.plan;

import static org.hubmark.bench.plan.PlanInputs.CACHE_MB;
import static org.hubmark.bench.plan.PlanInputs.CPU_LIMIT_PERCENT;
import static org.hubmark.bench.plan.PlanInputs.CPU_PERCENT;
import static org.hubmark.bench.plan.PlanInputs.DB_IOPS;
import static org.hubmark.bench.plan.PlanInputs.DB_READS;
import static org.hubmark.bench.plan.PlanInputs.DRIVES;
import static org.hubmark.bench.plan.PlanInputs.DRIVE_IOPS_FIGURE;
import static org.hubmark.bench.plan.PlanInputs.MAILBOX_MB;
import static org.hubmark.bench.plan.PlanInputs.MB_PER_GB;
import static org.hubmark.bench.plan.PlanInputs.METADATA_MB_PER_USER;
import static org.hubmark.bench.plan.PlanInputs.PAIRS;
import static org.hubmark.bench.plan.PlanInputs.USERS;
import static org.hubmark.bench.plan.PlanInputs.USERS_MEASURED;
import static org.hubmark.bench.plan.SizingSteps.DRIVES_FOR_CAPACITY_EXACT;
import static org.hubmark.bench.plan.SizingSteps.DRIVE_USABLE_GB;
import static org.hubmark.bench.plan.SizingSteps.TARGET_DB_IOPS;
import static org.hubmark.bench.plan.SizingSteps.USER_DB_IOPS;
import static org.hubmark.bench.plan.StepFormula.down;
import static org.hubmark.bench.plan.StepFormula.first;
import static org.hubmark.bench.plan.StepFormula.greatest;
import static org.hubmark.bench.plan.StepFormula.ifPositive;
import static org.hubmark.bench.plan.StepFormula.least;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Formula.Constant;
import org.hubmark.bench.kit.document.Formula.OfColumn;

import java.util.List;

/** What a read cache saves with and without which a storage was measured. */
final class CacheSteps {
    private static final Input ON_DB_IOPS = DB_IOPS.with();
    private static final Input OFF_DB_IOPS = DB_IOPS.without();
    static final PlanChapter PAIR = new PlanChapter("With and without the cache");

    /** How far a figure is better with the cache, in the order of the pairs. */
    static final List<OfColumn> IMPROVEMENTS =
            PAIRS.stream().map(CacheSteps::improvement).toList();

    static final OfColumn EXTRA_DB_IOPS = PAIR.step("extra_db_iops", ON_DB_IOPS.minus(OFF_DB_IOPS));

    static final PlanChapter SAVING = new PlanChapter("Drives saved, in three steps");
    static final OfColumn REMOVABLE_BY_CAPACITY =
            SAVING.step("removable_by_capacity", down(DRIVES.minus(DRIVES_FOR_CAPACITY_EXACT)));
    static final OfColumn DRIVE_IOPS_OFF = SAVING.step("drive_iops_off", OFF_DB_IOPS.over(DRIVES));
    static final OfColumn DRIVE_IOPS_ON = SAVING.step("drive_iops_on", ON_DB_IOPS.over(DRIVES));
    static final OfColumn REMOVABLE_BY_RATE_OFF =
            SAVING.step("removable_by_rate_off", EXTRA_DB_IOPS.over(DRIVE_IOPS_OFF));
    static final OfColumn REMOVABLE_BY_RATE_ON =
            SAVING.step("removable_by_rate_on", EXTRA_DB_IOPS.over(DRIVE_IOPS_ON));
    static final OfColumn REMOVABLE_BY_READS = SAVING.step(
            "removable_by_reads",
            DRIVES.times(new Constant(1).minus(DB_READS.without().over(DB_READS.with()))));
    static final OfColumn REMOVABLE_BY_FIGURE =
            SAVING.step("removable_by_figure", EXTRA_DB_IOPS.over(DRIVE_IOPS_FIGURE));
    static final OfColumn REMOVABLE_ABOVE_TARGET = SAVING.step(
            "removable_above_target",
            ifPositive(DRIVES.times(new Constant(1).minus(TARGET_DB_IOPS.over(ON_DB_IOPS)))));
    static final OfColumn DRIVES_SAVED_EXACT = SAVING.step(
            "drives_saved_exact",
            greatest(
                            new Constant(0),
                            least(
                                    REMOVABLE_BY_CAPACITY,
                                    REMOVABLE_BY_RATE_OFF,
                                    REMOVABLE_BY_RATE_ON,
                                    REMOVABLE_BY_READS,
                                    REMOVABLE_BY_FIGURE))
                    .where(REMOVABLE_BY_RATE_OFF.isKnown()));
    static final OfColumn DRIVES_SAVED = SAVING.step("drives_saved", down(DRIVES_SAVED_EXACT));

    static final PlanChapter ADDING = new PlanChapter("More users, in five steps");
    static final OfColumn MORE_BY_CAPACITY = ADDING.step(
            "more_by_capacity",
            DRIVES.times(DRIVE_USABLE_GB).times(MB_PER_GB).over(MAILBOX_MB).minus(USERS));
    static final OfColumn MORE_BY_IO = ADDING.step("more_by_io", EXTRA_DB_IOPS.over(USER_DB_IOPS));
    static final OfColumn MORE_BY_CACHE =
            ADDING.step("more_by_cache", CACHE_MB.over(METADATA_MB_PER_USER).minus(USERS));
    static final OfColumn MORE_BY_CPU = ADDING.step(
            "more_by_cpu",
            first(USERS_MEASURED, USERS)
                    .times(CPU_LIMIT_PERCENT)
                    .over(CPU_PERCENT)
                    .minus(USERS));
    static final OfColumn MORE_USERS_EXACT = ADDING.step(
            "more_users_exact",
            greatest(
                            new Constant(0),
                            least(MORE_BY_CAPACITY, MORE_BY_IO, MORE_BY_CACHE, MORE_BY_CPU))
                    .where(MORE_BY_IO.isKnown()));
    static final OfColumn MORE_USERS = ADDING.step("more_users", down(MORE_USERS_EXACT));

    private CacheSteps() {}

    private static OfColumn improvement(PlanInputs.Pair pair) {
        return PAIR.step(Column.of(
                "improvement_" + pair.row(),
                "%",
                "improvement of the " + pair.label(),
                3,
                Column.Better.NEITHER,
                ifPositive(new Constant(100).times(pair.gain()).over(pair.without()))));
    }
}
