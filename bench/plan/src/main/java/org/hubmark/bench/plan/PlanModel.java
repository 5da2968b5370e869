package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Constant;
import org.hubmark.bench.kit.document.Formula.Input;
import org.hubmark.bench.kit.document.Formula.OfColumn;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** All that plan computes, in its order, and what is made of it. */
final class PlanModel {
    /** Steps by chapter. A step is made of inputs and of steps that stand before it. */
    static final Map<Chapter, List<OfColumn>> STEPS = chapters();

    /** Why a step is done so, where that does not go without saying. */
    static final Map<OfColumn, String> REASONS = Map.ofEntries(
            Map.entry(
                    SizingSteps.HUB_MSGS_AT_LIMIT,
                    "Within the limit of latency where one is given, else as many as it took"),
            Map.entry(
                    SizingSteps.IOPS_AT_LIMIT,
                    "Read off the measured curve: a queue makes latency grow faster than the rate, so that nothing can be divided out"),
            Map.entry(
                    SizingSteps.DRIVE_IOPS_MEASURED,
                    "Of the drives below, with the writes that RAID adds"),
            Map.entry(
                    SizingSteps.DRIVE_IOPS_USED,
                    "What was given, else what was measured, else the rule of thumb"),
            Map.entry(
                    CacheSteps.HIT_RATIO_WANTED,
                    "As qualify has predicted it beside the load, for any size from a tenth to a hundred times the present one"),
            Map.entry(
                    SizingSteps.USERS_BY_IO,
                    "By the drives where their number is given, else by the storage as it was measured"),
            Map.entry(
                    CacheSteps.REMOVABLE_BY_TRANSACTIONS,
                    "The cache of qualify lies above the I/O that it counts: with it a transaction needs less I/O, and a higher rate of I/O is no gain. So this one counts where transactions were measured"),
            Map.entry(
                    CacheSteps.REMOVABLE_ABOVE_TARGET,
                    "The estimates above give all that the cache brings to the drives. Where the drives missed the target without it, part of that is needed to reach it"),
            Map.entry(
                    CacheSteps.DRIVES_SAVED_EXACT, "Of several estimates the most cautious counts"),
            Map.entry(
                    CacheSteps.MORE_BY_GAIN,
                    "As the source has it: all of the I/O that the cache brings, at the profile of before, and as if the latency stayed within its limit at the higher load"),
            Map.entry(
                    CacheSteps.MORE_BY_IO,
                    "By the transactions where they were measured, as for the drives"),
            Map.entry(
                    CacheSteps.MORE_BY_CACHE,
                    "By the metadata of a user where that is given, else by the measured curve: with twice the users the same cache has half the size for each"));

    /**
     * What somebody wants to know in the end.
     *
     * @param exact the step that it is before it was rounded
     * @param beside steps to be told with it
     */
    record Answer(OfColumn step, OfColumn exact, List<OfColumn> beside) {}

    /**
     * Something that has to be at least as large as something else.
     *
     * @param has what there is; NaN where that is not asked
     * @param informs that it fails does not make the demand one that is not met
     */
    record Check(String name, String label, Formula has, OfColumn needs, boolean informs) {}

    /** How far a row of TR-3766 is better with the cache. */
    record Improvement(OfColumn step, Input with, Input without, boolean isHigherBetter) {}

    static final List<Answer> ANSWERS = List.of(
            new Answer(SizingSteps.DRIVES_NEEDED, SizingSteps.DRIVES_EXACT, List.of()),
            new Answer(
                    CacheSteps.WANTED_DRIVES,
                    CacheSteps.WANTED_DRIVES_EXACT,
                    List.of(CacheSteps.WANTED_SAVES)),
            new Answer(SizingSteps.USERS_HELD, SizingSteps.USERS_HELD_EXACT, List.of()),
            new Answer(
                    CacheSteps.DRIVES_SAVED,
                    CacheSteps.DRIVES_SAVED_EXACT,
                    List.of(CacheSteps.REMOVABLE_ABOVE_TARGET)),
            new Answer(
                    CacheSteps.MORE_USERS,
                    CacheSteps.MORE_USERS_EXACT,
                    List.of(CacheSteps.MORE_ABOVE_TARGET)));

