package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Proves when messages are due: evenly, in steps, on a ramp and at random, for several lanes as for
 * one. The expected times follow from the integral of the rate, done by hand.
 */
class TimetableTest {
    private static final Duration TEN = Duration.ofSeconds(10);

    @Test
    void lanesShareAnEvenSchedule() {
        List<Long> due = due(open("100"), 3, 50, -1);
        for (int i = 0; i < due.size(); i++) {
            assertThat(due.get(i)).isCloseTo(i * 10_000_000L, within(2L));
        }
    }

    @Test
    void stepsHoldTheirRates() {
        Pace.OpenLoop pace = open("100/1s,200/2s,50");
        assertThat(pace.stagesTime()).isEqualTo(Duration.ofSeconds(13));
        assertThat(pace.ratePerSecond()).isCloseTo((100 + 400 + 500) / 13.0, within(1e-9));
        for (int lanes : new int[] {1, 2}) {
            List<Long> due = due(pace, lanes, 1_200 / lanes, 0);
            assertThat(between(due, 0, 1)).isEqualTo(100);
            assertThat(between(due, 1, 3)).isBetween(399L, 401L);
            assertThat(between(due, 3, 13)).isBetween(499L, 501L);
            // The last rate goes on after the stages.
            assertThat(between(due, 13, 15)).isBetween(99L, 101L);
        }
    }

    @Test
    void aRampRisesEvenly() {
        // 100 to 300 in 10 s: after t seconds 100 t + 10 t^2 messages.
        List<Long> due = due(open("100..300/10s"), 1, 2_100, 0);
        for (int k = 1; k < 2_000; k++) {
            double seconds = due.get(k) / 1e9;
            assertThat(100 * seconds + 10 * seconds * seconds).isCloseTo(k, within(1e-3));
        }
        List<Long> falling = due(open("300..100/10s"), 2, 1_050, 0);
        assertThat(between(falling, 0, 5)).isBetween(1_249L, 1_251L);
        assertThat(between(falling, 5, 10)).isBetween(749L, 751L);
    }

    @Test
    void theFirstRateHoldsUntilTheStagesBegin() {
        List<Long> due = due(open("100..300/10s"), 1, 1_000, 2_000_000_000L);
        assertThat(between(due, 0, 2)).isEqualTo(200);
        assertThat(between(due, 2, 4)).isBetween(239L, 241L);
    }

    @Test
    void poissonGapsAreExponentialAndRepeatable() {
        Pace.OpenLoop pace = (Pace.OpenLoop) Pace.parse("1000", TEN, Arrivals.POISSON, 7);
        List<Long> due = due(pace, 2, 20_000, -1);
        assertThat(due(pace, 2, 20_000, -1)).isEqualTo(due);
        assertThat(due((Pace.OpenLoop) Pace.parse("1000", TEN, Arrivals.POISSON, 8), 2, 100, -1))
                .isNotEqualTo(due.subList(0, 200));
        // Lanes end at different times; in the common part the gaps' mean and deviation are 1 ms.
        List<Long> common = due.subList(0, 30_000);
        double mean = common.getLast() / 1e6 / common.size();
        double square = 0;
        for (int i = 1; i < common.size(); i++) {
            double gap = (common.get(i) - common.get(i - 1)) / 1e6 - mean;
            square += gap * gap;
        }
        assertThat(mean).isCloseTo(1, within(0.03));
        assertThat(Math.sqrt(square / common.size())).isCloseTo(1, within(0.05));
    }

    @Test
    void refusesWhatIsNoRate() {
        for (String text : List.of("0", "-1", "NaN", "1e9", "", "1,,2", "1..", "1..2/0s", "5/x")) {
            assertThatThrownBy(() -> Pace.parse(text, TEN, Arrivals.FIXED, 1))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not max or a number");
        }
        assertThat(Pace.parse("max", TEN, Arrivals.FIXED, 1).ratePerSecond()).isNull();
    }

    private static Pace.OpenLoop open(String text) {
        return (Pace.OpenLoop) Pace.parse(text, TEN, Arrivals.FIXED, 1);
    }

    /** The starts of all lanes in order; the stages begin at that time unless it is negative. */
    private static List<Long> due(Pace.OpenLoop pace, int lanes, int each, long stagesNanos) {
        List<Long> due = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            Timetable times = new Timetable(pace, lane, lanes);
            due.add(times.begin(0));
            boolean staged = stagesNanos < 0;
            for (int i = 1; i < each; i++) {
                if (!staged && due.getLast() + times.intervalNanos() > stagesNanos) {
                    staged = true;
                    times.beginStages(stagesNanos);
                }
                due.add(times.next());
            }
        }
        Collections.sort(due);
        return due;
    }

    private static long between(List<Long> due, double from, double to) {
        return due.stream().filter(at -> at >= from * 1e9 && at < to * 1e9).count();
    }
}
