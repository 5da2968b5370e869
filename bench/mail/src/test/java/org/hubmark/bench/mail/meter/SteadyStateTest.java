package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.mail.meter.SteadyState.Answer;
import org.hubmark.bench.mail.meter.SteadyState.Sample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;

/** Proves on made-up series what counts as steady and what does not, and with which reason. */
class SteadyStateTest {
    private static final int LEAST = SteadyState.SAMPLES_MIN;

    @Test
    void aConstantRateIsSteadyOnceThereIsEnoughOfIt() {
        Answer shorter = after(LEAST - 1, i -> 1000);
        assertThat(shorter.steady()).isNull();
        assertThat(shorter.reason()).contains("shorter than the 5 s");
        assertThat(after(LEAST, i -> 1000).steady()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            3  | 20 | [10, 14, 20, 28, 40]
            7  | 20 | [14, 20, 28, 40]
            5  | 5  | [10]
            30 | 30 | [60]
            1  | 2  | []
            """)
    void itIsAskedAtTimesThatAreSettledBeforehand(int earliest, int latest, String questions) {
        SteadyState state =
                new SteadyState(Duration.ofSeconds(earliest), Duration.ofSeconds(latest));
        List<Integer> due = new ArrayList<>();
        for (int count = 1; count <= 200; count++) {
            state.add(new Sample(0.5, 1000, null));
            if (state.isDue()) {
                due.add(count);
            }
        }
        assertThat(due).hasToString(questions);
    }

    @Test
    void aRisingRateIsNotUntilItHasRisen() {
        assertThat(after(LEAST, i -> 1000 + 20 * i).reason()).contains("drifted by +1");
        assertThat(after(LEAST, i -> 1000 - 20 * i).reason()).contains("drifted by -");
        // As while code is compiled: 63 % of the way in 3 s.
        IntToDoubleFunction curve = i -> 3000 * (1 - 0.7 * Math.exp(-i / 6.0));
        assertThat(after(LEAST, curve).steady()).isFalse();
        assertThat(after(4 * LEAST, curve).steady()).isTrue();
        // A step is seen as long as it is in sight.
        assertThat(after(15, i -> i < 10 ? 1000 : 1500).steady()).isFalse();
        assertThat(after(40, i -> i < 10 ? 1000 : 1500).steady()).isTrue();
    }

    /**
     * A rate that rises by a sixth over whatever is looked at, within a scatter of 8 %. When it was
     * asked each half second whether more than the scatter could be seen, all 2000 passed.
     */
    @Test
    void aDriftThatHidesInTheScatterDoesNotPassHoweverOftenItIsAsked() {
        assertThat(passed(0.08, 0.17)).isLessThan(100);
        assertThat(passed(0.03, 0.12)).isLessThan(100);
        // And one that does not drift is recognised, if it scatters no more than it may.
        assertThat(passed(0.02, 0)).isGreaterThan(1900);
        assertThat(passed(0.04, 0)).isGreaterThan(1200);
    }

    /** {@return how many of 2000 loads with that scatter and drift within 20 s are called steady} */
    private static int passed(double scatter, double drift) {
        long seed = 14;
        Random random = new Random(seed);
        int passed = 0;
        for (int run = 0; run < 2000; run++) {
            SteadyState state = new SteadyState(Duration.ofSeconds(3), Duration.ofSeconds(20));
            boolean steady = false;
            for (int i = 0; i < 40 && !steady; i++) {
                // What is looked at grows with the load: to drift by as much, the rate grows by a
                // power.
                double rate = 5000 * Math.pow(i + 1, drift / Math.log(3));
                state.add(new Sample(
                        0.5, Math.round(rate * (1 + scatter * random.nextGaussian())), null));
                if (i == 39) {
                    steady = Boolean.TRUE.equals(state.atLast().steady());
                } else if (state.isDue()) {
                    steady = Boolean.TRUE.equals(state.answer().steady());
                }
            }
            passed += steady ? 1 : 0;
        }
        return passed;
    }

    /** Within a scatter of 3 %, a drift is known to 7.6 %. */
    @Test
    void aDriftIsTooLargeOnlyWhereAllOfItsIntervalIs() {
        Answer open = after(LEAST, i -> (1000 + 15.5 * i) * (i % 2 == 0 ? 1.03 : 0.97));
        assertThat(open.steady()).isNull();
        assertThat(open.reason())
                .isEqualTo("the rate drifted by +11.4% (interval +3.8% to +19.0%) within 5.0 s;"
                        + " at most 10% is steady");
        Answer known = after(LEAST, i -> (1000 + 28 * i) * (i % 2 == 0 ? 1.03 : 0.97));
        assertThat(known.steady()).isFalse();
        assertThat(known.reason()).startsWith("the rate drifted by +20.");
        assertThat(after(LEAST, i -> i % 2 == 0 ? 1000 : 2000).steady()).isNull();
        assertThat(after(LEAST, i -> 0).reason()).isEqualTo("nothing was accepted");
    }

    @Test
    void aFixedRateIsNotSteadyWhileItsCostFalls() {
        Answer falling = costing(i -> 200_000_000L - 10_000_000L * i);
        assertThat(falling.steady()).isNull();
        assertThat(falling.reason()).contains("CPU time a message");
        assertThat(costing(i -> 100_000_000L).steady()).isTrue();
        // 50 ms in 2.5 s are five ticks of the clock, of which two may be wrong.
        assertThat(costing(i -> i < 5 ? 10_000_000L : 7_000_000L).steady()).isTrue();
    }

    @Test
    void aServerIsWarmWhenAMessageCostsNoLessThanTwoAndFourSecondsBefore() {
        assertThat(warm(11, i -> 100_000_000L)).isFalse();
        assertThat(warm(12, i -> 100_000_000L)).isTrue();
        assertThat(warm(20, i -> 200_000_000L - 5_000_000L * i)).isFalse();
        assertThat(warm(20, i -> i < 10 ? 200_000_000L : 100_000_000L)).isFalse();
        assertThat(warm(24, i -> i < 10 ? 200_000_000L : 100_000_000L)).isTrue();
        // 80 ms in 2 s are eight ticks of the clock, of which two may be wrong.
        assertThat(warm(20, i -> 20_000_000L)).isFalse();
        assertThat(state(20, i -> new Sample(0.5, 500, null)).isWarm()).isFalse();
    }

    private static boolean warm(int samples, IntToLongFunction nanos) {
        return state(samples, i -> new Sample(0.5, 500, nanos.applyAsLong(i))).isWarm();
    }

    private static Answer costing(IntToLongFunction nanos) {
        return state(LEAST, i -> new Sample(0.5, 500, nanos.applyAsLong(i))).atLast();
    }

    private static Answer after(int samples, IntToDoubleFunction messages) {
        return state(samples, i -> new Sample(0.5, Math.round(messages.applyAsDouble(i)), null))
                .atLast();
    }

    private static SteadyState state(int samples, IntFunction<Sample> sample) {
        SteadyState state = new SteadyState(Duration.ofSeconds(3), Duration.ofSeconds(20));
        for (int i = 0; i < samples; i++) {
            state.add(sample.apply(i));
        }
        return state;
    }
}
