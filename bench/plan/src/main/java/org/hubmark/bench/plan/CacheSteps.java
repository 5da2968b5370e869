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

import org.hubmark.bench.kit.document.Column.Better;
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

    static final OfColumn EXTRA_DB_IOPS =
            PAIR.step("extra_db_iops", "I/O/s", "I/O a second more", ON_DB_IOPS.minus(OFF_DB_IOPS));

    static final PlanChapter SAVING = new PlanChapter("Drives saved, in three steps");
    static final OfColumn REMOVABLE_BY_CAPACITY = SAVING.step(
            "removable_by_capacity",
            "drives",
            "step 1, capacity: drives that can be removed while all mailboxes still fit",
            down(DRIVES.minus(DRIVES_FOR_CAPACITY_EXACT)));
    static final OfColumn DRIVE_IOPS_OFF = SAVING.step(
            "drive_iops_off", "I/O/s", "I/O a drive without cache", OFF_DB_IOPS.over(DRIVES));
    static final OfColumn DRIVE_IOPS_ON = SAVING.step(
            "drive_iops_on", "I/O/s", "I/O a drive with cache", ON_DB_IOPS.over(DRIVES));
    static final OfColumn REMOVABLE_BY_RATE_OFF = SAVING.step(
            "removable_by_rate_off",
            "drives",
            "step 2, I/O: drives that can be removed, by the rate of a drive without cache",
            EXTRA_DB_IOPS.over(DRIVE_IOPS_OFF));
    static final OfColumn REMOVABLE_BY_RATE_ON = SAVING.step(
            "removable_by_rate_on",
            "drives",
            "step 2, I/O: drives that can be removed, by the rate of a drive with cache",
            EXTRA_DB_IOPS.over(DRIVE_IOPS_ON));
    static final OfColumn REMOVABLE_BY_READS = SAVING.step(
            "removable_by_reads",
            "drives",
            "step 2, I/O: drives that can be removed, by the share of reads that the cache saves",
            DRIVES.times(new Constant(1).minus(DB_READS.without().over(DB_READS.with()))));
    static final OfColumn REMOVABLE_BY_FIGURE = SAVING.step(
            "removable_by_figure",
            "drives",
            "step 2, I/O: drives that can be removed, by a figure for a drive",
            EXTRA_DB_IOPS.over(DRIVE_IOPS_FIGURE));
    static final OfColumn REMOVABLE_ABOVE_TARGET = SAVING.step(
            "removable_above_target",
            "drives",
            "for comparison: drives that can be removed before the target is missed with cache",
            ifPositive(DRIVES.times(new Constant(1).minus(TARGET_DB_IOPS.over(ON_DB_IOPS)))));
    static final OfColumn DRIVES_SAVED_EXACT = SAVING.step(
            "drives_saved_exact",
            "drives",
            "step 3: the smaller of steps 1 and 2",
            greatest(
                            new Constant(0),
                            least(
                                    REMOVABLE_BY_CAPACITY,
                                    REMOVABLE_BY_RATE_OFF,
                                    REMOVABLE_BY_RATE_ON,
                                    REMOVABLE_BY_READS,
                                    REMOVABLE_BY_FIGURE))
                    .where(REMOVABLE_BY_RATE_OFF.isKnown()));
    static final OfColumn DRIVES_SAVED = SAVING.answer(
            "drives_saved", "drives", "drives saved", Better.MORE, down(DRIVES_SAVED_EXACT));

    static final PlanChapter ADDING = new PlanChapter("More users, in five steps");
    static final OfColumn MORE_BY_CAPACITY = ADDING.step(
            "more_by_capacity",
            "users",
            "step 1, capacity: users that the spare space holds",
            DRIVES.times(DRIVE_USABLE_GB).times(MB_PER_GB).over(MAILBOX_MB).minus(USERS));
    static final OfColumn MORE_BY_IO = ADDING.step(
            "more_by_io",
            "users",
            "step 2, I/O: users that the gain serves",
            EXTRA_DB_IOPS.over(USER_DB_IOPS));
    static final OfColumn MORE_BY_CACHE = ADDING.step(
            "more_by_cache",
            "users",
            "step 3, cache: users whose metadata it still holds",
            CACHE_MB.over(METADATA_MB_PER_USER).minus(USERS));
    static final OfColumn MORE_BY_CPU = ADDING.step(
            "more_by_cpu",
            "users",
            "step 4, CPU: users that it still serves",
            first(USERS_MEASURED, USERS)
                    .times(CPU_LIMIT_PERCENT)
                    .over(CPU_PERCENT)
                    .minus(USERS));
    static final OfColumn MORE_USERS_EXACT = ADDING.step(
            "more_users_exact",
            "users",
            "step 5: the smallest of steps 1 to 4",
            greatest(
                            new Constant(0),
                            least(MORE_BY_CAPACITY, MORE_BY_IO, MORE_BY_CACHE, MORE_BY_CPU))
                    .where(MORE_BY_IO.isKnown()));
    static final OfColumn MORE_USERS =
            ADDING.answer("more_users", "users", "more users", Better.MORE, down(MORE_USERS_EXACT));

    private CacheSteps() {}

    private static OfColumn improvement(PlanInputs.Pair pair) {
        return PAIR.step(
                "improvement_" + pair.row(),
                "%",
                "improvement of the " + pair.label(),
                ifPositive(new Constant(100).times(pair.gain()).over(pair.without())));
    }
}
