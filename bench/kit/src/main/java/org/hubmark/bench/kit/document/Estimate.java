package org.hubmark.bench.kit.document;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;

import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A figure that repeats or trials exist for: a value, what it is of, and its own interval.
 *
 * @param value NaN where no repeat knows it
 * @param of how the repeats became this value
 * @param range of a median of repeats the least and the largest, else the 95 % interval of this value;
 *     null where there is none, or it is not {@linkplain Interval#usable usable}
 * @param n how many repeats, or trials, it is made of; 0 for a formula over a whole row
 * @param design how they were made: the interval says nothing of what they have in common
 * @param values of the repeats that know it, in their order; none of a figure of a whole row or of trials
 */
@JsonPropertyOrder({"value", "of", "range", "n", "design", "values"})
public record Estimate(
        double value,
        Of of,
        @Nullable Interval range,
        int n,
        Design design,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Double> values) {
    /** Copies; a file may leave out the values. */
    public Estimate {
        values = values == null ? List.of() : List.copyOf(values);
    }

    /** One of repeats of one sitting. */
    public Estimate(double value, Of of, @Nullable Interval range, List<Double> values) {
        this(value, of, range, values.size(), Design.ONE_SITTING, values);
    }

    /** One of a whole row. */
    public Estimate(double value, @Nullable Interval range) {
        this(value, Of.FORMULA, range, List.of());
    }

    /** {@return the geometric mean of values above 0 with its own interval; null for none} */
    public static @Nullable Estimate geometricMean(List<Double> values) {
        double[] all = values.stream().mapToDouble(Double::doubleValue).toArray();
        return all.length == 0
                ? null
                : new Estimate(
                        Inference.geometricMean(all),
                        Of.GEOMETRIC_MEAN,
                        Inference.ofMean(all),
                        all.length,
                        all.length == 1 ? Design.ONE_RUN : Design.ONE_SITTING,
                        values);
    }

    /** How repeats became a value. */
    public enum Of {
        MEDIAN,
        MEAN,
        /** Without the largest and the smallest. */
        TRIMMED_MEAN,
        GEOMETRIC_MEAN,
        TOTAL,
        /** A formula over a whole row. */
        FORMULA,
        /** Where a curve that was fitted to trials reaches a share. */
        FITTED;

        /** {@return the name in files} */
        @JsonValue
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How the repeats were made. */
    public enum Design {
        /** Trials within one run, of one server. */
        ONE_RUN,
        /** Repeats of one sitting: one boot, one layout of files. */
        ONE_SITTING,
        /** Repeats of a run that was interrupted and went on, which may differ from sitting to sitting. */
        SEVERAL_SITTINGS;

        /** {@return the name in files} */
        @JsonValue
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
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
                case TOTAL -> new Estimate(known[0], Of.TOTAL, null, values);
                case MEDIAN, MEDIAN_ALONE ->
                    new Estimate(
                            Inference.median(known),
                            Of.MEDIAN,
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
                            isPositive ? Of.GEOMETRIC_MEAN : Of.MEAN,
                            Inference.ofMean(known),
                            values);
                }
                case MIDDLE_REPEATS ->
                    new Estimate(
                            Arrays.stream(known(middle)).average().orElse(Double.NaN),
                            middle.length < repeats.length ? Of.TRIMMED_MEAN : Of.MEAN,
                            Inference.ofMiddle(known, known(middle)),
                            values);
            };
        }

        private static double[] known(double[] values) {
            return Arrays.stream(values).filter(Double::isFinite).toArray();
        }
    }

    /** {@return the same of repeats that were made in so many sittings} */
    public Estimate of(int sittings) {
        return sittings < 2
                ? this
                : new Estimate(value, of, range, n, Design.SEVERAL_SITTINGS, values);
    }

    /** {@return whether there is a value} No part of a file, which says it by the value. */
    @JsonIgnore
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
