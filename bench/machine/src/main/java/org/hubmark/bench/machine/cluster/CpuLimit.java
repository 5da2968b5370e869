package org.hubmark.bench.machine.cluster;

import org.hubmark.bench.UserError;
import org.hubmark.bench.machine.volumes.SystemTool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A control group whose processes together get no more than a share of the CPU (the kernel's
 * Documentation/scheduler/sched-bwc.rst for version 1, admin-guide/cgroup-v2.rst for version 2). Takes
 * root. The group goes when it is closed, and its processes, if any are left, go back to the top.
 */
public final class CpuLimit implements AutoCloseable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final Path FIRST = ROOT.resolve("cpu");
    private static final String PROCESSES = "cgroup.procs";

    /** Short, so that who has used up its share does not wait long for the next one. */
    private static final int PERIOD_MICROS = 10_000;

    /** The kernel takes no less. */
    private static final int QUOTA_MICROS_MIN = 1000;

    private static final int POLL_MILLIS = 10;
    private static final int POLLS_MAX = 200;

    private final Path group;
    private final boolean second;

    private CpuLimit(Path group, boolean second) {
        this.group = group;
        this.second = second;
    }

    /** {@return the least share that there is} */
    public static double coresMin() {
        return (double) QUOTA_MICROS_MIN / PERIOD_MICROS;
    }

    /** {@return why there can be none, or nothing} */
    public static String obstacle() throws IOException {
        if (!SystemTool.root()) {
            return "control groups take root";
        }
        if (isSecond()) {
            return Files.readString(ROOT.resolve("cgroup.controllers")).contains("cpu")
                    ? ""
                    : "the control groups of this machine have no controller for CPU";
        }
        return Files.isWritable(FIRST.resolve(PROCESSES))
                ? ""
                : "this machine has no control groups for CPU at " + FIRST;
    }

    /**
     * Makes a group.
     *
     * @param name of its folder; one that is there and holds no processes is taken over
     * @param cores how many its processes get together, such as 0.3; at least {@link #coresMin}
     */
    public static CpuLimit make(String name, double cores) throws IOException {
        String obstacle = obstacle();
        if (!obstacle.isEmpty()) {
            throw UserError.failed(obstacle);
        }
        int quota = (int) Math.round(cores * PERIOD_MICROS);
        if (quota < QUOTA_MICROS_MIN) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT, "%.2f cores are too few: at least %.2f", cores, coresMin()));
        }
        boolean second = isSecond();
        if (second) {
            write(ROOT.resolve("cgroup.subtree_control"), "+cpu");
        }
        Path group = Files.createDirectories((second ? ROOT : FIRST).resolve(name));
        if (second) {
            write(group.resolve("cpu.max"), quota + " " + PERIOD_MICROS);
        } else {
            write(group.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
            write(group.resolve("cpu.cfs_quota_us"), Integer.toString(quota));
        }
        return new CpuLimit(group, second);
    }

    /** Puts a process with all its threads under the limit. */
    public void add(long processId) throws IOException {
        write(group.resolve(PROCESSES), Long.toString(processId));
    }

    /**
     * {@return for how many nanoseconds its processes had work and had used up their share, all CPUs
     * together}
     */
    public long throttledNanos() throws IOException {
        String unit = second ? "throttled_usec " : "throttled_time ";
        for (String line : Files.readAllLines(group.resolve("cpu.stat"))) {
            if (line.startsWith(unit)) {
                long time = Long.parseLong(line.substring(unit.length()).strip());
                return second ? 1000 * time : time;
            }
        }
        return 0;
    }

    @Override
    public void close() throws IOException {
        Path top = (second ? ROOT : FIRST).resolve(PROCESSES);
        for (String process : Files.readAllLines(group.resolve(PROCESSES))) {
            var unused = move(process, top);
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

    /** One that has ended in between is let be; one that can't be moved keeps the group, and that is said. */
    private static boolean move(String process, Path to) {
        try {
            write(to, process);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isEmpty() throws IOException {
        return Files.readString(group.resolve(PROCESSES)).isBlank();
    }

    private static boolean isSecond() {
        return Files.exists(ROOT.resolve("cgroup.controllers"));
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
    }
}
