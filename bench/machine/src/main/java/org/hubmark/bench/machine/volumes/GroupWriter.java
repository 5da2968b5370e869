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
     * Groups of about one size.
     *
     * @param weight how often such a one is written, beside those of the other sizes
     * @param writes before the sync of each
     * @param writeBytes of each write
     * @param messages in each, on average
     */
    public record Groups(long weight, int writes, int writeBytes, double messages) {
        /** Reads what {@link #toString} says. */
        static Groups parse(String text) {
            String[] numbers = text.split(":", -1);
            return new Groups(
                    Long.parseLong(numbers[0]),
                    Integer.parseInt(numbers[1]),
                    Integer.parseInt(numbers[2]),
                    Double.parseDouble(numbers[3]));
        }

        @Override
        public String toString() {
            return weight + ":" + writes + ":" + writeBytes + ":" + messages;
        }
    }

    /**
     * {@return messages a second, in groups whose sizes are drawn from those given}
     *
     * @param folder on the volume; nothing is left in it
     * @param sizes at least one
     * @param seed of the order in which they come
     * @param environment added to this process's own: an emulated device, say
     * @throws IOException if the volume can't be written
     */
    public static double messagesPerSecond(
            Path folder,
            List<Groups> sizes,
            long seed,
            Duration time,
            Map<String, String> environment)
            throws IOException, InterruptedException {
        long writeBytesMax = sizes.stream().mapToInt(Groups::writeBytes).max().orElseThrow();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.add("-XX:MaxDirectMemorySize=" + (writeBytesMax + (64L << 20)));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(GroupWriterMain.class.getName());
        command.addAll(
                List.of(folder.toString(), Long.toString(time.toMillis()), Long.toString(seed)));
        sizes.forEach(groups -> command.add(groups.toString()));
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
            return Double.parseDouble(numbers[0]) * 1e9 / Long.parseLong(numbers[1]);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return null;
        }
    }
}