    static final List<Check> CHECKS = List.of(
            new Check(
                    "hub",
                    "messages a second",
                    SizingSteps.HUB_MSGS_AT_LIMIT,
                    SizingSteps.MESSAGES_PER_S,
                    false),
            new Check(
                    "octets",
                    "octets a second",
                    PlanInputs.OCTETS_PER_S_LIMIT,
                    SizingSteps.OCTETS_PER_S,
                    false),
            new Check(
                    "cpu",
                    "CPU",
                    PlanInputs.CPU_LIMIT_PERCENT,
                    SizingSteps.CPU_PERCENT_NEEDED,
                    false),
            new Check(
                    "storage",
                    "I/O a second of the measured storage",
                    SizingSteps.IOPS_AT_LIMIT.where(isUnknown(
                            PlanInputs.DISK_IOPS, PlanInputs.DRIVES, PlanInputs.DRIVES_MEASURED)),
                    SizingSteps.TARGET_DB_IOPS,
                    false),
            new Check("drives", "drives", PlanInputs.DRIVES, SizingSteps.DRIVES_NEEDED, false),
            new Check(
                    "target_on",
                    "I/O a second with cache",
                    PlanInputs.ON_DB_IOPS,
                    SizingSteps.TARGET_DB_IOPS,
                    true),
            new Check(
                    "target_off",
                    "I/O a second without cache",
                    PlanInputs.OFF_DB_IOPS,
                    SizingSteps.TARGET_DB_IOPS,
                    true));

    static final List<Improvement> IMPROVEMENTS = List.of(
            new Improvement(
                    CacheSteps.IMPROVEMENT_DB_IOPS,
                    PlanInputs.ON_DB_IOPS,
                    PlanInputs.OFF_DB_IOPS,
                    true),
            new Improvement(
                    CacheSteps.IMPROVEMENT_DB_READS_PER_S,
                    PlanInputs.ON_DB_READS_PER_S,
                    PlanInputs.OFF_DB_READS_PER_S,
                    true),
            new Improvement(
                    CacheSteps.IMPROVEMENT_DB_WRITES_PER_S,
                    PlanInputs.ON_DB_WRITES_PER_S,
                    PlanInputs.OFF_DB_WRITES_PER_S,
                    true),
            new Improvement(
                    CacheSteps.IMPROVEMENT_AVG_DB_READ_LATENCY_MS,
                    PlanInputs.ON_AVG_DB_READ_LATENCY_MS,
                    PlanInputs.OFF_AVG_DB_READ_LATENCY_MS,
                    false),
            new Improvement(
                    CacheSteps.IMPROVEMENT_AVG_DB_WRITE_LATENCY_MS,
                    PlanInputs.ON_AVG_DB_WRITE_LATENCY_MS,
                    PlanInputs.OFF_AVG_DB_WRITE_LATENCY_MS,
                    false),
            new Improvement(
                    CacheSteps.IMPROVEMENT_LOG_WRITES_PER_S,
                    PlanInputs.ON_LOG_WRITES_PER_S,
                    PlanInputs.OFF_LOG_WRITES_PER_S,
                    true),
            new Improvement(
                    CacheSteps.IMPROVEMENT_AVG_LOG_WRITE_LATENCY_MS,
                    PlanInputs.ON_AVG_LOG_WRITE_LATENCY_MS,
                    PlanInputs.OFF_AVG_LOG_WRITE_LATENCY_MS,
                    false),
            new Improvement(
                    CacheSteps.IMPROVEMENT_TRANSACTIONS_PER_S,
                    PlanInputs.ON_TRANSACTIONS_PER_S,
                    PlanInputs.OFF_TRANSACTIONS_PER_S,
                    true));

    private PlanModel() {}

    /** {@return all steps} */
    static List<OfColumn> steps() {
        return STEPS.values().stream().flatMap(List::stream).toList();
    }

