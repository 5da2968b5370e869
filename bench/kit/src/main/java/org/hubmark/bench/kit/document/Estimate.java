package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/**
 * A figure that repeats exist for: a value, and its own interval.
 *
 * @param value NaN where no repeat knows it
 * @param range of a median of repeats the least and the largest, else the 95 % interval of this value;
 *     null where there is none, or it is not {@linkplain Interval#usable usable}
 * @param values of the repeats that know it, in their order; none of a figure of a whole row
 */
public record Estimate(double value, @Nullable Interval range, List<Double> values) {
    /** Copies. */
    public Estimate {
        values = List.copyOf(values);
    }

    /** One of a whole row. */
    public Estimate(double value, @Nullable Interval range) {
        this(value, range, List.of());
    }

    /**
     * Rule by which repeats become one value.
     *
     * @param by of middle repeats the figure that they are chosen by; null for parts, of which those of the
     *     middle repeats count, and for other kinds
     */
    public record Rule(Kind kind, @Nullable Column by) {
        /** The median, with the least and the largest value. */
        public static final Rule MEDIAN = new Rule(Kind.MEDIAN, null);

        /** The median alone: a file has neither the least nor the largest value. */
        public static final Rule MEDIAN_ALONE = new Rule(Kind.MEDIAN_ALONE, null);

        /**
         * The geometric mean, with Student's interval of it; of values that are not all above 0 the arithmetic
         * one. Ratios of such figures are ratios of what stands in their cells.
         */
        public static final Rule GEOMETRIC_MEAN = new Rule(Kind.GEOMETRIC_MEAN, null);

        /** All is counted in one: a row has a single repeat, and nothing of it scatters. */
        public static final Rule TOTAL = new Rule(Kind.TOTAL, null);

        /** Kinds of such rules, in words for a caption. */
        public enum Kind {
            MEDIAN("medians", "; in parentheses the least and the largest"),
            MEDIAN_ALONE("medians", "; in parentheses the least and the largest"),
            GEOMETRIC_MEAN("geometric means", "; in parentheses intervals of 95 %"),
            TOTAL("totals", ""),
            MIDDLE_REPEATS("means of the middle repeats", "; in parentheses intervals of 95 %");

            private final String figures;
            private final String ranges;

            Kind(String figures, String ranges) {
                this.figures = figures;
                this.ranges = ranges;
            }
        }

        /**
         * {@return the studies' three of five: the mean of the middle repeats, with
         * {@linkplain Inference#ofMiddle its own interval}} Of five and more those with the largest and the
         * smallest value of one figure are left out of all figures, so that the figures of a row are of the same
         * repeats; see {@link Row#middle}.
         */
        public static Rule middleRepeats(@Nullable Column by) {
            return new Rule(Kind.MIDDLE_REPEATS, by);
        }

        /** {@return what a figure is, for a caption} */
        public String brief() {
            return kind.figures;
        }

        /** {@return what a figure and its parentheses are, for a caption} */
        public String words() {
            return kind.figures + kind.ranges;
        }

        /** {@return whether a figure has an interval} */
        boolean hasInterval() {
            return kind == Kind.GEOMETRIC_MEAN || kind == Kind.MIDDLE_REPEATS;
        }

        /**
         * {@return the one value of those that are known; NaN of none}
         *
         * @param middle those of the middle repeats
         */
        public Estimate of(double[] repeats, double[] middle) {
            double[] known = known(repeats);
            if (known.length == 0) {
                return new Estimate(Double.NaN, null);
            }
            List<Double> values = Arrays.stream(known).boxed().toList();
            return switch (kind) {
                case TOTAL -> new Estimate(known[0], null, values);
                case MEDIAN, MEDIAN_ALONE ->
                    new Estimate(
                            Inference.median(known),
                            known.length == 1
                                    ? null
                                    : new Interval(
                                            Arrays.stream(known).min().orElseThrow(),
                                            Arrays.stream(known).max().orElseThrow()),
                            values);
                case GEOMETRIC_MEAN -> {
                    boolean isPositive = Arrays.stream(known).allMatch(value -> value > 0);
                    yield new Estimate(
                            isPositive ? Inference.geometricMean(known) : Inference.mean(known),
                            Inference.ofMean(known),
                            values);
                }
                case MIDDLE_REPEATS ->
                    new Estimate(
                            Arrays.stream(known(middle)).average().orElse(Double.NaN),
                            Inference.ofMiddle(known, known(middle)),
                            values);
            };
        }

        private static double[] known(double[] values) {
            return Arrays.stream(values).filter(Double::isFinite).toArray();
        }
    }

    /** {@return whether there is a value} */
    public boolean isKnown() {
        return Double.isFinite(value);
    }

    /**
     * {@return value and range as a table has them, with the digits that the repeats allow} A dash stands for the
     * range of repeats that have none.
     */
    public String text(int decimals) {
        if (!isKnown()) {
            return CellText.UNKNOWN;
        }
        double[] repeats = repeats();
        String text = brief(decimals);
        Interval ends = range;
        if (ends == null) {
            return repeats.length < 2 ? text : text + " (" + CellText.UNKNOWN + ")";
        }
        String low = Digits.ofRange(ends.low(), ends.high(), repeats, decimals);
        String high = Digits.ofRange(ends.high(), ends.low(), repeats, decimals);
        return low.equals(high) ? text : text + " (" + low + " to " + high + ")";
    }

    /** {@return the value alone, with the digits that the repeats allow} */
    String brief(int decimals) {
        return isKnown() ? Digits.text(value, repeats(), decimals) : CellText.UNKNOWN;
    }

    private double[] repeats() {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
