package org.hubmark.bench.plan;

import org.hubmark.bench.plan.formula.Curve;
import org.hubmark.core.UserError;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A plan of what somebody has measured and wants. */
public final class OwnPlan {
    private static final double PERCENT = 100;

    private OwnPlan() {}

    /**
     * {@return the plan}
     *
     * @param given what was said on the command line, before which what was measured stands back
     * @throws UserError where the demand is impossible, or nothing follows
     */
    public static Plan of(Collected measured, Map<String, Values.Given> given) {
        Map<String, Values.Given> numbers = new LinkedHashMap<>(measured.numbers());
        numbers.putAll(given);
        Values values = Values.of(Model.OURS, numbers, measured.curves());
        requireRoomForAMailbox(values);
        Set<String> all = new LinkedHashSet<>();
        Model.OURS.chapters().forEach(chapter -> all.add(chapter.name()));
        Plan plan = Plan.of("plan", title(values), Model.OURS, values, all);
        requireIoOfADrive(plan);
        if (plan.answers().isEmpty()) {
            throw UserError.usage("nothing follows from that: a plan needs results of qualify or"
                    + " --iops-per-user for the I/O, --mailbox and --disk-size for the space, or"
                    + " results of run and users for the messages, and --users or --drives");
        }
        return plan;
    }

    private static String title(Values values) {
        double users = values.number("users");
        return Double.isNaN(users)
                ? "How many users"
                : String.format(Locale.ROOT, "%,.0f users", users);
    }

    /** No number of drives is enough of those that give nothing. */
    private static void requireIoOfADrive(Plan plan) {
        Double used = plan.value("drive_iops_used");
        if (used != null && used == 0) {
            Curve curve = Objects.requireNonNull(plan.values().curves().get("io_curve"))
                    .curve();
            throw UserError.usage("a drive of what was measured gives no I/O within "
                    + Input.text(plan.values().number("read_latency_limit_ms"))
                    + " ms of read latency: the lowest latency was "
                    + Input.rounded(curve.lowest())
                    + " ms; give a longer --read-latency, or --disk-iops");
        }
    }

    /** A mailbox lies on one drive, or on one and its mirrors. */
    private static void requireRoomForAMailbox(Values values) {
        double mailbox = values.number("mailbox_mb") / values.number("mb_per_gb");
        double room = values.number("disk_gb") * values.number("capacity_limit_percent") / PERCENT;
        if (mailbox > room) {
            throw UserError.usage("a mailbox of " + Input.text(mailbox) + " GB does not fit on a"
                    + " drive of " + Input.text(values.number("disk_gb")) + " GB, of which "
                    + Input.text(room) + " GB may be filled; give a smaller --mailbox or a larger"
                    + " --disk-size");
        }
    }
}
