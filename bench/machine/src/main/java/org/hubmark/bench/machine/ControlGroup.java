package org.hubmark.bench.machine;

import org.hubmark.bench.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A server in a control group: everything that ever ran in it, those that have ended too, exactly
 * (the kernel's Documentation/admin-guide: cgroup-v2.rst, cpu.stat; cgroup-v1/cpuacct.rst).
 */
public final class ControlGroup implements ServerCpu {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final String USAGE = "usage_usec ";

    private final Path file;
    private final boolean second;

    private ControlGroup(Path file, boolean second) {
        this.file = file;
        this.second = second;
    }

    /**
     * {@return the group}
     *
     * @param path as a folder, or below /sys/fs/cgroup
     * @throws UserError when there is no such group, or it doesn't count CPU time
     */
    public static ControlGroup at(String path) {
        String name = path.replaceFirst("^/+", "");
        List<Path> folders = List.of(
                Path.of(path),
                ROOT.resolve(name),
                ROOT.resolve("cpuacct").resolve(name),
                ROOT.resolve("unified").resolve(name));
        for (Path folder : folders) {
            for (ControlGroup group : List.of(
                    new ControlGroup(folder.resolve("cpu.stat"), true),
                    new ControlGroup(folder.resolve("cpuacct.usage"), false))) {
                if (group.nanos() != null) {
                    return group;
                }
            }
        }
        throw UserError.usage("--target-cgroup " + path + " is not a control group with cpu.stat or"
                + " cpuacct.usage, as it stands or below " + ROOT);
    }

    @Override
    public @Nullable Long nanos() {
        try {
            String text = Files.readString(file);
            return second ? usage(text) : Long.valueOf(text.trim());
        } catch (IOException e) {
            return null;
        }
    }

    static @Nullable Long usage(String text) {
        for (String line : text.lines().toList()) {
            if (line.startsWith(USAGE)) {
                return Long.parseLong(line.substring(USAGE.length()).trim()) * 1000;
            }
        }
        return null;
    }
}
