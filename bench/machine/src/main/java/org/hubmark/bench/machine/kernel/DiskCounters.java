package org.hubmark.bench.machine.kernel;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a block device did since the machine started, or between two looks.
 *
 * @param values by the counter; what nobody counts is missing
 */
public record DiskCounters(@JsonValue Map<DiskCounter, Long> values) {
    /** Where they are. */
    public static final String FILE = "proc/diskstats";

    /** No device does so many writes in less than a millisecond together. */
    private static final int UNTIMED_WRITES_MAX = 1000;

    /** Copies. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public DiskCounters {
        Map<DiskCounter, Long> copy = new EnumMap<>(DiskCounter.class);
        copy.putAll(values);
        values = Collections.unmodifiableMap(copy);
    }

    /** {@return a counter; null where nobody counts it} */
    public @Nullable Long get(DiskCounter counter) {
        return values.get(counter);
    }

    private long count(DiskCounter counter) {
        return values.getOrDefault(counter, 0L);
    }

    /**
     * {@return by how much each has grown; null where the device, or its machine, began to count anew}
     */
    public @Nullable DiskCounters growth(DiskCounters before) {
        Map<DiskCounter, Long> grown = new EnumMap<>(DiskCounter.class);
        for (DiskCounter counter : DiskCounter.values()) {
            Long growth = Growth.of(before.get(counter), get(counter));
            if (growth != null) {
                grown.put(counter, growth);
            } else if (counter.onlyGrows()) {
                return null;
            }
        }
        return new DiskCounters(grown);
    }

    /** {@return whether the kernel counts how long writes take: some such devices have that at 0} */
    public boolean timed() {
        return count(DiskCounter.WRITE_MS) > 0 || count(DiskCounter.WRITES) < UNTIMED_WRITES_MAX;
    }

    /**
     * {@return the counters of a device in /proc/diskstats, or null when it counts nothing} Some that pass
     * everything on to others (NVMe multipath, arrays and mappings on older kernels) have a line of zeros, though
     * a file system could not even be mounted without a read.
     */
    public static @Nullable DiskCounters parse(String diskstats, String device) {
        String named = " " + device + " ";
        for (String line : diskstats.lines().toList()) {
            if (line.contains(named)) {
                String[] fields = line.trim().split(" +", -1);
                if (fields.length >= 14 && fields[2].equals(device)) {
                    DiskCounters counters = of(fields);
                    boolean any = counters.count(DiskCounter.READS) > 0
                            || counters.count(DiskCounter.WRITES) > 0;
                    return any ? counters : null;
                }
            }
        }
        return null;
    }

    private static DiskCounters of(String[] fields) {
        Map<DiskCounter, Long> values = new EnumMap<>(DiskCounter.class);
        for (DiskCounter counter : DiskCounter.values()) {
            Long value = counter.value(fields);
            if (value != null) {
                values.put(counter, value);
            }
        }
        if (values.getOrDefault(DiskCounter.FLUSHES, 0L) == 0) {
            values.remove(DiskCounter.FLUSHES);
            values.remove(DiskCounter.FLUSH_MS);
        }
        return new DiskCounters(values);
    }
}
