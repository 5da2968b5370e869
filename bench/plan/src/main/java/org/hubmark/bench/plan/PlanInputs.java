package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.YamlResource;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What plans are made of: the numbers of inputs.yaml. */
public final class PlanInputs {
    private static final Listed LISTED = YamlResource.read("/plan/inputs.yaml", Listed.class);

    public static final Input USERS = input("users");
    public static final Input HEADROOM_PERCENT = input("headroom_percent");
    public static final Input PEAK_FACTOR = input("peak_factor");
    public static final Input IOPS_PER_USER = input("iops_per_user");
    public static final Input MESSAGES_SENT_PER_USER_DAY = input("messages_sent_per_user_day");
    public static final Input MESSAGES_RECEIVED_PER_USER_DAY =
            input("messages_received_per_user_day");
    public static final Input DAY_H = input("day_h");
    public static final Input MAILBOX_MB = input("mailbox_mb");
    public static final Input MB_PER_GB = input("mb_per_gb");
    public static final Input CPU_LIMIT_PERCENT = input("cpu_limit_percent");
    public static final Input READ_LATENCY_LIMIT_MS = input("read_latency_limit_ms");
    public static final Input IOPS_AT_LIMIT = input("iops_at_limit");
    public static final Input DB_READ_PERCENT = input("db_read_percent");
    public static final Input READ_PERCENT_MEASURED = input("read_percent_measured");
    public static final Input DRIVES_MEASURED = input("drives_measured");
    public static final Input DISK_IOPS = input("disk_iops");
    public static final Input RAID_WRITE_PENALTY = input("raid_write_penalty");
    public static final Input RAID_CAPACITY_PERCENT = input("raid_capacity_percent");
    public static final Input CAPACITY_LIMIT_PERCENT = input("capacity_limit_percent");
    public static final Input DISK_GB = input("disk_gb");
    public static final Input DRIVES = input("drives");
    public static final Input DRIVE_IOPS_FIGURE = input("drive_iops_figure");
    public static final Input CACHE_MB = input("cache_mb");
    public static final Input METADATA_MB_PER_USER = input("metadata_mb_per_user");
    public static final Input USERS_MEASURED = input("users_measured");
    public static final Input CPU_PERCENT = input("cpu_percent");

    /** In the order of the table of TR-3766. */
    static final List<Pair> PAIRS = LISTED.pairs;

    static final Pair DB_IOPS = PAIRS.get(0);
    static final Pair DB_READS = PAIRS.get(1);

    private record Listed(List<Input> inputs, List<Pair> pairs) {}

    /**
     * A figure of a storage with and without a cache.
     *
     * @param row its key in results
     */
    record Pair(String row, String label, String unit, boolean isHigherBetter) {
        Input with() {
            return input("on_" + row, " with cache");
        }

        Input without() {
            return input("off_" + row, " without cache");
        }

        /** {@return how far it is better with the cache} */
        Formula gain() {
            return isHigherBetter ? with().minus(without()) : without().minus(with());
        }

        private Input input(String key, String cache) {
            return new Input(key, label + cache, unit, null, 0.0, null, null, null);
        }
    }

    private PlanInputs() {}

    private static Input input(String key) {
        return of(key).orElseThrow();
    }

    /** {@return all numbers, in the order in which reports list them} */
    public static List<Input> all() {
        return Stream.concat(
                        LISTED.inputs.stream(),
                        LISTED.pairs.stream()
                                .flatMap(pair -> Stream.of(pair.with(), pair.without())))
                .toList();
    }

    /** {@return the number of a key} */
    public static Optional<Input> of(String key) {
        return all().stream().filter(input -> input.key().equals(key)).findFirst();
    }
}
