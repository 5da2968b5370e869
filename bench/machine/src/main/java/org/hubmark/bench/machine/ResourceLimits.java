package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What a process is held to, by pinning and by its control groups. Null is no limit, or one that can't
 * be seen.
 *
 * @param allowedCores by affinity and cpuset, as a list: 0-3,8
 * @param cpuQuotaCores CPU time in cores, the least of the group's and those above
 */
public record ResourceLimits(
        @Nullable String allowedCores, @Nullable Double cpuQuotaCores) {
    private static final String ROOT = "sys/fs/cgroup";

    /** {@return those of a process; all null when there is none} */
    public static ResourceLimits of(long processId) {
        return of(HostFiles.HERE, Long.toString(processId));
    }

    /** {@return the numbers of the allowed cores; none when they can't be seen} */
    public Set<Integer> cores() {
        Set<Integer> cores = new TreeSet<>();
        String[] ranges = allowedCores == null ? new String[0] : allowedCores.split(",", -1);
        for (String range : ranges) {
            int dash = range.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
            int last = Integer.parseInt(range.substring(dash + 1));
            for (int core = first; core <= last; core++) {
                cores.add(core);
            }
        }
        return cores;
    }

    /** Reads the limits of a process by its number, or self. */
    static ResourceLimits of(HostFiles host, String process) {
        String status = "proc/" + process + "/status";
        Limit quota = quota(host, process);
        return new ResourceLimits(
                host.value(status, "Cpus_allowed_list", ":"),
                quota == null ? null : (Double) quota.value());
    }

    /**
     * {@return where the group counts its CPU time that sets the limit of a process; null without one}
     * In the first version two controllers have a group each, which is the same only by its name.
     */
    static @Nullable GroupCpu limitedCpu(HostFiles host, String process) {
        Limit quota = quota(host, process);
        if (quota == null || quota.isSecond()) {
            return quota == null ? null : new GroupCpu(quota.folder(), quota.folder());
        }
        return group(host, process, "cpu").equals(group(host, process, "cpuacct"))
                ? new GroupCpu(quota.folder(), quota.folder().replaceFirst("/cpu\\b", "/cpuacct"))
                : null;
    }

    /** The least of the limits of a group and of those above it. */
    private record Limit(String folder, double value, boolean isSecond) {}

    private static @Nullable Limit quota(HostFiles host, String process) {
        Limit second = least(host, process, "", folder -> {
            String[] words = host.text(folder + "/cpu.max").strip().split(" ", -1);
            return words.length < 2 || words[0].equals("max")
                    ? null
                    : (Double) (Double.parseDouble(words[0]) / Double.parseDouble(words[1]));
        });
        return second != null
                ? second
                : least(host, process, "cpu", folder -> {
                    Long quota = host.number(folder + "/cpu.cfs_quota_us");
                    Long period = host.number(folder + "/cpu.cfs_period_us");
                    return quota == null || period == null || quota <= 0
                            ? null
                            : (Double) (quota.doubleValue() / period);
                });
    }

    /** {@return the path of its group: of a controller, or of the second version, which has none} */
    private static String group(HostFiles host, String process, String controller) {
        for (String line : host.text("proc/" + process + "/cgroup").lines().toList()) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && ("," + parts[1] + ",").contains("," + controller + ",")) {
                return parts[2];
            }
        }
        return "/";
    }

    /**
     * A group is held to what those above it are held to as well.
     *
     * @param controller of the first version; empty for the second
     */
    private static @Nullable Limit least(
            HostFiles host,
            String process,
            String controller,
            Function<String, @Nullable Double> limits) {
        String group = group(host, process, controller);
        String root = ROOT + (controller.isEmpty() ? "" : "/" + controller);
        Limit least = null;
        String path = group.equals("/") ? "" : group;
        while (true) {
            Double limit = limits.apply(root + path);
            if (limit != null && (least == null || limit < least.value())) {
                least = new Limit(root + path, limit, controller.isEmpty());
            }
            if (path.isEmpty()) {
                return least;
            }
            path = path.substring(0, path.lastIndexOf('/'));
        }
    }
}
