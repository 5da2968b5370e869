package org.hubmark.bench.plan;

import org.hubmark.bench.plan.Input.Assumption;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What plans are made of: each number with its unit, what it can be, and what is taken where nobody says
 * it; and the curves.
 */
public final class PlanInputs {
    private static final List<Input> NUMBERS = new ArrayList<>();
    private static final Bounds ABOVE_0 = Bounds.above(0);
    private static final Bounds FROM_0 = Bounds.from(0);
    private static final Bounds FROM_1 = Bounds.from(1);
    private static final Bounds PERCENT = Bounds.above(0).to(100);

    public static final Input USERS = input("users", "users", "users", ABOVE_0);
    public static final Input GROWTH_PERCENT =
            input("growth_percent", "growth", "%", FROM_0, 0, "no growth was given");
    public static final Input HEADROOM_PERCENT = input(
            "headroom_percent",
            "headroom of I/O",
            "%",
            FROM_0,
            20,
            "what ESRP reports add to the I/O of a user");
    public static final Input PEAK_FACTOR =
            input("peak_factor", "busiest hour over mean hour", "", FROM_1);
    public static final Input IOPS_PER_USER =
            input("iops_per_user", "I/O a user", "I/O/s", ABOVE_0);
    public static final Input MESSAGES_SENT_PER_USER_DAY = input(
            "messages_sent_per_user_day", "messages sent a user and day", "messages", ABOVE_0);
    public static final Input MESSAGES_RECEIVED_PER_USER_DAY = input(
            "messages_received_per_user_day",
            "messages received a user and day",
            "messages",
            ABOVE_0);
    public static final Input OUTSIDE_PERCENT = input(
            "outside_percent",
            "received mail that comes from outside",
            "%",
            Bounds.from(0).to(100),
            0,
            "users play mail among themselves; most servers have more from outside");
    public static final Input DAY_H = input(
            "day_h",
            "length of the day",
            "h",
            Bounds.above(0).to(24),
            8,
            "the day of LoadSim and LoadGen");
    public static final Input MAILBOX_MB = input("mailbox_mb", "size of a mailbox", "MB", ABOVE_0);
    public static final Input MB_PER_GB = input(
            "mb_per_gb",
            "MB in a GB of mailboxes",
            "MB",
            ABOVE_0,
            1000,
            "sizes are decimal here; the published cases count 1,024 to a GB of a disk that has 1,000");
    public static final Input CPU_LIMIT_PERCENT = input(
            "cpu_limit_percent",
            "CPU that may be used",
            "%",
            PERCENT,
            80,
            "ours: a fifth is kept free");
    public static final Input READ_LATENCY_LIMIT_MS = input(
            "read_latency_limit_ms",
            "limit of the read latency",
            "ms",
            ABOVE_0,
            20,
            "the line of Jetstress, above which TR-3766 calls it poor");
    public static final Input DB_READ_PERCENT = input(
            "db_read_percent",
            "reads among database I/O",
            "%",
            Bounds.from(0).to(100),
            70,
            "Compaq ECG052.0897: 70 % reads");
    public static final Input READ_PERCENT_MEASURED = input(
            "read_percent_measured",
            "reads among the I/O that the storage was measured with",
            "%",
            Bounds.from(0).to(100));
    public static final Input DRIVES_MEASURED =
            input("drives_measured", "drives that the storage was measured on", "drives", ABOVE_0);
    public static final Input DISK_IOPS = input("disk_iops", "I/O a drive", "I/O/s", ABOVE_0);
    public static final Input RAID_WRITE_PENALTY = input(
            "raid_write_penalty",
            "writes of drives for a write",
            "writes",
            FROM_1,
            2,
            "RAID 10: each write goes to two drives");
    public static final Input RAID_CAPACITY_PERCENT = input(
            "raid_capacity_percent",
            "share of the space of drives that holds data",
            "%",
            PERCENT,
            50,
            "RAID 10: half of the drives are mirrors");
    public static final Input CAPACITY_LIMIT_PERCENT = input(
            "capacity_limit_percent",
            "share of the space that may be filled",
            "%",
            PERCENT,
            80,
            "TR-3766 keeps 20 % for snapshots");
    public static final Input DISK_GB = input("disk_gb", "size of a drive", "GB", ABOVE_0);
    public static final Input DRIVES = input("drives", "drives", "drives", ABOVE_0);
    static final Pair DB_IOPS = rate("db_iops", "I/O a second", "I/O/s", ABOVE_0);
    static final Pair DB_READS = rate("db_reads_per_s", "reads a second", "reads/s", FROM_0);
    static final Pair TRANSACTIONS =
            rate("transactions_per_s", "transactions a second", "transactions/s", ABOVE_0);

    /** In the order of the table of TR-3766, and two more: without a cache there are hits too, of pages that are not written yet. */
    static final List<Pair> PAIRS = List.of(
            DB_IOPS,
            DB_READS,
            rate("db_writes_per_s", "writes a second", "writes/s", FROM_0),
            latency("avg_db_read_latency_ms", "read latency"),
            latency("avg_db_write_latency_ms", "write latency"),
            rate("log_writes_per_s", "log writes a second", "writes/s", FROM_0),
            latency("avg_log_write_latency_ms", "log write latency"),
            TRANSACTIONS,
            rate(
                    "cache_hit_percent",
                    "reads that the cache had",
                    "%",
                    Bounds.from(0).to(100)));

    public static final Input DRIVE_IOPS_FIGURE =
            input("drive_iops_figure", "I/O a drive by that figure", "I/O/s", ABOVE_0);
    public static final Input CACHE_MB = input("cache_mb", "size of the cache", "MB", ABOVE_0);
    public static final Input METADATA_MB_PER_USER =
            input("metadata_mb_per_user", "metadata of a user in the cache", "MB", ABOVE_0);
    public static final Input USERS_MEASURED =
            input("users_measured", "users that the pair was measured with", "users", ABOVE_0);
    public static final Input CPU_PERCENT =
            input("cpu_percent", "CPU in use with cache", "%", PERCENT);
    static final CurveInput IO_CURVE =
            new CurveInput("io_curve", "the curve of read latency over I/O a second");

    /**
     * A figure of a storage with and without a cache.
     *
     * @param row its key in results
     */
    record Pair(String row, String label, Input with, Input without, boolean isHigherBetter) {}

    private PlanInputs() {}

    private static Input input(String key, String label, String unit, Bounds bounds) {
        return input(new Input(key, label, unit, bounds, null));
    }

    private static Input input(
            String key, String label, String unit, Bounds bounds, double assumed, String because) {
        return input(new Input(key, label, unit, bounds, new Assumption(assumed, because)));
    }

    private static Input input(Input input) {
        NUMBERS.add(input);
        return input;
    }

    private static Pair rate(String row, String label, String unit, Bounds bounds) {
        return new Pair(
                row,
                label,
                input("on_" + row, label + " with cache", unit, bounds),
                input("off_" + row, label + " without cache", unit, bounds),
                true);
    }

    private static Pair latency(String row, String label) {
        return new Pair(
                row,
                label,
                input("on_" + row, label + " with cache", "ms", ABOVE_0),
                input("off_" + row, label + " without cache", "ms", ABOVE_0),
                false);
    }

    /** {@return all numbers, in the order in which reports list them} */
    public static List<Input> all() {
        return Collections.unmodifiableList(NUMBERS);
    }

    /** {@return the number of a key} */
    public static Optional<Input> of(String key) {
        return NUMBERS.stream().filter(input -> input.key().equals(key)).findFirst();
    }
}
