package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula.Assumption;
import org.hubmark.bench.kit.document.Formula.CurveInput;
import org.hubmark.bench.kit.document.Formula.Input;
import org.hubmark.bench.kit.document.Range;

import java.util.List;
import java.util.Optional;

/**
 * What plans are made of: each number with its unit, what it can be, and what is taken where nobody says
 * it; and the curves.
 */
public final class PlanInputs {
    public static final Input USERS = input("users", "users", "users", Range.above(0));
    public static final Input GROWTH_PERCENT = assumed(
            "growth_percent",
            "growth",
            "%",
            Range.from(0),
            0,
            "no growth, as nothing else was said");
    public static final Input HEADROOM_PERCENT = assumed(
            "headroom_percent",
            "headroom of I/O",
            "%",
            Range.from(0),
            20,
            "what ESRP reports add to the I/O of a user");
    public static final Input PEAK_FACTOR = assumed(
            "peak_factor",
            "busiest hour over mean hour",
            "",
            Range.from(1),
            1,
            "an even day, as LoadSim and LoadGen play it");
    public static final Input IOPS_PER_USER =
            input("iops_per_user", "I/O a user", "I/O/s", Range.above(0));
    public static final Input MESSAGES_SENT_PER_USER_DAY = input(
            "messages_sent_per_user_day",
            "messages sent a user and day",
            "messages",
            Range.above(0));
    public static final Input MESSAGES_RECEIVED_PER_USER_DAY = input(
            "messages_received_per_user_day",
            "messages received a user and day",
            "messages",
            Range.above(0));
    public static final Input DAY_H = assumed(
            "day_h",
            "length of the day",
            "h",
            Range.above(0).to(24),
            8,
            "the day of LoadSim and LoadGen");
    public static final Input MESSAGE_KB =
            input("message_kb", "size of a message", "KB", Range.above(0));
    public static final Input MAILBOX_MB =
            input("mailbox_mb", "size of a mailbox", "MB", Range.above(0));
    public static final Input MB_PER_GB = assumed(
            "mb_per_gb",
            "MB in a GB of mailboxes",
            "MB",
            Range.above(0),
            1000,
            "sizes are decimal here; the published cases count 1,024 to a GB of a disk that has 1,000");
    public static final Input HUB_MSGS_PER_S =
            input("hub_msgs_per_s", "messages a second that the hub took", "msg/s", Range.above(0));
    public static final Input ACCEPT_LATENCY_LIMIT_MS = input(
            "accept_latency_limit_ms",
            "limit of the 99th percentile of accepting",
            "ms",
            Range.above(0));
    public static final Input CPU_US_PER_MESSAGE =
            input("cpu_us_per_message", "CPU time of a message", "us", Range.above(0));
    public static final Input CORES = input("cores", "cores", "cores", Range.above(0));
    public static final Input CPU_LIMIT_PERCENT = assumed(
            "cpu_limit_percent",
            "CPU that may be used",
            "%",
            Range.above(0).to(100),
            80,
            "ours: a fifth is kept free");
    public static final Input LOG_WRITES_PER_MESSAGE =
            input("log_writes_per_message", "writes to the log a message", "writes", Range.from(0));
    public static final Input QUEUE_WRITES_PER_MESSAGE = input(
            "queue_writes_per_message", "writes to the queue a message", "writes", Range.from(0));
    public static final Input OCTETS_PER_S_LIMIT = input(
            "octets_per_s_limit", "octets a second that may come in", "octets/s", Range.above(0));
    public static final Input READ_LATENCY_LIMIT_MS = assumed(
            "read_latency_limit_ms",
            "limit of the read latency",
            "ms",
            Range.above(0),
            20,
            "the line of Jetstress, above which TR-3766 calls it poor");
    public static final Input DB_READ_PERCENT = assumed(
            "db_read_percent",
            "reads among database I/O",
            "%",
            Range.from(0).to(100),
            70,
            "Compaq ECG052.0897: 70 % reads");
    public static final Input DRIVES_MEASURED = input(
            "drives_measured", "drives that the storage was measured on", "drives", Range.above(0));
    public static final Input DISK_IOPS =
            input("disk_iops", "I/O a drive", "I/O/s", Range.above(0));
    public static final Input DISK_IOPS_RULE = assumed(
            "disk_iops_rule",
            "I/O a drive by rule of thumb",
            "I/O/s",
            Range.above(0),
            55,
            "Compaq ECG052.0897: random I/O of a disk of 1997");
    public static final Input RAID_WRITE_PENALTY = assumed(
            "raid_write_penalty",
            "writes of drives for a write",
            "writes",
            Range.from(1),
            2,
            "RAID 10: each write goes to two drives");
    public static final Input RAID_CAPACITY_PERCENT = assumed(
            "raid_capacity_percent",
            "share of the space of drives that holds data",
            "%",
            Range.above(0).to(100),
            50,
            "RAID 10: half of the drives are mirrors");
    public static final Input CAPACITY_LIMIT_PERCENT = assumed(
            "capacity_limit_percent",
            "share of the space that may be filled",
            "%",
            Range.above(0).to(100),
            80,
            "TR-3766 keeps 20 % for snapshots");
    public static final Input DISK_GB = input("disk_gb", "size of a drive", "GB", Range.above(0));
    public static final Input DRIVES = input("drives", "drives", "drives", Range.above(0));
    public static final Input ON_DB_IOPS =
            input("on_db_iops", "I/O with cache", "I/O/s", Range.above(0));
    public static final Input ON_DB_READS_PER_S =
            input("on_db_reads_per_s", "reads with cache", "reads/s", Range.from(0));
    public static final Input ON_DB_WRITES_PER_S =
            input("on_db_writes_per_s", "writes with cache", "writes/s", Range.from(0));
    public static final Input ON_AVG_DB_READ_LATENCY_MS =
            input("on_avg_db_read_latency_ms", "read latency with cache", "ms", Range.above(0));
    public static final Input ON_AVG_DB_WRITE_LATENCY_MS =
            input("on_avg_db_write_latency_ms", "write latency with cache", "ms", Range.above(0));
    public static final Input ON_LOG_WRITES_PER_S =
            input("on_log_writes_per_s", "log writes with cache", "writes/s", Range.from(0));
    public static final Input ON_AVG_LOG_WRITE_LATENCY_MS = input(
            "on_avg_log_write_latency_ms", "log write latency with cache", "ms", Range.above(0));
    public static final Input ON_TRANSACTIONS_PER_S = input(
            "on_transactions_per_s",
            "transactions a second with cache",
            "transactions/s",
            Range.above(0));
    public static final Input OFF_DB_IOPS =
            input("off_db_iops", "I/O without cache", "I/O/s", Range.above(0));
    public static final Input OFF_DB_READS_PER_S =
            input("off_db_reads_per_s", "reads without cache", "reads/s", Range.from(0));
    public static final Input OFF_DB_WRITES_PER_S =
            input("off_db_writes_per_s", "writes without cache", "writes/s", Range.from(0));
    public static final Input OFF_AVG_DB_READ_LATENCY_MS =
            input("off_avg_db_read_latency_ms", "read latency without cache", "ms", Range.above(0));
    public static final Input OFF_AVG_DB_WRITE_LATENCY_MS = input(
            "off_avg_db_write_latency_ms", "write latency without cache", "ms", Range.above(0));
    public static final Input OFF_LOG_WRITES_PER_S =
            input("off_log_writes_per_s", "log writes without cache", "writes/s", Range.from(0));
    public static final Input OFF_AVG_LOG_WRITE_LATENCY_MS = input(
            "off_avg_log_write_latency_ms",
            "log write latency without cache",
            "ms",
            Range.above(0));
    public static final Input OFF_TRANSACTIONS_PER_S = input(
            "off_transactions_per_s",
            "transactions a second without cache",
            "transactions/s",
            Range.above(0));
    public static final Input DRIVE_IOPS_FIGURE =
            input("drive_iops_figure", "I/O a drive by that figure", "I/O/s", Range.above(0));
    public static final Input CACHE_MB =
            input("cache_mb", "size of the cache", "MB", Range.above(0));
    public static final Input HIT_RATIO_PRESENT = input(
            "hit_ratio_present",
            "share of reads of data that the present cache has",
            "",
            Range.from(0).to(1));
    public static final Input CACHE_MB_WANTED =
            input("cache_mb_wanted", "size of a cache that is not there", "MB", Range.above(0));
    public static final Input METADATA_MB_PER_USER =
            input("metadata_mb_per_user", "metadata of a user in the cache", "MB", Range.above(0));
    public static final Input HIT_RATIO_FLOOR = input(
            "hit_ratio_floor",
            "share of reads that has to be saved",
            "",
            Range.above(0).to(1));
    public static final Input USERS_MEASURED = input(
            "users_measured", "users that the pair was measured with", "users", Range.above(0));
    public static final Input CPU_PERCENT =
            input("cpu_percent", "CPU in use with cache", "%", Range.above(0).to(100));
    static final CurveInput HUB_CURVE =
            new CurveInput("hub_curve", "the curve of accept latency over messages a second");
    static final CurveInput IO_CURVE =
            new CurveInput("io_curve", "the curve of read latency over I/O a second");
    static final CurveInput HIT_CURVE =
            new CurveInput("hit_curve", "the curve of reads saved over cache size");
    static final CurveInput PROFILE_CURVE = new CurveInput(
            "profile_curve", "the predicted curve of reads of data that a cache has");
    static final CurveInput PROFILE_LOW_CURVE =
            new CurveInput("profile_low_curve", "the low end of its error band");
    static final CurveInput PROFILE_HIGH_CURVE =
            new CurveInput("profile_high_curve", "the high end of its error band");

