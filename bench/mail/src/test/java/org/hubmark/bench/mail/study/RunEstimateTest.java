package org.hubmark.bench.mail.study;

import org.hubmark.bench.machine.watch.TargetFacts;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.mail.meter.Measurement;
import org.hubmark.bench.hub.Program;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Results;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** Proves how long a request is said to take. */
class RunEstimateTest {
    private static final int REPEATS = 3;
    private static final Duration MEASURED = Duration.ofSeconds(60);

    /** Is never started. */
    private static final class Idle implements WorkloadSource {
        @Override
        public Pace pace() {
            return new Pace.ClosedLoop();
        }

        @Override
        public Workload start(@Nullable InetSocketAddress hub, Pace pace) {
            throw new IllegalStateException("only the time is asked for");
        }

        @Override
        public double operationKb() {
            return 1;
        }
    }

    /** Has so many repeats of each scenario. */
    private record Has(int count) implements Kept {
        @Override
        public @Nullable Results earlier() {
            return null;
        }

        @Override
        public int repeats(String scenario) {
            return count;
        }

        @Override
        public Repeat repeat(String scenario, int number, Context.Measurement measurement)
                throws IOException, InterruptedException {
            return measurement.count();
        }

        @Override
        public void known(RunSession.Known known) {
            // Nobody asks for it.
        }
    }

    @Test
    void repeatsThatAreKeptTakeNoTime() {
        RunRequest request = new RunRequest(
                new Program("test", RunEstimateTest.class, RunEstimateTest.class),
                List.of(new ScenarioRequest("a", "a", new Idle(), null, Conditions.UNKNOWN)),
                new RunRequest.Repeats(REPEATS, 1),
                new Measurement.LoadTimes(Duration.ZERO, Duration.ZERO, MEASURED),
                TargetFacts.UNKNOWN,
                true,
                RunRequest.Extras.NONE);
        RunEstimate whole = RunEstimate.of(request, Kept.nothing());
        assertThat(whole.least()).isGreaterThan(MEASURED.multipliedBy(REPEATS));
        assertThat(RunEstimate.of(request, new Has(2)).least().multipliedBy(REPEATS))
                .isEqualTo(whole.least());
        assertThat(RunEstimate.of(request, new Has(REPEATS)).most()).isEqualTo(Duration.ZERO);
    }
}
