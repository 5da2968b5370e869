package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/**
 * What the repeats of a row say of a figure: a value never goes without what it is of.
 *
 * @param value NaN where no repeat knows it
 * @param range null with fewer than two repeats; see {@link Rule}
 * @param values of the repeats that know it, in their order; none of a figure of a whole row
 */
public record Estimate(double value, @Nullable Interval range, List<Double> values) {
    /** Copies. */
    public Estimate {
        values = List.copyOf(values);
    }

    /** One of a whole row. */
    Estimate(double value, @Nullable Interval range) {
        this(value, range, List.of());
    }

    /** How repeats become one value. */
    public enum Rule {
        /** The median, with the least and the largest value. */
        MEDIAN("medians; in parentheses the least and the largest"),
        /**
         * Of five and more the mean without the largest and the smallest value, of fewer the mean of all,
         * with Student's interval of the mean of all.
         */
        MIDDLE_MEAN("means; in parentheses intervals of 95 %"),
        /** All is counted in one: a row has a single repeat, and nothing of it scatters. */
        TOTAL("totals");

        private final String words;

        Rule(String words) {
            this.words = words;
        }

        /** {@return what a figure and its parentheses are, for a caption} */
        public String words() {
            return words;
        }

        /** {@return the one value of those that are known; NaN of none} */
        public Estimate of(double... repeats) {
            double[] known = Arrays.stream(repeats).filter(Double::isFinite).toArray();
            if (known.length == 0) {
                return new Estimate(Double.NaN, null);
            }
            List<Double> values = Arrays.stream(known).boxed().toList();
            return switch (this) {
                case TOTAL -> new Estimate(known[0], null, values);
                case MEDIAN ->
                    new Estimate(
                            Inference.median(known),
                            known.length == 1
                                    ? null
                                    : new Interval(
                                            Arrays.stream(known).min().orElseThrow(),
                                            Arrays.stream(known).max().orElseThrow()),
                            values);
                case MIDDLE_MEAN -> {
                    Double trimmed = Inference.trimmedMean(known);
                    yield new Estimate(
                            trimmed == null ? Inference.mean(known) : trimmed,
                            Inference.ofMean(known),
                            values);
                }
            };
        }
    }

    /** {@return whether there is a value} */
    public boolean isKnown() {
        return Double.isFinite(value);
    }

    /** {@return value and range as a table has them, with the digits that the repeats allow} */
    public String text(int decimals) {
        if (!isKnown()) {
            return Cell.UNKNOWN;
        }
        double[] repeats = values.stream().mapToDouble(Double::doubleValue).toArray();
        String text = Digits.text(value, repeats, decimals);
        Interval ends = range;
        if (ends == null) {
            return text;
        }
        String low = Digits.ofRange(ends.low(), ends.high(), repeats, decimals);
        String high = Digits.ofRange(ends.high(), ends.low(), repeats, decimals);
        return low.equals(high) ? text : text + " (" + low + " to " + high + ")";
    }
}
