package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * What the repeats of a row say of a figure: a value never goes without what it is of.
 *
 * @param value NaN where no repeat knows it
 * @param range null with fewer than two repeats; see {@link Rule}
 * @param values of the repeats that know it, in their order
 */
public record Estimate(double value, @Nullable Interval range, double... values) {
    /** How repeats become one value. */
    public enum Rule {
        /** The median, with the least and the largest value. */
        MEDIAN("medians; in parentheses the least and the largest"),
        /**
         * Of five and more the mean without the largest and the smallest value, of fewer the mean of all,
         * with Student's interval of the mean of all.
         */
        MIDDLE_MEAN("means; in parentheses intervals of 95 %");

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
            return switch (this) {
                case MEDIAN ->
                    new Estimate(
                            Inference.median(known),
                            known.length == 1
                                    ? null
                                    : new Interval(
                                            Arrays.stream(known).min().orElseThrow(),
                                            Arrays.stream(known).max().orElseThrow()),
                            known);
                case MIDDLE_MEAN -> {
                    Double trimmed = Inference.trimmedMean(known);
                    yield new Estimate(
                            trimmed == null ? Inference.mean(known) : trimmed,
                            Inference.ofMean(known),
                            known);
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
        String text = Digits.text(value, values, decimals);
        Interval ends = range;
        if (ends == null || ends.low() == ends.high()) {
            return text;
        }
        return text + " (" + Digits.ofRange(ends.low(), ends.high(), values, decimals) + " to "
                + Digits.ofRange(ends.high(), ends.low(), values, decimals) + ")";
    }
}
