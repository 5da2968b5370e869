package org.hubmark.bench.machine.cluster;

import org.hubmark.bench.machine.GroupCpu;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A control group whose processes together get no more than a share of the CPU (the kernel's
 * Documentation/scheduler/sched-bwc.rst for version 1, admin-guide/cgroup-v2.rst for version 2), whichever
 * version the machine has. Takes root. The group goes when it is closed, and its processes, if any are left, go
 * back to the top.
 */
public final class CpuLimit implements AutoCloseable {
    /** Short, so that who has used up its share does not wait long for the next one. */
    private static final int PERIOD_MICROS = 10_000;

    /** The kernel takes no less. */
    private static final int QUOTA_MICROS_MIN = 1000;

    private static final Path ROOT = Path.of("/sys/fs/cgroup");

    /** Only version 2 has it. */
    private static final Path CONTROLLERS = ROOT.resolve("cgroup.controllers");

    private static final String PROCESSES = "cgroup.procs";
    private static final int POLL_MILLIS = 10;
    private static final int POLLS_MAX = 200;

    private final Path group;

    private CpuLimit(Path group) {
        this.group = group;
    }

    /** {@return the least share that there is} */
    public static double coresMin() {
        return (double) QUOTA_MICROS_MIN / PERIOD_MICROS;
    }

    /** {@return why there can be none, or nothing} */
    public static String obstacle() throws IOException {
        if (!SystemTool.root()) {
            return "control groups need root";
        }
        return Files.isWritable(top().resolve(PROCESSES))
                ? ""
                : "this machine has no control groups at " + top();
    }

    private static boolean isSecond() {
        return Files.exists(CONTROLLERS);
    }

    private static Path top() {
        return isSecond() ? ROOT : ROOT.resolve("cpu");
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
        String obstacle = obstacle();
        if (!obstacle.isEmpty()) {
            throw UserError.failed(obstacle);
        }
        if (isSecond()) {
            Files.writeString(ROOT.resolve("cgroup.subtree_control"), "+cpu");
        }
        CpuLimit limit = new CpuLimit(Files.createDirectories(top().resolve(name)));
        if (isSecond()) {
            limit.set("cpu.max", quota + " " + PERIOD_MICROS);
        } else {
            limit.set("cpu.cfs_period_us", Integer.toString(PERIOD_MICROS));
            limit.set("cpu.cfs_quota_us", Integer.toString(quota));
        }
        return limit;
    }

    private void set(String file, String text) throws IOException {
        Files.writeString(group.resolve(file), text);
    }

    /** Puts a process with all its threads under the limit. */
    public void add(long processId) throws IOException {
        set(PROCESSES, Long.toString(processId));
    }

    /**
     * {@return for how many nanoseconds its processes had work and had used up their share, all CPUs
     * together}
     */
    public long throttledNanos() throws IOException {
        Long nanos = GroupCpu.throttled(Files.readString(group.resolve("cpu.stat")));
        return nanos == null ? 0 : nanos;
    }

    @Override
    public void close() throws IOException {
        for (String process : Files.readAllLines(group.resolve(PROCESSES))) {
            try {
                Files.writeString(top().resolve(PROCESSES), process);
            } catch (IOException e) {
                // One that has ended in between is let be; one that can't be moved keeps the group.
            }
        }
        // One that was killed is in it until its last thread has gone.
        for (int poll = 0; poll < POLLS_MAX && !isEmpty(); poll++) {
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        Files.delete(group);
    }

    private boolean isEmpty() throws IOException {
        return Files.readString(group.resolve(PROCESSES)).isBlank();
    }
}
