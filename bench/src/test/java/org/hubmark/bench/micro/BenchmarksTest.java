package org.hubmark.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.util.Collection;

/** Proves that every benchmark runs, with each of its parameters: once, in this JVM, for 1 ms. */
class BenchmarksTest {
    @Test
    void everyBenchmarkRuns() throws RunnerException {
        // Another build on this machine may be running JMH too; nothing is measured here.
        System.setProperty("jmh.ignoreLock", "true");
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include("org\\.hubmark\\.bench\\.micro\\.")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .param("segmentMebibytes", "4")
                        .param("logMebibytes", "8")
                        .measurementTime(TimeValue.milliseconds(1))
                        .addProfiler(CostProfiler.class)
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
        assertThat(results).isNotEmpty();
    }
}
