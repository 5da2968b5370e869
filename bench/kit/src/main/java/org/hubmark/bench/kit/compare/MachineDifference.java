package org.hubmark.bench.kit.compare;

import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.volumes.Storage;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What two results don't have in common of the machines that they were measured on.
 *
 * @param name as {@code compare --across} takes it
 * @param text what it was in each
 * @param isCondition whether it keeps the two from being compared; else it is only said
 */
public record MachineDifference(String name, String text, boolean isCondition) {
    private static final String DEVICE = "device";
    private static final String FILE_SYSTEM = "filesystem";
    private static final String KERNEL = "kernel";
    private static final String JDK = "jdk";

    /** All that can be a condition. */
    public static final List<String> NAMES = List.of(DEVICE, FILE_SYSTEM, KERNEL, JDK);

    /** A series of kernels, 6.12; what follows are fixes. */
    private static final Pattern SERIES = Pattern.compile("\\d+\\.\\d+");

    /** A release of the JDK, 25; what follows are fixes. The name of its vendor has no digit. */
    private static final Pattern RELEASE = Pattern.compile("\\d+");

    /**
     * {@return all differences} Of a kernel the series counts and of a JDK the release: what differs less is
     * said, and so is what is known of one only.
     */
    public static List<MachineDifference> between(Environment a, Environment b) {
        List<MachineDifference> found = new ArrayList<>();
        Set<String> roles = new LinkedHashSet<>();
        a.volumes().forEach(volume -> roles.add(volume.role()));
        for (String role : roles) {
            List<VolumeDisclosure> before = of(role, a);
            List<VolumeDisclosure> after = of(role, b);
            if (!after.isEmpty()) {
                String of = " of " + role;
                add(
                        DEVICE,
                        of,
                        all(before, MachineDifference::device),
                        all(after, MachineDifference::device),
                        true,
                        found);
                add(
                        FILE_SYSTEM,
                        of,
                        all(before, VolumeDisclosure::filesystem),
                        all(after, VolumeDisclosure::filesystem),
                        true,
                        found);
            }
        }
        String from = a.software().kernel();
        String to = b.software().kernel();
        add(KERNEL, "", from, to, !isAlike(SERIES, from, to), found);
        from = a.software().jdk();
        to = b.software().jdk();
        add(JDK, "", from, to, !isAlike(RELEASE, from, to), found);
        return found;
    }

    private static List<VolumeDisclosure> of(String role, Environment environment) {
        return environment.volumes().stream()
                .filter(volume -> volume.role().equals(role))
                .toList();
    }

    /** Of a matrix a role may have several; null where one of them isn't known. */
    private static @Nullable String all(
            List<VolumeDisclosure> volumes, Function<VolumeDisclosure, @Nullable String> what) {
        Set<String> known = new TreeSet<>();
        for (VolumeDisclosure volume : volumes) {
            String one = what.apply(volume);
            if (one == null) {
                return null;
            }
            known.add(one);
        }
        return String.join(", ", known);
    }

    private static void add(
            String name,
            String of,
            @Nullable String from,
            @Nullable String to,
            boolean isCondition,
            List<MachineDifference> found) {
        if (Objects.equals(from, to)) {
            return;
        }
        boolean isKnown = from != null && to != null;
        String text = isKnown
                ? " differs: " + from + " and " + to
                : from == null ? " is known of B only: " + to : " is known of A only: " + from;
        found.add(new MachineDifference(name, name + of + text, isCondition && isKnown));
    }

    /** Models, or what the kernel calls them; the numbers of loop devices are those that were free. */
    private static @Nullable String device(VolumeDisclosure volume) {
        Storage storage = volume.storage();
        if (storage == null || storage.disks().isEmpty()) {
            return name(volume.device());
        }
        return storage.disks().stream()
                .map(disk -> disk.model() == null ? name(disk.device()) : disk.model())
                .collect(Collectors.joining(" + "));
    }

    private static @Nullable String name(@Nullable String device) {
        return device == null ? null : device.replaceFirst("^(/dev/)?loop\\d+$", "loop");
    }

    private static boolean isAlike(Pattern first, @Nullable String from, @Nullable String to) {
        Matcher before = first.matcher(from == null ? "" : from);
        Matcher after = first.matcher(to == null ? "" : to);
        return before.find() && after.find() && before.group().equals(after.group());
    }
}
