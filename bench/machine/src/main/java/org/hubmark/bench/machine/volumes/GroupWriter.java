package org.hubmark.bench.machine.volumes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a volume holds when it is written to as the intake log writes, by nothing else. Blocks. */
public final class GroupWriter {
    private GroupWriter() {}

    /**
     * {@return groups a second}
     *
     * @param folder on the volume; nothing is left in it
     * @param groupBytes of each write
     * @param environment added to this process's own: an emulated device, say
     * @throws IOException if the volume can't be written
     */
    public static double groupsPerSecond(
            Path folder, int groupBytes, Duration time, Map<String, String> environment)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.add("-XX:MaxDirectMemorySize=" + (groupBytes + (64L << 20)));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(GroupWriterMain.class.getName());
        command.addAll(List.of(
                folder.toString(), Integer.toString(groupBytes), Long.toString(time.toMillis())));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            String said = new String(
                            process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .trim();
            Double rate = process.waitFor() == 0 ? rate(said) : null;
            if (rate == null) {
                throw new IOException("the log volume " + folder + " could not be measured: "
                        + said.lines().findFirst().orElse("nothing was said"));
            }
            return rate;
        } finally {
            process.destroyForcibly();
        }
    }

    private static @Nullable Double rate(String said) {
        String[] numbers = said.lines().reduce("", (first, last) -> last).split(" ", -1);
        try {
            return Long.parseLong(numbers[0]) * 1e9 / Long.parseLong(numbers[1]);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return null;
        }
    }
}
