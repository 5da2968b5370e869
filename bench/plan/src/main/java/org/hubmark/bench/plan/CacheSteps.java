package org.hubmark.bench.plan;

import static org.hubmark.bench.kit.document.Formula.first;
import static org.hubmark.bench.kit.document.Formula.greatest;
import static org.hubmark.bench.kit.document.Formula.least;
import static org.hubmark.bench.plan.PlanInputs.CACHE_MB;
import static org.hubmark.bench.plan.PlanInputs.CACHE_MB_WANTED;
import static org.hubmark.bench.plan.PlanInputs.CPU_LIMIT_PERCENT;
import static org.hubmark.bench.plan.PlanInputs.CPU_PERCENT;
import static org.hubmark.bench.plan.PlanInputs.DB_READ_PERCENT;
import static org.hubmark.bench.plan.PlanInputs.DRIVES;
import static org.hubmark.bench.plan.PlanInputs.DRIVE_IOPS_FIGURE;
import static org.hubmark.bench.plan.PlanInputs.HIT_CURVE;
import static org.hubmark.bench.plan.PlanInputs.HIT_RATIO_FLOOR;
import static org.hubmark.bench.plan.PlanInputs.HIT_RATIO_PRESENT;
import static org.hubmark.bench.plan.PlanInputs.IO_CURVE;
import static org.hubmark.bench.plan.PlanInputs.MAILBOX_MB;
import static org.hubmark.bench.plan.PlanInputs.MB_PER_GB;
import static org.hubmark.bench.plan.PlanInputs.METADATA_MB_PER_USER;
import static org.hubmark.bench.plan.PlanInputs.OFF_AVG_DB_READ_LATENCY_MS;
import static org.hubmark.bench.plan.PlanInputs.OFF_AVG_DB_WRITE_LATENCY_MS;
import static org.hubmark.bench.plan.PlanInputs.OFF_AVG_LOG_WRITE_LATENCY_MS;
import static org.hubmark.bench.plan.PlanInputs.OFF_DB_IOPS;
import static org.hubmark.bench.plan.PlanInputs.OFF_DB_READS_PER_S;
import static org.hubmark.bench.plan.PlanInputs.OFF_DB_WRITES_PER_S;
import static org.hubmark.bench.plan.PlanInputs.OFF_LOG_WRITES_PER_S;
import static org.hubmark.bench.plan.PlanInputs.OFF_TRANSACTIONS_PER_S;
import static org.hubmark.bench.plan.PlanInputs.ON_AVG_DB_READ_LATENCY_MS;
import static org.hubmark.bench.plan.PlanInputs.ON_AVG_DB_WRITE_LATENCY_MS;
import static org.hubmark.bench.plan.PlanInputs.ON_AVG_LOG_WRITE_LATENCY_MS;
import static org.hubmark.bench.plan.PlanInputs.ON_DB_IOPS;
import static org.hubmark.bench.plan.PlanInputs.ON_DB_READS_PER_S;
import static org.hubmark.bench.plan.PlanInputs.ON_DB_WRITES_PER_S;
import static org.hubmark.bench.plan.PlanInputs.ON_LOG_WRITES_PER_S;
import static org.hubmark.bench.plan.PlanInputs.ON_TRANSACTIONS_PER_S;
import static org.hubmark.bench.plan.PlanInputs.PROFILE_CURVE;
import static org.hubmark.bench.plan.PlanInputs.PROFILE_HIGH_CURVE;
import static org.hubmark.bench.plan.PlanInputs.PROFILE_LOW_CURVE;
import static org.hubmark.bench.plan.PlanInputs.RAID_WRITE_PENALTY;
import static org.hubmark.bench.plan.PlanInputs.USERS_MEASURED;
import static org.hubmark.bench.plan.SizingSteps.DRIVES_FOR_CAPACITY_EXACT;
import static org.hubmark.bench.plan.SizingSteps.DRIVES_NEEDED;
import static org.hubmark.bench.plan.SizingSteps.DRIVE_IOPS_USED;
import static org.hubmark.bench.plan.SizingSteps.DRIVE_USABLE_GB;
import static org.hubmark.bench.plan.SizingSteps.TARGET_DB_IOPS;
import static org.hubmark.bench.plan.SizingSteps.USERS_PLANNED;
import static org.hubmark.bench.plan.SizingSteps.USER_DB_IOPS;

import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula.Constant;
import org.hubmark.bench.kit.document.Formula.OfColumn;