    /** {@return the chapter of a step} */
    static Chapter chapter(OfColumn step) {
        return STEPS.entrySet().stream()
                .filter(chapter -> chapter.getValue().contains(step))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    private static Map<Chapter, List<OfColumn>> chapters() {
        Map<Chapter, List<OfColumn>> all = new EnumMap<>(Chapter.class);
        all.put(
                Chapter.USER,
                List.of(
                        SizingSteps.USER_MSGS_PER_S,
                        SizingSteps.USER_DELIVERIES_PER_S,
                        SizingSteps.USER_DB_IOPS));
        all.put(
                Chapter.DEMAND,
                List.of(
                        SizingSteps.USERS_PLANNED,
                        SizingSteps.TARGET_DB_IOPS,
                        SizingSteps.MESSAGES_PER_S,
                        SizingSteps.DELIVERIES_PER_S,
                        SizingSteps.OCTETS_PER_S));
        all.put(
                Chapter.HUB,
                List.of(
                        SizingSteps.HUB_MSGS_AT_LIMIT,
                        SizingSteps.CPU_PERCENT_NEEDED,
                        SizingSteps.LOG_WRITES_NEEDED,
                        SizingSteps.QUEUE_WRITES_NEEDED));
        all.put(Chapter.STORAGE, List.of(SizingSteps.IOPS_AT_LIMIT, SizingSteps.LATENCY_AT_TARGET));
        all.put(
                Chapter.CAPACITY,
                List.of(
                        SizingSteps.CAPACITY_GB,
                        SizingSteps.DRIVE_USABLE_GB,
                        SizingSteps.DRIVES_FOR_CAPACITY_EXACT,
                        SizingSteps.DRIVES_FOR_CAPACITY,
                        SizingSteps.STORAGE_EFFICIENCY_PERCENT));
        all.put(
                Chapter.DRIVES,
                List.of(
                        SizingSteps.DRIVE_IOS_PER_IO,
                        SizingSteps.DRIVE_IOS_NEEDED,
                        SizingSteps.DRIVE_IOPS_MEASURED,
                        SizingSteps.DRIVE_IOPS_USED,
                        SizingSteps.DRIVES_FOR_IO_EXACT,
                        SizingSteps.DRIVES_FOR_IO,
                        SizingSteps.DRIVES_EXACT,
                        SizingSteps.DRIVES_NEEDED));
        all.put(
                Chapter.WANTED,
                List.of(
                        CacheSteps.HIT_RATIO_WANTED,
                        CacheSteps.HIT_RATIO_WANTED_LOW,
                        CacheSteps.HIT_RATIO_WANTED_HIGH,
                        CacheSteps.READS_LEFT,
                        CacheSteps.READS_LEFT_MOST,
                        CacheSteps.WANTED_DB_IOPS,
                        CacheSteps.WANTED_LATENCY_MS,
                        CacheSteps.WANTED_DRIVE_IOS,
                        CacheSteps.WANTED_DRIVES_EXACT,
                        CacheSteps.WANTED_SAVES,
                        CacheSteps.WANTED_DRIVES));
        all.put(
                Chapter.BACK,
                List.of(
                        SizingSteps.USERS_BY_MESSAGES,
                        SizingSteps.USERS_BY_OCTETS,
                        SizingSteps.USERS_BY_CPU,
                        SizingSteps.USERS_BY_STORAGE,
                        SizingSteps.USERS_BY_DRIVES,
                        SizingSteps.USERS_BY_IO,
                        SizingSteps.USERS_BY_CAPACITY,
                        SizingSteps.USERS_HELD_EXACT,
                        SizingSteps.USERS_HELD));
        all.put(
                Chapter.PAIR,
                List.of(
                        CacheSteps.IMPROVEMENT_DB_IOPS,
                        CacheSteps.IMPROVEMENT_DB_READS_PER_S,
                        CacheSteps.IMPROVEMENT_DB_WRITES_PER_S,
                        CacheSteps.IMPROVEMENT_AVG_DB_READ_LATENCY_MS,
                        CacheSteps.IMPROVEMENT_AVG_DB_WRITE_LATENCY_MS,
                        CacheSteps.IMPROVEMENT_LOG_WRITES_PER_S,
                        CacheSteps.IMPROVEMENT_AVG_LOG_WRITE_LATENCY_MS,
                        CacheSteps.IMPROVEMENT_TRANSACTIONS_PER_S,
                        CacheSteps.EXTRA_DB_IOPS));
        all.put(
                Chapter.DRIVES_SAVED,
                List.of(
                        CacheSteps.REMOVABLE_BY_CAPACITY,
                        CacheSteps.DRIVE_IOPS_OFF,
                        CacheSteps.DRIVE_IOPS_ON,
                        CacheSteps.REMOVABLE_BY_RATE_OFF,
                        CacheSteps.REMOVABLE_BY_RATE_ON,
                        CacheSteps.REMOVABLE_BY_READS,
                        CacheSteps.REMOVABLE_BY_FIGURE,
                        CacheSteps.REMOVABLE_BY_TRANSACTIONS,
                        CacheSteps.REMOVABLE_ABOVE_TARGET,
                        CacheSteps.DRIVES_SAVED_EXACT,
                        CacheSteps.DRIVES_SAVED));
        all.put(
                Chapter.MORE_USERS,
                List.of(
                        CacheSteps.MORE_BY_CAPACITY,
                        CacheSteps.MORE_BY_GAIN,
                        CacheSteps.MORE_BY_TRANSACTIONS,
                        CacheSteps.MORE_BY_IO,
                        CacheSteps.MORE_ABOVE_TARGET,
                        CacheSteps.HIT_RATIO_NOW,
                        CacheSteps.CACHE_MB_FOR_FLOOR,
                        CacheSteps.MORE_BY_CACHE,
                        CacheSteps.MORE_BY_CPU,
                        CacheSteps.MORE_USERS_EXACT,
                        CacheSteps.MORE_USERS));
        return Collections.unmodifiableMap(all);
    }

    private static Formula isUnknown(Formula... inputs) {
        Formula all = new Constant(1);
        for (Formula input : inputs) {
            all = all.times(new Constant(1).minus(input.isKnown()));
        }
        return all;
    }
}
