package org.hubmark.bench.machine.devices;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** ZFS pools, whose disks the kernel shows in no file: what {@code zpool status -P} says of them. */
final class Pools {
    private static final long SECONDS_MAX = 5;
    private static final Set<String> UNUSED = Set.of("cache", "spares");
    private static final String GROUP = "(mirror|raidz\\d?|draid\\d?)(:\\S+)?-\\d+";

    private Pools() {}

    /** {@return what it says; null where it is not installed or doesn't answer} */
    static @Nullable String status(String pool) {
        return answer(List.of("zpool", "status", "-P", pool));
    }

    /** {@return what a command says that ends well; it has ended when this returns, or is killed} */
    static @Nullable String answer(List<String> command) {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            return null;
        }
        try {
            process.getOutputStream().close();
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                return null;
            }
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.exitValue() == 0 ? said : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            process.destroyForcibly();
        }
    }

    /** {@return the devices and files of a pool that hold data or its log} */
    static List<String> members(String status) {
        List<String> members = new ArrayList<>();
        String section = "";
        for (String line : status.lines().toList()) {
            String name = line.strip().split("\\s+", 2)[0];
            if (line.startsWith("\t") && !line.startsWith("\t ")) {
                section = name;
            }
            if (line.startsWith("\t") && name.startsWith("/") && !UNUSED.contains(section)) {
                members.add(name);
            }
        }
        return members;
    }

    /** {@return mirror, raidz2, ...; null for none} */
    static @Nullable String raid(String status) {
        Set<String> levels = status.lines()
                .map(line -> line.strip().split("\\s+", 2)[0])
                .filter(name -> name.matches(GROUP))
                .map(name -> name.replaceFirst("-\\d+$", ""))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return levels.isEmpty() ? null : String.join(", ", levels);
    }
}
