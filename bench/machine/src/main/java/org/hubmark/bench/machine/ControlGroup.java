package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A server in a control group: everything that ever ran in it, those that have ended too, exactly
 * (the kernel's Documentation/admin-guide: cgroup-v2.rst, cpu.stat; cgroup-v1/cpuacct.rst).
 */
public final class ControlGroup implements ServerCpu {
    private static final String ROOT = "sys/fs/cgroup";

    private final HostFiles host;
    private final String folder;
    private final boolean second;

    private ControlGroup(HostFiles host, String folder, boolean second) {
        this.host = host;
        this.folder = folder;
        this.second = second;
    }

    /**
     * {@return the group}
     *
     * @param path as a folder, or below /sys/fs/cgroup
     * @param option that named it, for the message
     * @throws UserError when there is no such group, or it doesn't count CPU time
     */
    public static ControlGroup named(String path, HostFiles host, String option) {
        for (String folder : folders(path)) {
            for (boolean second : List.of(true, false)) {
                ControlGroup group = new ControlGroup(host, folder, second);
                if (group.nanos() != null) {
                    return group;
                }
            }
        }
        throw UserError.usage(option + " " + path + " is not a control group with cpu.stat or"
                + " cpuacct.usage, as it stands or below /" + ROOT);
    }

    /** {@return where a group of that path may be} */
    private static List<String> folders(String path) {
        String name = path.replaceFirst("^/+", "");
        return List.of(
                name, ROOT + "/" + name, ROOT + "/cpuacct/" + name, ROOT + "/unified/" + name);
    }

    @Override
    public @Nullable Long nanos() {
        return second
                ? GroupCpu.usage(host.text(folder + "/cpu.stat"))
                : host.number(folder + "/cpuacct.usage");
    }

    @Override
    public Set<Long> processIds() {
        Set<Long> ids = new HashSet<>();
        host.text(folder + "/cgroup.procs").lines().forEach(line -> ids.add(Long.valueOf(line)));
        return ids;
    }
}
