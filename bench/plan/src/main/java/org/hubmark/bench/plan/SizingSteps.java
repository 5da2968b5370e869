package org.hubmark.bench.plan;

import static org.hubmark.bench.plan.PlanInputs.CAPACITY_LIMIT_PERCENT;
import static org.hubmark.bench.plan.PlanInputs.DAY_H;
import static org.hubmark.bench.plan.PlanInputs.DB_READ_PERCENT;
import static org.hubmark.bench.plan.PlanInputs.DISK_GB;
import static org.hubmark.bench.plan.PlanInputs.DISK_IOPS;
import static org.hubmark.bench.plan.PlanInputs.DRIVES;
import static org.hubmark.bench.plan.PlanInputs.DRIVES_MEASURED;
import static org.hubmark.bench.plan.PlanInputs.HEADROOM_PERCENT;
import static org.hubmark.bench.plan.PlanInputs.IOPS_AT_LIMIT;
import static org.hubmark.bench.plan.PlanInputs.IOPS_PER_USER;
import static org.hubmark.bench.plan.PlanInputs.MAILBOX_MB;
import static org.hubmark.bench.plan.PlanInputs.MB_PER_GB;
import static org.hubmark.bench.plan.PlanInputs.MESSAGES_RECEIVED_PER_USER_DAY;
import static org.hubmark.bench.plan.PlanInputs.MESSAGES_SENT_PER_USER_DAY;
import static org.hubmark.bench.plan.PlanInputs.PEAK_FACTOR;
import static org.hubmark.bench.plan.PlanInputs.RAID_CAPACITY_PERCENT;
import static org.hubmark.bench.plan.PlanInputs.RAID_WRITE_PENALTY;
import static org.hubmark.bench.plan.PlanInputs.READ_PERCENT_MEASURED;
import static org.hubmark.bench.plan.PlanInputs.USERS;
import static org.hubmark.bench.plan.StepFormula.down;
import static org.hubmark.bench.plan.StepFormula.first;
import static org.hubmark.bench.plan.StepFormula.greatest;
import static org.hubmark.bench.plan.StepFormula.least;
import static org.hubmark.bench.plan.StepFormula.up;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Constant;
import org.hubmark.bench.kit.document.Formula.OfColumn;

/** From users to drives, and from drives to users. */
final class SizingSteps {
    static final PlanChapter USER = new PlanChapter("What a user asks for");
    static final OfColumn USER_MSGS_PER_S = USER.step(
            "user_msgs_per_s",
            MESSAGES_SENT_PER_USER_DAY.times(PEAK_FACTOR).over(DAY_H.times(3600)));
    static final OfColumn USER_DELIVERIES_PER_S = USER.step(
            "user_deliveries_per_s",
            MESSAGES_RECEIVED_PER_USER_DAY.times(PEAK_FACTOR).over(DAY_H.times(3600)));
    static final OfColumn USER_DB_IOPS = USER.step(
            "user_db_iops", IOPS_PER_USER.times(new Constant(1).plus(HEADROOM_PERCENT.over(100))));

    static final PlanChapter DEMAND = new PlanChapter("What all users ask for");
    static final OfColumn TARGET_DB_IOPS = DEMAND.step("target_db_iops", USERS.times(USER_DB_IOPS));
    static final OfColumn MESSAGES_PER_S =
            DEMAND.step("messages_per_s", USERS.times(USER_MSGS_PER_S));
    static final OfColumn DELIVERIES_PER_S =
            DEMAND.step("deliveries_per_s", USERS.times(USER_DELIVERIES_PER_S));

    static final PlanChapter CAPACITY = new PlanChapter("Drives for the mailboxes");
    static final OfColumn CAPACITY_GB =
            CAPACITY.step("capacity_gb", USERS.times(MAILBOX_MB).over(MB_PER_GB));
    static final OfColumn DRIVE_USABLE_GB = CAPACITY.step(
            "drive_usable_gb",
            DISK_GB.times(RAID_CAPACITY_PERCENT)
                    .over(100)
                    .times(CAPACITY_LIMIT_PERCENT)
                    .over(100));
    static final OfColumn DRIVES_FOR_CAPACITY_EXACT =
            CAPACITY.step("drives_for_capacity_exact", CAPACITY_GB.over(DRIVE_USABLE_GB));
    static final OfColumn STORAGE_EFFICIENCY_PERCENT = CAPACITY.step(
            "storage_efficiency_percent",
            new Constant(100)
                    .times(CAPACITY_GB)
                    .over(DRIVES.times(DISK_GB).times(CAPACITY_LIMIT_PERCENT).over(100)));

    static final PlanChapter ALL_DRIVES = new PlanChapter("Drives in all");
    static final OfColumn DRIVE_IOS_PER_IO =
            ALL_DRIVES.step("drive_ios_per_io", ofDrives(DB_READ_PERCENT));
    static final OfColumn DRIVE_IOS_NEEDED =
            ALL_DRIVES.step("drive_ios_needed", TARGET_DB_IOPS.times(DRIVE_IOS_PER_IO));
    static final OfColumn DRIVE_IOPS_MEASURED = ALL_DRIVES.step(
            "drive_iops_measured",
            IOPS_AT_LIMIT.times(ofDrives(READ_PERCENT_MEASURED)).over(DRIVES_MEASURED));
    static final OfColumn DRIVE_IOPS_USED =
            ALL_DRIVES.step("drive_iops_used", first(DISK_IOPS, DRIVE_IOPS_MEASURED));
    static final OfColumn DRIVES_FOR_IO_EXACT =
            ALL_DRIVES.step("drives_for_io_exact", DRIVE_IOS_NEEDED.over(DRIVE_IOPS_USED));
    static final OfColumn DRIVES_EXACT = ALL_DRIVES.step(
            "drives_exact",
            greatest(DRIVES_FOR_IO_EXACT, DRIVES_FOR_CAPACITY_EXACT)
                    .where(DRIVES_FOR_IO_EXACT.isKnown()));
    static final OfColumn DRIVES_NEEDED = ALL_DRIVES.step("drives_needed", up(DRIVES_EXACT));

    static final PlanChapter BACK = new PlanChapter("Users that the available storage holds");
    static final OfColumn USERS_BY_STORAGE =
            BACK.step("users_by_storage", IOPS_AT_LIMIT.over(USER_DB_IOPS));
    static final OfColumn USERS_BY_DRIVES = BACK.step(
            "users_by_drives",
            DRIVES.times(DRIVE_IOPS_USED).over(DRIVE_IOS_PER_IO).over(USER_DB_IOPS));
    static final OfColumn USERS_BY_IO =
            BACK.step("users_by_io", first(USERS_BY_DRIVES, USERS_BY_STORAGE));
    static final OfColumn USERS_BY_CAPACITY = BACK.step(
            "users_by_capacity", DRIVES.times(DRIVE_USABLE_GB).times(MB_PER_GB).over(MAILBOX_MB));
    static final OfColumn USERS_HELD_EXACT = BACK.step(
            "users_held_exact", least(USERS_BY_IO, USERS_BY_CAPACITY).where(USERS_BY_IO.isKnown()));
    static final OfColumn USERS_HELD = BACK.step("users_held", down(USERS_HELD_EXACT));

    private SizingSteps() {}

    /** {@return the I/O of drives for one of databases, of which so many are reads} */
    private static Formula ofDrives(Formula readPercent) {
        Formula reads = readPercent.over(100);
        return reads.plus(new Constant(1).minus(reads).times(RAID_WRITE_PENALTY));
    }
}
