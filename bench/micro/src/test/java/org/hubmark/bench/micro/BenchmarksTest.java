package org.hubmark.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.nio.file.Path;
import java.util.Collection;

/** Proves that every benchmark runs, with each of its parameters: once, in this JVM, for 1 ms. */
class BenchmarksTest {
    @Test
    void everyBenchmarkRuns() {
        // Another build on this machine may be running JMH too; nothing is measured here.
        System.setProperty("jmh.ignoreLock", "true");
        Collection<RunResult> results = run(new OptionsBuilder()
                .include("org\\.hubmark\\.bench\\.micro\\.")
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .param("segmentMebibytes", "4")
                // On a disk, which the folder of temporary files may not be.
                .param("volume", Path.of("target").toAbsolutePath().toString())
                .measurementTime(TimeValue.milliseconds(1))
                .addProfiler(CostProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build());
        assertThat(results).isNotEmpty();
    }

    /** JMH tells what a benchmark threw by way of two exceptions of its own, and logs show the outer. */
    private static Collection<RunResult> run(Options options) {
        try {
            return new Runner(options).run();
        } catch (RunnerException e) {
            Throwable cause = e;
            for (Throwable next = e; next != null; next = inside(next)) {
                cause = next;
            }
            throw new AssertionError("a benchmark failed: " + cause, cause);
        }
    }

    private static @Nullable Throwable inside(Throwable outer) {
        Throwable[] suppressed = outer.getSuppressed();
        return outer.getCause() == null && suppressed.length > 0 ? suppressed[0] : outer.getCause();
    }
}
