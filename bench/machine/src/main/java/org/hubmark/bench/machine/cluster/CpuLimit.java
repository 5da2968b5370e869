package org.hubmark.bench.machine.cluster;

import org.hubmark.bench.machine.GroupCpu;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Locale;

/**
 * A control group whose processes together get no more than a share of the CPU (the kernel's
 * Documentation/scheduler/sched-bwc.rst for version 1, admin-guide/cgroup-v2.rst for version 2). Takes
 * root. The group goes when it is closed, and its processes, if any are left, go back to the top.
 */
public final class CpuLimit implements AutoCloseable {
    /** Short, so that who has used up its share does not wait long for the next one. */
    private static final int PERIOD_MICROS = 10_000;

    /** The kernel takes no less. */
    private static final int QUOTA_MICROS_MIN = 1000;

    private final LimitedGroup group;

    private CpuLimit(LimitedGroup group) {
        this.group = group;
    }

    /** {@return the least share that there is} */
    public static double coresMin() {
        return (double) QUOTA_MICROS_MIN / PERIOD_MICROS;
    }

    /** {@return why there can be none, or nothing} */
    public static String obstacle() throws IOException {
        return LimitedGroup.Controller.CPU.obstacle();
    }

    /**
     * Makes a group.
     *
     * @param name of its folder; one that is there and holds no processes is taken over
     * @param cores how many its processes get together, such as 0.3; at least {@link #coresMin}
     */
    public static CpuLimit make(String name, double cores) throws IOException {
        int quota = (int) Math.round(cores * PERIOD_MICROS);
        if (quota < QUOTA_MICROS_MIN) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT, "%.2f cores are too few: at least %.2f", cores, coresMin()));
        }
        LimitedGroup group = LimitedGroup.make(LimitedGroup.Controller.CPU, name);
        if (LimitedGroup.isSecond()) {
            group.set("cpu.max", quota + " " + PERIOD_MICROS);
        } else {
            group.set("cpu.cfs_period_us", Integer.toString(PERIOD_MICROS));
            group.set("cpu.cfs_quota_us", Integer.toString(quota));
        }
        return new CpuLimit(group);
    }

    /** Puts a process with all its threads under the limit. */
    public void add(long processId) throws IOException {
        group.add(processId);
    }

    /**
     * {@return for how many nanoseconds its processes had work and had used up their share, all CPUs
     * together}
     */
    public long throttledNanos() throws IOException {
        Long nanos = GroupCpu.throttled(Files.readString(group.file("cpu.stat")));
        return nanos == null ? 0 : nanos;
    }

    @Override
    public void close() throws IOException {
        group.close();
    }
}