/** What a read cache saves: one that is not there, and one with and without which a storage was measured. */
final class CacheSteps {
    static final OfColumn HIT_RATIO_WANTED = Chapter.WANTED.step(
            "hit_ratio_wanted",
            "share",
            "share of reads of data that it would have",
            PROFILE_CURVE.heightAt(CACHE_MB_WANTED));
    static final OfColumn HIT_RATIO_WANTED_LOW = Chapter.WANTED.step(
            "hit_ratio_wanted_low",
            "share",
            "the least by the error band",
            PROFILE_LOW_CURVE.heightAt(CACHE_MB_WANTED));
    static final OfColumn HIT_RATIO_WANTED_HIGH = Chapter.WANTED.step(
            "hit_ratio_wanted_high",
            "share",
            "the most by the error band",
            PROFILE_HIGH_CURVE.heightAt(CACHE_MB_WANTED));
    static final OfColumn READS_LEFT = Chapter.WANTED.step(
            "reads_left",
            "share",
            "reads of the storage that are left of the present ones",
            new Constant(1).minus(HIT_RATIO_WANTED).over(new Constant(1).minus(HIT_RATIO_PRESENT)));
    static final OfColumn READS_LEFT_MOST = Chapter.WANTED.step(
            "reads_left_most",
            "share",
            "the most by the error band",
            new Constant(1)
                    .minus(HIT_RATIO_WANTED_LOW)
                    .over(new Constant(1).minus(HIT_RATIO_PRESENT)));
    static final OfColumn WANTED_DB_IOPS = Chapter.WANTED.step(
            "wanted_db_iops",
            "I/O/s",
            "I/O a second that is asked for with it",
            TARGET_DB_IOPS.times(DB_READ_PERCENT
                    .over(100)
                    .times(READS_LEFT)
                    .plus(new Constant(1))
                    .minus(DB_READ_PERCENT.over(100))));
    static final OfColumn WANTED_LATENCY_MS = Chapter.WANTED.step(
            "wanted_latency_ms",
            "ms",
            "read latency of the storage at that",
            IO_CURVE.heightAt(WANTED_DB_IOPS));
    static final OfColumn WANTED_DRIVE_IOS = Chapter.WANTED.step(
            "wanted_drive_ios",
            "I/O/s",
            "I/O a second of all drives with it",
            TARGET_DB_IOPS.times(DB_READ_PERCENT
                    .over(100)
                    .times(READS_LEFT)
                    .plus(new Constant(1)
                            .minus(DB_READ_PERCENT.over(100))
                            .times(RAID_WRITE_PENALTY))));
    static final OfColumn WANTED_DRIVES_EXACT = Chapter.WANTED.step(
            "wanted_drives_exact",
            "drives",
            "drives needed with it before rounding",
            greatest(WANTED_DRIVE_IOS.over(DRIVE_IOPS_USED), DRIVES_FOR_CAPACITY_EXACT));
    static final OfColumn WANTED_SAVES = Chapter.WANTED.step(
            "wanted_saves",
            "drives",
            "drives that it saves",
            DRIVES_NEEDED.minus(WANTED_DRIVES_EXACT.up()));
    static final OfColumn WANTED_DRIVES = Chapter.WANTED.step(
            "wanted_drives",
            "drives",
            "drives needed with a cache that is not there",
            Better.LESS,
            WANTED_DRIVES_EXACT.up());
    static final OfColumn IMPROVEMENT_DB_IOPS = Chapter.PAIR.step(
            "improvement_db_iops",
            "%",
            "improvement of I/O a second",
            new Constant(100)
                    .times(ON_DB_IOPS.minus(OFF_DB_IOPS))
                    .over(OFF_DB_IOPS)
                    .ifPositive());
    static final OfColumn IMPROVEMENT_DB_READS_PER_S = Chapter.PAIR.step(
            "improvement_db_reads_per_s",
            "%",
            "improvement of reads a second",
            new Constant(100)
                    .times(ON_DB_READS_PER_S.minus(OFF_DB_READS_PER_S))
                    .over(OFF_DB_READS_PER_S)
                    .ifPositive());
    static final OfColumn IMPROVEMENT_DB_WRITES_PER_S = Chapter.PAIR.step(
            "improvement_db_writes_per_s",
            "%",
            "improvement of writes a second",
            new Constant(100)
                    .times(ON_DB_WRITES_PER_S.minus(OFF_DB_WRITES_PER_S))
                    .over(OFF_DB_WRITES_PER_S)
                    .ifPositive());
    static final OfColumn IMPROVEMENT_AVG_DB_READ_LATENCY_MS = Chapter.PAIR.step(
            "improvement_avg_db_read_latency_ms",
            "%",
            "improvement of the read latency",
            new Constant(100)
                    .times(OFF_AVG_DB_READ_LATENCY_MS.minus(ON_AVG_DB_READ_LATENCY_MS))
                    .over(OFF_AVG_DB_READ_LATENCY_MS)
                    .ifPositive());
    static final OfColumn IMPROVEMENT_AVG_DB_WRITE_LATENCY_MS = Chapter.PAIR.step(
            "improvement_avg_db_write_latency_ms",
            "%",
            "improvement of the write latency",
            new Constant(100)
                    .times(OFF_AVG_DB_WRITE_LATENCY_MS.minus(ON_AVG_DB_WRITE_LATENCY_MS))
                    .over(OFF_AVG_DB_WRITE_LATENCY_MS)
                    .ifPositive());
    static final OfColumn IMPROVEMENT_LOG_WRITES_PER_S = Chapter.PAIR.step(
            "improvement_log_writes_per_s",
            "%",
            "improvement of log writes a second",
            new Constant(100)
                    .times(ON_LOG_WRITES_PER_S.minus(OFF_LOG_WRITES_PER_S))
                    .over(OFF_LOG_WRITES_PER_S)
                    .ifPositive());
    static final OfColumn IMPROVEMENT_AVG_LOG_WRITE_LATENCY_MS = Chapter.PAIR.step(
            "improvement_avg_log_write_latency_ms",
            "%",
            "improvement of the log write latency",
            new Constant(100)
                    .times(OFF_AVG_LOG_WRITE_LATENCY_MS.minus(ON_AVG_LOG_WRITE_LATENCY_MS))
                    .over(OFF_AVG_LOG_WRITE_LATENCY_MS)
                    .ifPositive());
    static final OfColumn IMPROVEMENT_TRANSACTIONS_PER_S = Chapter.PAIR.step(
            "improvement_transactions_per_s",
            "%",
            "improvement of transactions a second",
            new Constant(100)
                    .times(ON_TRANSACTIONS_PER_S.minus(OFF_TRANSACTIONS_PER_S))
                    .over(OFF_TRANSACTIONS_PER_S)
                    .ifPositive());
    static final OfColumn EXTRA_DB_IOPS = Chapter.PAIR.step(
            "extra_db_iops", "I/O/s", "I/O a second more", ON_DB_IOPS.minus(OFF_DB_IOPS));
    static final OfColumn REMOVABLE_BY_CAPACITY = Chapter.DRIVES_SAVED.step(
            "removable_by_capacity",
            "drives",
            "step 1, capacity: drives that can go while all mailboxes still fit",
            DRIVES.minus(DRIVES_FOR_CAPACITY_EXACT).down());
    static final OfColumn DRIVE_IOPS_OFF = Chapter.DRIVES_SAVED.step(
            "drive_iops_off", "I/O/s", "I/O a drive without cache", OFF_DB_IOPS.over(DRIVES));
    static final OfColumn DRIVE_IOPS_ON = Chapter.DRIVES_SAVED.step(
            "drive_iops_on", "I/O/s", "I/O a drive with cache", ON_DB_IOPS.over(DRIVES));
    static final OfColumn REMOVABLE_BY_RATE_OFF = Chapter.DRIVES_SAVED.step(
            "removable_by_rate_off",
            "drives",
            "step 2, I/O: drives that can go by the rate of a drive without cache",
            EXTRA_DB_IOPS.over(DRIVE_IOPS_OFF));
    static final OfColumn REMOVABLE_BY_RATE_ON = Chapter.DRIVES_SAVED.step(
            "removable_by_rate_on",
            "drives",
            "step 2, I/O: drives that can go by the rate of a drive with cache",
            EXTRA_DB_IOPS.over(DRIVE_IOPS_ON));
    static final OfColumn REMOVABLE_BY_READS = Chapter.DRIVES_SAVED.step(
            "removable_by_reads",
            "drives",
            "step 2, I/O: drives that can go by the share of reads that the cache saves",
            DRIVES.times(new Constant(1).minus(OFF_DB_READS_PER_S.over(ON_DB_READS_PER_S))));
    static final OfColumn REMOVABLE_BY_FIGURE = Chapter.DRIVES_SAVED.step(
            "removable_by_figure",
            "drives",
            "step 2, I/O: drives that can go by a figure for a drive",
            EXTRA_DB_IOPS.over(DRIVE_IOPS_FIGURE));
    static final OfColumn REMOVABLE_BY_TRANSACTIONS = Chapter.DRIVES_SAVED.step(
            "removable_by_transactions",
            "drives",
            "step 2, I/O: drives that can go by the I/O of a transaction",
            DRIVES.times(new Constant(1)
                    .minus(ON_DB_IOPS
                            .over(ON_TRANSACTIONS_PER_S)
                            .over(OFF_DB_IOPS.over(OFF_TRANSACTIONS_PER_S)))));
    static final OfColumn REMOVABLE_ABOVE_TARGET = Chapter.DRIVES_SAVED.step(
            "removable_above_target",
            "drives",
            "beside: drives that can go before the target is missed with cache",
            DRIVES.times(new Constant(1).minus(TARGET_DB_IOPS.over(ON_DB_IOPS))));
    static final OfColumn DRIVES_SAVED_EXACT = Chapter.DRIVES_SAVED.step(
            "drives_saved_exact",
            "drives",
            "step 3: the smaller of steps 1 and 2",
            greatest(
                    new Constant(0),
                    least(
                            REMOVABLE_BY_CAPACITY,
                            first(
                                    REMOVABLE_BY_TRANSACTIONS,
                                    least(
                                            REMOVABLE_BY_RATE_OFF,
                                            REMOVABLE_BY_RATE_ON,
                                            REMOVABLE_BY_READS,
                                            REMOVABLE_BY_FIGURE)))));
    static final OfColumn DRIVES_SAVED = Chapter.DRIVES_SAVED.step(
            "drives_saved", "drives", "drives saved", Better.MORE, DRIVES_SAVED_EXACT.down());
    static final OfColumn MORE_BY_CAPACITY = Chapter.MORE_USERS.step(
            "more_by_capacity",
            "users",
            "step 1, capacity: users that the spare space holds",
            DRIVES.times(DRIVE_USABLE_GB).times(MB_PER_GB).over(MAILBOX_MB).minus(USERS_PLANNED));
    static final OfColumn MORE_BY_GAIN = Chapter.MORE_USERS.step(
            "more_by_gain",
            "users",
            "users that the I/O gained serves",
            EXTRA_DB_IOPS.over(USER_DB_IOPS));
    static final OfColumn MORE_BY_TRANSACTIONS = Chapter.MORE_USERS.step(
            "more_by_transactions",
            "users",
            "users that the transactions gained serve",
            first(USERS_MEASURED, USERS_PLANNED)
                    .times(ON_TRANSACTIONS_PER_S
                            .over(OFF_TRANSACTIONS_PER_S)
                            .minus(new Constant(1))));
    static final OfColumn MORE_BY_IO = Chapter.MORE_USERS.step(
            "more_by_io",
            "users",
            "step 2, I/O: users that the gain serves",
            first(MORE_BY_TRANSACTIONS, MORE_BY_GAIN));
    static final OfColumn MORE_ABOVE_TARGET = Chapter.MORE_USERS.step(
            "more_above_target",
            "users",
            "beside: users that can come before the target is missed with cache",
            ON_DB_IOPS.minus(TARGET_DB_IOPS).over(USER_DB_IOPS));
    static final OfColumn HIT_RATIO_NOW = Chapter.MORE_USERS.step(
            "hit_ratio_now",
            "share",
            "share of reads that the cache saves",
            HIT_CURVE.heightAt(CACHE_MB));
    static final OfColumn CACHE_MB_FOR_FLOOR = Chapter.MORE_USERS.step(
            "cache_mb_for_floor",
            "MB",
            "cache that saves this share",
            first(
                    HIT_CURVE.leastReaching(HIT_RATIO_FLOOR),
                    PROFILE_CURVE.leastReaching(HIT_RATIO_FLOOR)));
    static final OfColumn MORE_BY_CACHE = Chapter.MORE_USERS.step(
            "more_by_cache",
            "users",
            "step 3, cache: users whose metadata it still holds",
            first(
                    CACHE_MB.over(METADATA_MB_PER_USER).minus(USERS_PLANNED),
                    USERS_MEASURED.times(CACHE_MB).over(CACHE_MB_FOR_FLOOR).minus(USERS_PLANNED)));
    static final OfColumn MORE_BY_CPU = Chapter.MORE_USERS.step(
            "more_by_cpu",
            "users",
            "step 4, CPU: users that it still serves",
            first(USERS_MEASURED, USERS_PLANNED)
                    .times(CPU_LIMIT_PERCENT)
                    .over(CPU_PERCENT)
                    .minus(USERS_PLANNED));
    static final OfColumn MORE_USERS_EXACT = Chapter.MORE_USERS.step(
            "more_users_exact",
            "users",
            "step 5: the smallest of steps 1 to 4",
            greatest(
                    new Constant(0),
                    least(MORE_BY_CAPACITY, MORE_BY_IO, MORE_BY_CACHE, MORE_BY_CPU)));
    static final OfColumn MORE_USERS = Chapter.MORE_USERS.step(
            "more_users", "users", "more users", Better.MORE, MORE_USERS_EXACT.down());

    private CacheSteps() {}
}
