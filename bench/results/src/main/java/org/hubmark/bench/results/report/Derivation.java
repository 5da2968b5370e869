package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.MeanInterval;
import org.hubmark.bench.results.Counter;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Input;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

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
    static final String RESULTS = "the repeats in results.json";
    static final String SAMPLES = "samples.csv";

    private static final List<String> COUNTS = List.of(
            "sent_msgs",
            "accepted_msgs",
            "refused_msgs",
            "failed_msgs",
            "delivered_msgs",
            "left_in_queue_msgs",
            "lost_msgs");

    /** Copies the list. */
    public Derivation {
        inputs = List.copyOf(inputs);
    }

    /** {@return how a figure of a repeat is made of its counters or latencies; null if it is read} */
    static @Nullable Derivation ofRepeat(
            String scenario, Repeat repeat, String field, RawFiles raw) {
        if (field.startsWith("accept_latency_")) {
            boolean corrected = field.startsWith("accept_latency_ms.");
            return latency(
                    field,
                    scenario,
                    raw.latencies(scenario, repeat.number(), corrected),
                    "repeat " + repeat.number());
        }
        if (field.equals("sent_msgs")) {
            return sent(repeat.stated());
        }
        return Figure.of(field)
                .map(figure -> new Derivation(
                        figure.inWords(),
                        List.of(figure.inNumbers(repeat::input)),
                        figure.compute(repeat::input),
                        SAMPLES))
                .orElse(null);
    }

    /** {@return how a figure of a scenario is made of its repeats; null if it is read} */
    static @Nullable Derivation ofScenario(
            JsonNode scenario, List<Repeat> repeats, String field, RawFiles raw) {
        String id = scenario.path("id").asText();
        if (field.startsWith("accept_latency_")) {
            boolean corrected = field.startsWith("accept_latency_ms.");
            return latency(field, id, raw.latencies(id, corrected), "all repeats together");
        }
        if (field.startsWith("ceilings.") && field.endsWith("_percent")) {
            return percentOf(scenario, field);
        }
        if (COUNTS.contains(field)) {
            return sum(repeats, field);
        }
        return switch (field) {
            case "throughput_msgs_per_s_min" ->
                rates(repeats, "the smallest of the repeats' rates", 1, Derivation::min);
            case "throughput_msgs_per_s_max" ->
                rates(repeats, "the largest of the repeats' rates", 1, Derivation::max);
            case "throughput_trimmed_mean_msgs_per_s" ->
                rates(
                        repeats,
                        "mean of the repeats' rates without the fastest and the slowest",
                        Inference.TRIMMED_MIN,
                        values -> Objects.requireNonNull(Inference.trimmedMean(
                                values.stream().mapToDouble(Double::doubleValue).toArray())));
            case "throughput_ci95_msgs_per_s.low", "throughput_ci95_msgs_per_s.high" ->
                interval(repeats, "throughput_msgs_per_s", field.endsWith("high"));
            case "cost_ci95_mcycles_per_msg.low", "cost_ci95_mcycles_per_msg.high" ->
                interval(repeats, "cpu_cost_mcycles_per_msg", field.endsWith("high"));
            case "aggregate_queue_length_max_msgs", "queue_size_max_mb" -> median(repeats, field);
            default ->
                Figure.of(field).map(figure -> ofRow(scenario, repeats, figure)).orElse(null);
        };
    }

    private static Derivation ofRow(JsonNode scenario, List<Repeat> repeats, Figure figure) {
        Function<Input, @Nullable Double> row = input -> switch (input) {
            case Figure other -> Repeat.number(scenario.path(other.key()));
            case Input.Fact fact ->
                repeats.isEmpty() ? null : repeats.getFirst().input(fact);
            case Counter counter -> null;
        };
        Double value = figure.ofRow(row);
        return value == null
                ? median(repeats, figure.key())
                : new Derivation(
                        figure.inWords() + ", of this row",
                        List.of(figure.inNumbersOfRow(row)),
                        value,
                        "results.json");
    }

    private static Derivation latency(
            String field, String scenario, @Nullable Histogram histogram, String which) {
        String percentile = field.substring(field.indexOf('.') + 1);
        String formula = switch (percentile) {
            case "mean" -> "arithmetic mean of the latencies";
            case "max" -> "the largest of the latencies";
            default ->
                "percentile " + percentile.substring(1).replace('_', '.') + " of the latencies";
        };
        String source = scenario + ".hlog";
        if (histogram == null) {
            return new Derivation(formula, List.of(), null, source);
        }
        double nanos = switch (percentile) {
            case "mean" -> histogram.getMean();
            case "max" -> histogram.getMaxValue();
            default ->
                histogram.getValueAtPercentile(
                        Double.parseDouble(percentile.substring(1).replace('_', '.')));
        };
        return new Derivation(
                formula,
                List.of(which + ": " + histogram.getTotalCount() + " latencies, "
                        + Figure.text(nanos) + " ns"),
                nanos / 1e6,
                source);
    }

    private static Derivation sent(JsonNode repeat) {
        double sum = repeat.path("accepted_msgs").asDouble()
                + repeat.path("refused_msgs").asDouble()
                + repeat.path("failed_msgs").asDouble();
        return new Derivation(
                "accepted + refused + failed",
                List.of(repeat.path("accepted_msgs").asText() + " + "
                        + repeat.path("refused_msgs").asText() + " + "
                        + repeat.path("failed_msgs").asText()),
                sum,
                "results.json");
    }

    private static @Nullable Derivation percentOf(JsonNode scenario, String field) {
        String ceiling = field.replace("_percent", "_msgs_per_s");
        Double rate = Repeat.number(scenario.path("throughput_msgs_per_s"));
        Double most = Repeat.number(Repeat.at(scenario, ceiling));
        if (rate == null || most == null) {
            return null;
        }
        return new Derivation(
                "100 x throughput / ceiling",
                List.of("100 x " + Figure.text(rate) + " / " + Figure.text(most)),
                100 * rate / most,
                "results.json");
    }

    private static Derivation sum(List<Repeat> repeats, String field) {
        List<Double> values = known(repeats, field);
        return new Derivation(
                "sum over the repeats",
                lines(repeats, field),
                values.isEmpty()
                        ? null
                        : values.stream().mapToDouble(Double::doubleValue).sum(),
                RESULTS);
    }

    private static Derivation median(List<Repeat> repeats, String field) {
        List<Double> values = known(repeats, field);
        String formula = Figure.of(field)
                .map(one -> "median over the repeats of " + one.inWords())
                .orElse("median over the repeats of the largest value that was seen");
        Double median = values.isEmpty() ? null : (Double) Inference.median(values);
        if (median != null && field.endsWith("_msgs")) {
            median = (double) Math.round(median);
        }
        return new Derivation(formula, lines(repeats, field), median, RESULTS);
    }

    private static Derivation rates(
            List<Repeat> repeats,
            String formula,
            int repeatsMin,
            ToDoubleFunction<List<Double>> of) {
        List<Double> values = known(repeats, "throughput_msgs_per_s");
        return new Derivation(
                formula,
                lines(repeats, "throughput_msgs_per_s"),
                values.size() < repeatsMin ? null : (Double) of.applyAsDouble(values),
                RESULTS);
    }

    private static Derivation interval(List<Repeat> repeats, String field, boolean high) {
        List<Double> values = known(repeats, field);
        List<String> lines = new ArrayList<>(lines(repeats, field));
        Double bound = null;
        if (values.size() >= 2) {
            MeanInterval mean = MeanInterval.of(values);
            String ends = Figure.text(mean.mean()) + (high ? " + " : " - ")
                    + Figure.text(mean.t()) + " x " + Figure.text(mean.deviation())
                    + " / sqrt(" + mean.count() + ")";
            lines.add(mean.logarithmic() ? "exp(" + ends + ")" : ends);
            bound = high ? mean.interval().high() : mean.interval().low();
        }
        return new Derivation(
                "mean " + (high ? "+" : "-") + " t(97.5%, n - 1) x standard deviation / sqrt(n) of"
                        + " the logarithms of the n repeats",
                lines,
                bound,
                RESULTS);
    }

    /** One line a repeat: the numbers in its formula, and what they make. */
    private static List<String> lines(List<Repeat> repeats, String field) {
        List<String> lines = new ArrayList<>();
        for (Repeat repeat : repeats) {
            Double value = repeat.stated(field);
            String figure = value == null ? "-" : Figure.text(value);
            String numbers = repeat.hasCounters()
                    ? Figure.of(field)
                            .map(one -> one.inNumbers(repeat::input) + " = ")
                            .orElse("")
                    : "";
            lines.add("repeat " + repeat.number() + ": " + numbers + figure);
        }
        return lines;
    }

    private static List<Double> known(List<Repeat> repeats, String field) {
        List<Double> known = new ArrayList<>();
        for (Repeat repeat : repeats) {
            Double value = repeat.stated(field);
            if (value != null) {
                known.add(value);
            }
        }
        return known;
    }

    private static double min(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    private static double max(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }
}
