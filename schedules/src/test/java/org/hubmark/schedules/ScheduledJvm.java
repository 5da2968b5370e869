package org.hubmark.schedules;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs scenarios in JVMs that Fray leads. */
final class ScheduledJvm {
    /** A JVM that takes so much longer than its time hangs. */
    private static final int HANG_SECONDS = 120;

    private static final String RESULT = "RESULT ";
    private static final Path MEMORY = Path.of("/dev/shm");

    /** What locks by itself, or does so for whom: the scheduler would not know of it. */
    private static final String NOT_LED =
            "org.rocksdb.,io.netty.,org.hubmark.schedules.ScheduleSearch,"
                    + "org.hubmark.schedules.Turns,org.hubmark.schedules.ReplayedTurns,"
                    + "org.hubmark.schedules.Drawn";

    private final Path target;
    private final InstrumentedRuntime runtime;
    private final Path rocks;

    /**
     * What came of a search.
     *
     * @param outcome {@code found}, {@code none}, or {@code differs} for a schedule that does not fit
     * @param schedules tried
     * @param output of the JVM
     */
    record Result(String outcome, int schedules, String output) {
        boolean isFound() {
            return outcome.equals("found");
        }

        /** {@return whether the scenario failed, be it by another schedule than the one in the file} */
        boolean isFailed() {
            return isFound() || (outcome.equals("differs") && output.contains("\tat org.hubmark."));
        }
    }

    ScheduledJvm(Path target) throws IOException, InterruptedException {
        this.target = target;
        this.runtime = InstrumentedRuntime.make(target);
        this.rocks = target.resolve("rocksdb-without-native");
        if (!Files.exists(rocks)) {
            WithoutNative.write(rocksdb(), rocks);
        }
    }

    /** {@return where the schedule of a scenario is when it fails} */
    Path file(String scenario, String mutant) {
        return target.resolve("schedules")
                .resolve(scenario + (mutant.isEmpty() ? "" : "-" + mutant) + ".schedule");
    }

    /** Tries so many schedules, for so many seconds at most, until one fails. */
    Result search(String scenario, String mutant, long seed, int schedulesMax, int seconds)
            throws IOException, InterruptedException {
        return run(
                scenario,
                mutant,
                seconds,
                List.of(
                        String.valueOf(seed),
                        String.valueOf(schedulesMax),
                        String.valueOf(seconds)));
    }

    /** Runs a scenario by the schedule in a file. */
    Result replay(Path file) throws IOException, InterruptedException {
        ScheduleFile schedule = ScheduleFile.read(file);
        return run(schedule.scenario(), schedule.mutant(), 0, List.of(file.toString()));
    }

    private Result run(String scenario, String mutant, int seconds, List<String> arguments)
            throws IOException, InterruptedException {
        Path home = Files.createTempDirectory(
                Files.isWritable(MEMORY) ? MEMORY : target, "hubmark-schedules-");
        try {
            List<String> command = new ArrayList<>();
            command.add(runtime.java().toString());
            command.addAll(runtime.agents());
            command.addAll(List.of(
                    "-Xmx512m",
                    "-XX:+UseSerialGC",
                    // No JVM lives long enough to earn back what the second compiler takes.
                    "-XX:TieredStopAtLevel=1",
                    "-Dfray.transformation.excludePrefixes=" + NOT_LED,
                    "-Dschedules.home=" + home,
                    "-cp",
                    classPath(mutant, home),
                    ScheduleSearch.class.getName(),
                    scenario,
                    mutant,
                    Files.createDirectories(target.resolve("schedules")).toString()));
            command.addAll(arguments);
            Path log = home.resolve("output");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            boolean ended = process.waitFor(seconds + HANG_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly().waitFor();
            return result(ended, Files.readString(log));
        } finally {
            InstrumentedRuntime.delete(home);
        }
    }

    private static Result result(boolean ended, String output) {
        String last = output.strip().lines().reduce("", (before, line) -> line);
        if (!ended || !last.startsWith(RESULT)) {
            throw new AssertionError((ended ? "the JVM ended" : "the JVM hung") + ": " + output);
        }
        String[] words = last.substring(RESULT.length()).split(" ", -1);
        return new Result(words[0], Integer.parseInt(words[1]), output);
    }

    /** The class that is changed, what stands for RocksDB, RocksDB without its native methods, the rest. */
    private String classPath(String mutant, Path home) throws IOException {
        Path changed = home.resolve("mutant");
        if (!mutant.isEmpty()) {
            PutBack.of(mutant).write(changed);
        }
        return String.join(
                File.pathSeparator,
                changed.toString(),
                target.resolve("test-classes").toString(),
                rocks.toString(),
                System.getProperty("java.class.path"));
    }

    private static Path rocksdb() {
        // The class loader has this module's classes of that package first.
        String path = System.getProperty(
                "surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(path.split(File.pathSeparator))
                .filter(entry -> entry.contains("rocksdbjni"))
                .map(Path::of)
                .findFirst()
                .orElseThrow();
    }
}
