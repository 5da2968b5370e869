package org.hubmark.schedules;

import org.hubmark.queue.simulation.SimulatedDatabase;
import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs scenarios in JVMs that Fray leads. */
final class ScheduledJvm {
    /** A JVM that takes so much longer than its time hangs. */
    private static final int HANG_SECONDS = 120;

    private static final String RESULT = "RESULT ";
    private static final Path MEMORY = Path.of("/dev/shm");

    /** What locks by itself, or does so for whom: the scheduler would not know of it. */
    private static final String NOT_LED = String.join(
            ",",
            "org.rocksdb.",
            "io.netty.",
            ScheduleSearch.class.getName(),
            Turns.class.getName());

    private final Path target;
    private final InstrumentedRuntime runtime;

    /**
     * What came of a search.
     *
     * @param found whether a schedule failed
     * @param number of that schedule; else how many were tried
     * @param output of the JVM
     */
    record Result(boolean found, int number, String output) {}

    ScheduledJvm(Path target) throws IOException, InterruptedException {
        this.target = target;
        this.runtime = InstrumentedRuntime.make(target);
    }

    /**
     * What is searched.
     *
     * @param mutant in which; none is the hub as it is
     */
    record Trial(Scenario scenario, @Nullable PutBack mutant, long seed) {}

    /** Tries a schedule again. What is loaded once in a JVM was loaded before, by the first one. */
    Result again(Trial trial, int number) throws IOException, InterruptedException {
        return search(trial, number, number == 0 ? 1 : 2, HANG_SECONDS);
    }

    /**
     * Tries so many schedules, for so many seconds at most, until one fails.
     *
     * @param second number of the schedule that is tried after the first one
     */
    Result search(Trial trial, int second, int schedulesMax, int seconds)
            throws IOException, InterruptedException {
        Path home = Files.createTempDirectory(
                Files.isWritable(MEMORY) ? MEMORY : target, "hubmark-schedules-");
        try {
            Path changed = Files.createDirectory(home.resolve("mutant"));
            if (trial.mutant != null) {
                trial.mutant.write(changed);
            }
            List<String> command = new ArrayList<>();
            command.add(runtime.java().toString());
            command.addAll(runtime.agents());
            command.addAll(List.of(
                    "-Xmx512m",
                    "-XX:+UseSerialGC",
                    // No JVM lives long enough to earn back what the second compiler takes.
                    "-XX:TieredStopAtLevel=1",
                    "-Dfray.transformation.excludePrefixes=" + NOT_LED,
                    "-Djava.library.path=" + System.getProperty("java.library.path"),
                    "-Dschedules.home=" + home,
                    "-cp",
                    // This module's pool of buffers stands for the hub's.
                    String.join(
                            File.pathSeparator,
                            changed.toString(),
                            target.resolve("test-classes").toString(),
                            System.getProperty("java.class.path")),
                    ScheduleSearch.class.getName(),
                    trial.scenario.name(),
                    home.resolve("fray").toString(),
                    String.valueOf(trial.seed),
                    String.valueOf(second),
                    String.valueOf(schedulesMax),
                    String.valueOf(seconds)));
            Path log = home.resolve("output");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            // What RocksDB has freed is garbage at once, so that a use after its end crashes.
            builder.environment().put("MALLOC_PERTURB_", "165");
            Process process = builder.start();
            boolean ended = process.waitFor(seconds + HANG_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly().waitFor();
            return result(ended, Files.readString(log));
        } finally {
            SimulatedDatabase.delete(home);
        }
    }

    private static Result result(boolean ended, String output) {
        String last = output.strip().lines().reduce("", (before, line) -> line);
        if (!ended || !last.startsWith(RESULT)) {
            throw new AssertionError((ended ? "the JVM ended" : "the JVM hung") + ": " + output);
        }
        String[] words = last.substring(RESULT.length()).split(" ", -1);
        return new Result(words[0].equals("found"), Integer.parseInt(words[1]), output);
    }
}
