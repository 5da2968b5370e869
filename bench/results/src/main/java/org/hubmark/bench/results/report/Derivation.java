package org.hubmark.bench.results.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Definition;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.kit.statistics.MeanInterval;
import org.hubmark.bench.results.Counters;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Figures.Counts;
import org.hubmark.bench.results.Figures.Limiting;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.Spread;
import org.hubmark.bench.results.report.Traced.Stated;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * Where a figure comes from, and the figure made anew from there.
 *
 * @param formula in words
 * @param inputs the numbers that went in, a line each
 * @param value what the stated figure must be; null where the inputs are not at hand
 * @param source the file that the inputs stand in
 */
public record Derivation(
        String formula, List<String> inputs, @Nullable Double value, String source) {
    static final String REPEATS = "the repeats in results.json";
    static final String RESULTS = "results.json";
    static final String SAMPLES = "samples.csv";

    /** Copies the list. */
    public Derivation {
        inputs = List.copyOf(inputs);
    }

    /** {@return it without its value, to be shown} */
    TableCell.Unfolding unfolding() {
        return new TableCell.Unfolding(formula, inputs, source);
    }

    /**
     * {@return how a figure of a repeat is made of its counters or times}
     *
     * @param log the file with the times
     * @param which repeat, in words
     */
    static Derivation ofRepeat(Column column, Repeat counted, String log, String which) {
        return at(column) instanceof Formula.Latency latency
                ? latency(column, latency, counted, log, which)
                : new Derivation(
                        column.words(),
                        List.of(column.numbers(counted)),
                        known(column.value(counted)),
                        SAMPLES);
    }

    /** {@return how a figure of a scenario is made of its repeats} */
    static Derivation ofScenario(Traced scenario, Column column) {
        if (at(column) instanceof Formula.Latency latency) {
            return latency(
                    column, latency, scenario.together(), scenario.log(), "all repeats together");
        }
        Derivation ofRow = ofRow(scenario, column);
        return ofRow == null ? median(column, scenario.stated(column)) : ofRow;
    }

    /** {@return the same of the latency at a rate beside} */
    static Derivation beside(Traced scenario, Column column) {
        return ofRepeat(column, scenario.beside(), scenario.log(), "repeat 1");
    }

    private static @Nullable Formula at(Column column) {
        return column.definition() instanceof Definition.OfRepeat made ? made.formula() : null;
    }

    private static @Nullable Double known(double value) {
        return Double.isFinite(value) ? (Double) value : null;
    }

    /** Null where it is made of counters, or what it is made of isn't known. */
    private static @Nullable Derivation ofRow(Traced scenario, Column column) {
        if (!(column.definition() instanceof Definition.OfRow made)
                || scenario.counted().isEmpty()) {
            return null;
        }
        Repeat machines = scenario.counted().getFirst();
        Formula numbers = made.formula()
                .filled(input -> input instanceof Formula.OfColumn other
                        ? orNaN(scenario.scenario().figures().get(other.column()))
                        : input.value(machines));
        Double value = known(numbers.value(machines));
        return value == null
                ? null
                : new Derivation(
                        column.words() + ", of this row", List.of(numbers.words()), value, RESULTS);
    }

    private static double orNaN(@Nullable Double value) {
        return value == null ? Double.NaN : value;
    }

    private static Derivation latency(
            Column column, Formula.Latency latency, Repeat counted, String log, String which) {
        String formula = switch (latency.place()) {
            case MEAN -> "arithmetic mean of the latencies";
            case DEVIATION -> "standard deviation of the latencies";
            case MAX -> "the largest of the latencies";
            case P50, P95, P99, P99_9 ->
                "percentile " + latency.place().key().substring(1).replace('_', '.')
                        + " of the latencies";
        };
        Double millis = known(column.value(counted));
        long count = counted.times(latency.times()).getTotalCount();
        return count == 0
                ? new Derivation(formula, List.of(), null, log)
                : new Derivation(
                        formula,
                        List.of(which + ": " + count + " latencies, "
                                + (millis == null
                                        ? "fewer than it takes"
                                        : Digits.plain(millis * 1e6) + " ns")),
                        millis,
                        log);
    }

    /** {@return how the messages that were sent follow from what became of them} */
    static Derivation sent(Counts counts) {
        return new Derivation(
                "accepted + refused + failed",
                List.of(counts.acceptedMsgs() + " + " + counts.refusedMsgs() + " + "
                        + counts.failedMsgs()),
                (double) (counts.acceptedMsgs() + counts.refusedMsgs() + counts.failedMsgs()),
                RESULTS);
    }

    /** {@return how near a scenario came to a ceiling; null where that isn't known} */
    static @Nullable Derivation percentOf(Scenario scenario, Field ceiling) {
        Double rate = scenario.figures().get(Figure.THROUGHPUT_MSGS_PER_S);
        Double most = ceiling.number(scenario);
        return rate == null || most == null
                ? null
                : new Derivation(
                        "100 x throughput / ceiling",
                        List.of("100 x " + Digits.plain(rate) + " / " + Digits.plain(most)),
                        100 * rate / most,
                        RESULTS);
    }

    /** {@return why a resource is what limits; null where nobody knows} */
    static @Nullable Derivation limit(Traced scenario) {
        Limiting limiting = scenario.scenario().figures().limiting();
        return limiting.limitingReason() == null
                ? null
                : new Derivation(
                        limiting.limitingReason(),
                        limiting.limitingLift() == null
                                ? List.of()
                                : List.of("What would lift it: " + limiting.limitingLift()),
                        null,
                        RESULTS);
    }

    /** {@return what the judgement of a server's safety rests on; null where it rests on nothing} */
    static @Nullable Derivation safety(Traced scenario) {
        String words = scenario.scenario().conditions().safety().unsafeReason();
        return words == null ? null : new Derivation(words, List.of(), null, RESULTS);
    }

    /** {@return the sum of the repeats} */
    static Derivation sum(List<Stated> repeats) {
        double[] values = known(repeats);
        return new Derivation(
                "sum over the repeats",
                lines(repeats, null),
                values.length == 0 ? null : (Double) DoubleStream.of(values).sum(),
                REPEATS);
    }

    /** {@return the median of the repeats} */
    static Derivation median(Column column, List<Stated> repeats) {
        double[] values = known(repeats);
        return new Derivation(
                "median over the repeats of " + column.words(),
                lines(repeats, column),
                values.length == 0 ? null : (Double) Inference.median(values),
                REPEATS);
    }

    /** {@return the median of what was the largest value in each repeat; of messages a whole number} */
    static Derivation largest(List<Stated> repeats, boolean whole) {
        double[] values = known(repeats);
        double median = values.length == 0 ? Double.NaN : Inference.median(values);
        return new Derivation(
                "median over the repeats of the largest value that was seen",
                lines(repeats, null),
                known(whole ? Math.floor(median + 0.5) : median),
                REPEATS);
    }

    /** {@return what so many repeats or more make of their rates} */
    static Derivation rates(
            String formula, List<Stated> repeats, int repeatsMin, ToDoubleFunction<double[]> of) {
        double[] values = known(repeats);
        return new Derivation(
                formula,
                lines(repeats, Figure.THROUGHPUT_MSGS_PER_S),
                values.length < repeatsMin ? null : (Double) of.applyAsDouble(values),
                REPEATS);
    }

    /** {@return the mean of the repeats that the interval is of} */
    static Derivation mean(List<Stated> repeats, Column column) {
        double[] values = known(repeats);
        return new Derivation(
                "geometric mean of the repeats",
                lines(repeats, column),
                values.length == 0 ? null : Spread.mean(values),
                REPEATS);
    }

    /** {@return an end of the interval of the mean of the repeats} */
    static Derivation interval(List<Stated> repeats, Column column, boolean high) {
        double[] values = known(repeats);
        List<String> lines = new ArrayList<>(lines(repeats, column));
        Double bound = null;
        if (values.length >= 2) {
            MeanInterval mean = MeanInterval.of(values);
            String ends = Digits.plain(mean.mean()) + (high ? " + " : " - ")
                    + Digits.plain(mean.t()) + " x " + Digits.plain(mean.deviation())
                    + " / sqrt(" + mean.count() + ")";
            lines.add(mean.logarithmic() ? "exp(" + ends + ")" : ends);
            Interval interval = mean.interval().usable();
            bound = interval == null ? null : (Double) (high ? interval.high() : interval.low());
        }
        return new Derivation(
                "mean " + (high ? "+" : "-") + " t(97.5%, n - 1) x standard deviation / sqrt(n) of"
                        + " the logarithms of the n repeats",
                lines,
                bound,
                REPEATS);
    }

    /** One line a repeat: the numbers in its formula, and what they make. */
    private static List<String> lines(List<Stated> repeats, @Nullable Column column) {
        List<String> lines = new ArrayList<>();
        for (Stated repeat : repeats) {
            boolean isCounted = !Double.isNaN(repeat.counted().count(Counters.MEASURED_NS));
            lines.add("repeat " + repeat.number() + ": "
                    + (column == null || !isCounted ? "" : column.numbers(repeat.counted()) + " = ")
                    + Digits.plain(orNaN(repeat.value())));
        }
        return lines;
    }

    private static double[] known(List<Stated> repeats) {
        return repeats.stream()
                .map(Stated::value)
                .filter(Objects::nonNull)
                .mapToDouble(value -> Objects.requireNonNull(value))
                .toArray();
    }
}
