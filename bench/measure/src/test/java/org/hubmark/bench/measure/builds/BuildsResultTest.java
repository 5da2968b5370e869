package org.hubmark.bench.measure.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.measure.builds.BuildsResult.CaseResult;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Proves on made-up rounds what is made of them: medians, ratios, intervals, and who is slower. */
class BuildsResultTest {
    private static final LoadCase LOAD = new LoadCase(57_000, Transfer.DATA);
    private static final double[] STEADY = {100, 100, 100, 100, 100};

    @Test
    void ratiosAreMadeWithinARound() {
        // The machine slows down by half; the second build needs a tenth more in every round.
        double[] first = {100, 120, 150, 180, 200};
        double[] second = {110, 132, 165, 198, 220};
        PairedRatio ratio = PairedRatio.of(first, second);
        assertThat(ratio.median()).isEqualTo(1.1, within(1e-9));
        assertThat(ratio.max() - ratio.min()).isLessThan(1e-9);
        Interval interval = Objects.requireNonNull(ratio.ci95());
        assertThat(interval.low()).isEqualTo(1.1, within(1e-9));
        assertThat(interval.high()).isEqualTo(1.1, within(1e-9));
        assertThat(ratio.distinguishable()).isTrue();
    }

    @Test
    void theIntervalIsStudentsOfTheLogarithms() {
        // Logarithms 0, 1, 2: t(0.975, 2) = 4.3027, and the deviation is 1.
        PairedRatio ratio =
                PairedRatio.of(new double[] {1, 1, 1}, new double[] {1, Math.E, Math.exp(2)});
        Interval interval = Objects.requireNonNull(ratio.ci95());
        double half = 4.3027 / Math.sqrt(3);
        assertThat(ratio.median()).isEqualTo(Math.E);
        assertThat(Math.log(interval.low())).isEqualTo(1 - half, within(1e-3));
        assertThat(Math.log(interval.high())).isEqualTo(1 + half, within(1e-3));
        assertThat(ratio.distinguishable()).isFalse();
    }

    @Test
    void aSingleRoundHasNoInterval() {
        PairedRatio ratio = PairedRatio.of(new double[] {1}, new double[] {5});
        assertThat(ratio.ci95()).isNull();
        assertThat(ratio.distinguishable()).isFalse();
    }

    @Test
    void moreCpuOrALowerRateIsSlower() {
        double[] tenthMore = {110, 111, 109, 110, 110};
        double[] tenthLess = {90, 91, 89, 90, 90};
        assertThat(slower(RoundFigure.CPU, tenthMore, 0.05))
                .containsExactly("57KB data: CPU, us/msg of B is 1.100 of that of A");
        assertThat(slower(RoundFigure.CPU, tenthMore, 0.15)).isEmpty();
        assertThat(slower(RoundFigure.CPU, tenthLess, 0.05)).isEmpty();
        assertThat(slower(RoundFigure.ACCEPTED, tenthLess, 0.05)).hasSize(1);
        assertThat(slower(RoundFigure.ACCEPTED, tenthMore, 0.05)).isEmpty();
        assertThat(slower(RoundFigure.FIRST_REPLY, tenthMore, 0.05)).hasSize(1);
        assertThat(slower(RoundFigure.FIRST_CPU, tenthMore, 0.05)).hasSize(1);
    }

    @Test
    void whatTheIntervalDoesNotTellApartIsNotSlower() {
        double[] noise = {80, 150, 110, 190, 70};
        assertThat(slower(RoundFigure.CPU, noise, 0.05)).isEmpty();
        assertThat(regressions(RoundFigure.CPU, noise, 0.05, Regression.Outcome.TOO_NOISY))
                .hasSize(1);
        assertThat(regressions(
                        RoundFigure.CPU,
                        new double[] {101, 100, 99, 100, 101},
                        0.05,
                        Regression.Outcome.NOT_WORSE))
                .hasSize(1);
    }

