package org.hubmark.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.measure.SteadyState.Sample;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;

/** Proves on made-up series what counts as steady and what does not, and with which reason. */
class SteadyStateTest {
    private static final int SAMPLES = SteadyState.SAMPLES;

    @Test
    void aConstantRateIsSteadyOnceThereIsEnoughOfIt() {
        SteadyState state = new SteadyState();
        for (int i = 0; i < SAMPLES - 1; i++) {
            state.add(new Sample(0.5, 1000, null));
            assertThat(state.obstacle()).contains("shorter than the 5 s");
        }
        state.add(new Sample(0.5, 1000, null));
        assertThat(state.conclusive()).isTrue();
        assertThat(state.obstacle()).isNull();
    }

    @Test
    void aRisingRateIsNotUntilItHasRisen() {
        assertThat(after(SAMPLES, i -> 1000 + 20 * i)).contains("drifted by +1");
        assertThat(after(SAMPLES, i -> 1000 - 20 * i)).contains("drifted by -");
        // As while code is compiled: 63 % of the way in 3 s.
        IntToDoubleFunction curve = i -> 3000 * (1 - 0.7 * Math.exp(-i / 6.0));
        assertThat(after(SAMPLES, curve)).isNotNull();
        assertThat(after(4 * SAMPLES, curve)).isNull();
    }

    @Test
    void aStepIsSeenAsLongAsItIsInSight() {
        assertThat(after(15, i -> i < 10 ? 1000 : 1500)).isNotNull();
        assertThat(after(20, i -> i < 10 ? 1000 : 1500)).isNull();
    }

    @Test
    void noiseIsAllowedUpToABound() {
        long seed = 7;
        Random random = new Random(seed);
        assertThat(after(SAMPLES, i -> 5000 * (1 + 0.03 * random.nextGaussian())))
                .as("seed %d", seed)
                .isNull();
        assertThat(after(SAMPLES, i -> i % 2 == 0 ? 1000 : 2000)).contains("scattered by");
    }

    @Test
    void aFewMessagesScatterByTheirNature() {
        // 10 in each sample on the average: the square root of a count is its scatter.
        int[] counts = {10, 8, 12, 9, 13, 7, 10, 11, 12, 8};
        assertThat(after(SAMPLES, i -> counts[i])).isNull();
        assertThat(after(SAMPLES, i -> counts[i] * 100)).contains("scattered by");
        assertThat(after(SAMPLES, i -> 0)).isEqualTo("nothing was accepted");
    }

    @Test
    void aFixedRateIsNotSteadyWhileItsCostFalls() {
        assertThat(costing(i -> 200_000_000L - 10_000_000L * i)).contains("CPU time a message");
        assertThat(costing(i -> 100_000_000L)).isNull();
        // 50 ms in 2.5 s are five ticks of the clock, of which two may be wrong.
        assertThat(costing(i -> i < 5 ? 10_000_000L : 7_000_000L)).isNull();
    }

    private static @Nullable String costing(IntToLongFunction nanos) {
        SteadyState state = new SteadyState();
        for (int i = 0; i < SAMPLES; i++) {
            state.add(new Sample(0.5, 500, nanos.applyAsLong(i)));
        }
        return state.obstacle();
    }

    private static @Nullable String after(int samples, IntToDoubleFunction messages) {
        SteadyState state = new SteadyState();
        for (int i = 0; i < samples; i++) {
            state.add(new Sample(0.5, Math.round(messages.applyAsDouble(i)), null));
        }
        return state.obstacle();
    }
}
