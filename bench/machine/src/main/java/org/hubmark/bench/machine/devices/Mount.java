package org.hubmark.bench.machine.devices;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One mounted file system, from /proc/self/mountinfo (proc_pid_mountinfo(5)).
 *
 * @param device by its numbers, as major:minor; of a file system without a device, too
 * @param point where
 * @param filesystem its type
 * @param source what is mounted, as the kernel names it
 * @param options of the mount and of the file system
 */
public record Mount(String device, Path point, String filesystem, String source, String options) {
    /** {@return all that this process sees, in the order of mounting} */
    public static List<Mount> all() {
        return parse(HostFiles.HERE.text("proc/self/mountinfo"));
    }

    /**
     * {@return what holds a path, by a mountinfo; null if it can't be told} The longest mount point wins; of
     * two on the same point, the later one.
     */
    static @Nullable Mount parse(String mountinfo, Path path) {
        Mount best = null;
        for (Mount mount : parse(mountinfo)) {
            Path point = mount.point();
            if (path.startsWith(point)
                    && (best == null || point.getNameCount() >= best.point().getNameCount())) {
                best = mount;
            }
        }
        return best;
    }

    private static List<Mount> parse(String mountinfo) {
        List<Mount> mounts = new ArrayList<>();
        for (String line : mountinfo.lines().toList()) {
            int dash = line.indexOf(" - ");
            if (dash >= 0) {
                String[] left = line.substring(0, dash).split(" ", -1);
                String[] right = line.substring(dash + 3).split(" ", -1);
                mounts.add(new Mount(
                        left[2],
                        Path.of(unescape(left[4])),
                        right[0],
                        unescape(right[1]),
                        options(left[5], right[2])));
            }
        }
        return mounts;
    }

    /** {@return whether a file system mounted so flushes the write cache of its device} */
    boolean barriers() {
        return Stream.of(options.split(",", -1))
                .noneMatch(option -> option.equals("nobarrier") || option.equals("barrier=0"));
    }

    /** Those of the mount, then those of the file system; what both say stands once. */
    private static String options(String mount, String filesystem) {
        return Stream.of(mount, filesystem)
                .flatMap(options -> Stream.of(options.split(",", -1)))
                .distinct()
                .collect(Collectors.joining(","));
    }

    /** Blank, tab, line feed and backslash stand as octal numbers. */
    private static String unescape(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\\' && i + 3 < text.length()) {
                plain.append((char) Integer.parseInt(text.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                plain.append(text.charAt(i));
            }
        }
        return plain.toString();
    }
}