    @Test
    void ofRelayedMailTheDeliveriesCount() {
        List<List<Round>> rounds = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            rounds.add(List.of(
                    round(Map.of(RoundFigure.RELAYED, 100.0, RoundFigure.ACCEPTED, 900.0)),
                    round(Map.of(RoundFigure.RELAYED, 100.0, RoundFigure.ACCEPTED, 300.0))));
        }
        assertThat(result(rounds, List.of()).regressions(0.05))
                .extracting(Regression::outcome)
                .containsOnly(Regression.Outcome.NOT_WORSE);
    }

    @Test
    void theTableHasARowForEachBuild() {
        BuildsResult result = result(
                rounds(RoundFigure.CPU, STEADY, new double[] {50, 40, 60, 50, 50}),
                List.of("57KB data, round 1/5, B (y): 2 accepted messages are lost"));
        assertThat(BuildsText.plain(result)).isEqualTo("""
                        A: x, 1111, the first
                        B: y

                        57KB data, 5 rounds
                                        median      [min, max]   to A      [min, max]   95 % interval
                        CPU, us/msg  A   100.0  [100.0, 100.0]
                                     B    50.0    [40.0, 60.0]  0.500  [0.400, 0.600]  0.415 to 0.593

                        not valid: 57KB data, round 1/5, B (y): 2 accepted messages are lost
                        """);
        assertThat(BuildsText.markdown(result))
                .contains(
                        "|  | B | 50.0 | [40.0, 60.0] | 0.500 | [0.400, 0.600] | 0.415 to 0.593 |")
                .contains("- not valid: 57KB data");
    }

    @Test
    void aCaseWithoutACompleteRoundHasNoFigures() {
        BuildsResult result = result(List.of(), List.of());
        assertThat(result.cases().getFirst().figures()).isEmpty();
        assertThat(BuildsText.plain(result)).contains("57KB data, 0 rounds");
        assertThat(result.json()).contains("\"figures\" : [ ]").doesNotContain("root");
    }

    @Test
    void aRoundInWhichABuildTookNothingIsLeftOut() {
        List<List<Round>> rounds = new ArrayList<>(rounds(RoundFigure.CPU, STEADY, STEADY));
        rounds.addFirst(List.of(
                round(Map.of(RoundFigure.CPU, 7.0)),
                new Round(Map.of(), 0, List.of("all refused"))));
        CaseResult one = result(rounds, List.of("all refused")).cases().getFirst();
        assertThat(one.rounds()).isEqualTo(5);
        assertThat(one.figures().getFirst().builds().getFirst().min()).isEqualTo(100);
    }

    private static List<String> slower(RoundFigure figure, double[] second, double limit) {
        return regressions(figure, second, limit, Regression.Outcome.WORSE);
    }

    private static List<String> regressions(
            RoundFigure figure, double[] second, double limit, Regression.Outcome outcome) {
        return result(rounds(figure, STEADY, second), List.of()).regressions(limit).stream()
                .filter(found -> found.outcome() == outcome)
                .map(found -> found.id() + " is " + found.text())
                .toList();
    }

    private static List<List<Round>> rounds(RoundFigure figure, double[] first, double[] second) {
        List<List<Round>> rounds = new ArrayList<>();
        for (int i = 0; i < first.length; i++) {
            rounds.add(List.of(round(Map.of(figure, first[i])), round(Map.of(figure, second[i]))));
        }
        return rounds;
    }

    private static Round round(Map<RoundFigure, Double> figures) {
        return new Round(figures, 0, List.of());
    }

    private static BuildsResult result(List<List<Round>> rounds, List<String> invalid) {
        List<Build> builds = List.of(
                new Build("A", "x", "1111", "the first", Path.of("/x")),
                new Build("B", "y", null, null, Path.of("/y")));
        return new BuildsResult(
                BuildsResult.SCHEMA,
                new Tool(null, null),
                "2026-11-22T00:00:00Z",
                "2026-11-22T00:01:00Z",
                "./hubmark compare --builds x,y",
                new Environment(
                        new Environment.Processor(null, 1, null, null, null),
                        null,
                        new Environment.Software(null, null, "none", null),
                        List.of(),
                        null),
                Map.of(),
                builds,
                List.of(CaseResult.of(LOAD, builds, rounds)),
                List.of(),
                invalid.isEmpty(),
                invalid);
    }
}
