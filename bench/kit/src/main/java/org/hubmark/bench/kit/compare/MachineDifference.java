package org.hubmark.bench.kit.compare;

import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.volumes.Storage;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What two results don't have in common of the machines that they were measured on.
 *
 * @param name as {@code compare --across} takes it
 * @param text what it was in each
 * @param isCondition whether it keeps the two from being compared; else it is only said
 */
public record MachineDifference(String name, String text, boolean isCondition) {
    /** All that can be a condition. */
    public static final List<String> NAMES = List.of("device", "filesystem");

    /** {@return all differences} Those of CPU, kernel and JDK are said, and so is what is known of one only. */
    public static List<MachineDifference> between(Environment a, Environment b) {
        List<MachineDifference> found = new ArrayList<>();
        Map<String, Function<VolumeDisclosure, @Nullable String>> ofVolumes = new LinkedHashMap<>();
        ofVolumes.put("device", MachineDifference::device);
        ofVolumes.put("filesystem", VolumeDisclosure::filesystem);
        List<String> others = b.volumes().stream().map(VolumeDisclosure::role).toList();
        a.volumes().stream()
                .map(VolumeDisclosure::role)
                .distinct()
                .filter(others::contains)
                .forEach(role -> ofVolumes.forEach((name, what) ->
                        add(name, " of " + role, all(role, a, what), all(role, b, what), found)));
        add("cpu", "", cpu(a), cpu(b), found);
        add("kernel", "", a.software().kernel(), b.software().kernel(), found);
        add("jdk", "", a.software().jdk(), b.software().jdk(), found);
        return found;
    }

    private static String cpu(Environment machine) {
        return machine.processor().logicalCores() + " cores of "
                + Objects.requireNonNullElse(machine.processor().cpuModel(), "an unknown CPU");
    }

    /** Of a matrix a role may have several; null where one of them isn't known. */
    private static @Nullable String all(
            String role, Environment machine, Function<VolumeDisclosure, @Nullable String> what) {
        Set<String> known = new TreeSet<>();
        for (VolumeDisclosure volume : machine.volumes()) {
            if (volume.role().equals(role)) {
                String one = what.apply(volume);
                if (one == null) {
                    return null;
                }
                known.add(one);
            }
        }
        return String.join(", ", known);
    }

    private static void add(
            String name,
            String of,
            @Nullable String from,
            @Nullable String to,
            List<MachineDifference> found) {
        if (Objects.equals(from, to)) {
            return;
        }
        boolean isKnown = from != null && to != null;
        String text = isKnown
                ? " differs: " + from + " and " + to
                : from == null ? " is known of B only: " + to : " is known of A only: " + from;
        boolean isCondition = isKnown && NAMES.contains(name);
        found.add(new MachineDifference(name, name + of + text, isCondition));
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
}