    /** In the order in which reports list them. */
    public static final List<Input> ALL = List.of(
            USERS,
            GROWTH_PERCENT,
            HEADROOM_PERCENT,
            PEAK_FACTOR,
            IOPS_PER_USER,
            MESSAGES_SENT_PER_USER_DAY,
            MESSAGES_RECEIVED_PER_USER_DAY,
            DAY_H,
            MESSAGE_KB,
            MAILBOX_MB,
            MB_PER_GB,
            HUB_MSGS_PER_S,
            ACCEPT_LATENCY_LIMIT_MS,
            CPU_US_PER_MESSAGE,
            CORES,
            CPU_LIMIT_PERCENT,
            LOG_WRITES_PER_MESSAGE,
            QUEUE_WRITES_PER_MESSAGE,
            OCTETS_PER_S_LIMIT,
            READ_LATENCY_LIMIT_MS,
            DB_READ_PERCENT,
            DRIVES_MEASURED,
            DISK_IOPS,
            DISK_IOPS_RULE,
            RAID_WRITE_PENALTY,
            RAID_CAPACITY_PERCENT,
            CAPACITY_LIMIT_PERCENT,
            DISK_GB,
            DRIVES,
            ON_DB_IOPS,
            ON_DB_READS_PER_S,
            ON_DB_WRITES_PER_S,
            ON_AVG_DB_READ_LATENCY_MS,
            ON_AVG_DB_WRITE_LATENCY_MS,
            ON_LOG_WRITES_PER_S,
            ON_AVG_LOG_WRITE_LATENCY_MS,
            ON_TRANSACTIONS_PER_S,
            OFF_DB_IOPS,
            OFF_DB_READS_PER_S,
            OFF_DB_WRITES_PER_S,
            OFF_AVG_DB_READ_LATENCY_MS,
            OFF_AVG_DB_WRITE_LATENCY_MS,
            OFF_LOG_WRITES_PER_S,
            OFF_AVG_LOG_WRITE_LATENCY_MS,
            OFF_TRANSACTIONS_PER_S,
            DRIVE_IOPS_FIGURE,
            CACHE_MB,
            HIT_RATIO_PRESENT,
            CACHE_MB_WANTED,
            METADATA_MB_PER_USER,
            HIT_RATIO_FLOOR,
            USERS_MEASURED,
            CPU_PERCENT);

    static final List<CurveInput> CURVES = List.of(
            HUB_CURVE, IO_CURVE, HIT_CURVE, PROFILE_CURVE, PROFILE_LOW_CURVE, PROFILE_HIGH_CURVE);

    private PlanInputs() {}

    private static Input input(String key, String label, String unit, Range range) {
        return new Input(key, label, unit, range, null);
    }

    private static Input assumed(
            String key, String label, String unit, Range range, double value, String because) {
        return new Input(key, label, unit, range, new Assumption(value, because));
    }

    /** {@return the input of a key} */
    public static Optional<Input> of(String key) {
        return ALL.stream().filter(input -> input.key().equals(key)).findFirst();
    }
}
