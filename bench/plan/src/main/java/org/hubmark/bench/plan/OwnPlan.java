package org.hubmark.bench.plan;

import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.core.UserError;

/** A plan of what somebody has measured and wants. */
final class OwnPlan {
    static final String NAME = "plan";

    private static final double PERCENT = 100;

    private OwnPlan() {}

    /**
     * {@return the plan}
     *
     * @throws UserError where the demand is impossible, or nothing follows
     */
    static Plan of(Collected known) {
        Plan plan = Plan.of(NAME, "", known);
        requireRoomForAMailbox(plan);
        requireIoOfADrive(plan);
        if (plan.answers().isEmpty()) {
            throw UserError.usage(
                    "these inputs are not enough: a plan needs results of qualify or"
                            + " --iops-per-user and --disk-iops for the I/O, and --users or --set drives=N");
        }
        return new Plan(
                plan.name(),
                plan.isKnown(PlanInputs.USERS)
                        ? plan.amount(PlanInputs.USERS).text()
                        : "How many users",
                plan.inputs(),
                plan.sources());
    }

    /**
     * Drives differ ten thousandfold, so that none is assumed; and no number is enough of those that give
     * nothing.
     */
    private static void requireIoOfADrive(Plan plan) {
        boolean asksForDrives = plan.isKnown(PlanInputs.DRIVES)
                || plan.isKnown(PlanInputs.DISK_GB)
                || !plan.isKnown(PlanInputs.IOPS_AT_LIMIT);
        if (plan.isKnown(SizingSteps.USER_DB_IOPS)
                && asksForDrives
                && !plan.isKnown(SizingSteps.DRIVE_IOPS_USED)) {
            throw UserError.usage("how many I/O a second a drive gives is not known: give"
                    + " --disk-iops N, from its data sheet or a test; or with --from a"
                    + " qualification, with --set drives_measured=N where it does not name its"
                    + " disks");
        }
        if (plan.value(SizingSteps.DRIVE_IOPS_USED) == 0) {
            throw UserError.usage("a drive of the measured storage gives no I/O within "
                    + Digits.plain(plan.value(PlanInputs.READ_LATENCY_LIMIT_MS))
                    + " ms of read latency; give a larger --set read_latency_limit_ms=N, or"
                    + " --disk-iops");
        }
    }

    /** A mailbox lies on one drive, or on one and its mirrors. */
    private static void requireRoomForAMailbox(Plan plan) {
        double mailbox = plan.value(PlanInputs.MAILBOX_MB) / plan.value(PlanInputs.MB_PER_GB);
        double disk = plan.value(PlanInputs.DISK_GB);
        double room = disk * plan.value(PlanInputs.CAPACITY_LIMIT_PERCENT) / PERCENT;
        if (mailbox > room) {
            throw UserError.usage("a mailbox of " + Digits.plain(mailbox) + " GB does not fit on a"
                    + " drive of " + Digits.plain(disk) + " GB, of which " + Digits.plain(room)
                    + " GB may be filled; give a smaller --mailbox or a larger --disk-size");
        }
    }
}
