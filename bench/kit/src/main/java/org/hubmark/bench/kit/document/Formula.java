package org.hubmark.bench.kit.document;

import org.HdrHistogram.Histogram;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * How a figure is made of what was counted in one repeat: an expression, from which its words and its
 * value follow. An input that is not known is NaN, and so is what is made of it. Immutable.
 */
public sealed interface Formula {
    double NANOS_PER_MILLI = 1e6;
    double PERCENT = 100;

    /** A count, or a time in nanoseconds, or octets: what a study takes down of each repeat. */
    record Counter(String key) implements Formula {}

    /** A constant, such as a factor between units. */
    record Constant(double value) implements Formula {}

    /** A figure that is made of another figure. */
    record OfColumn(Column column) implements Formula {}

    /** Two formulas and what is done with them. */
    record Operation(Formula left, Operator operator, Formula right) implements Formula {}

    /** A place in the distribution of times, milliseconds. */
    record Latency(Times times, Place place) implements Formula {}

    /** The share of times above a limit, percent. */
    record ShareAbove(Times times, double millis) implements Formula {}

    /** What the parts of a repeat say together, such as its instances; see {@link Form#parts}. */
    record OfParts(String parts, Fold fold, Formula of) implements Formula {}

    /** What the samples of a repeat say together; see {@link Repeat#samples}. */
    record OfSamples(Fold fold, Formula of) implements Formula {}

    /**
     * By how much one value grows with another: the slope of the straight line that is nearest to the
     * samples of a repeat and of its parts. It takes three of them.
     */
    record Slope(Formula along, Formula height) implements Formula {
        private static final int SAMPLES_MIN = 3;

        private double value(List<Repeat> samples) {
            double count = 0;
            double sumX = 0;
            double sumY = 0;
            double sumXx = 0;
            double sumXy = 0;
            for (Repeat sample : samples) {
                double x = along.value(sample);
                double y = height.value(sample);
                if (Double.isFinite(x) && Double.isFinite(y)) {
                    count++;
                    sumX += x;
                    sumY += y;
                    sumXx += x * x;
                    sumXy += x * y;
                }
            }
            double spread = count * sumXx - sumX * sumX;
            return count < SAMPLES_MIN || spread <= 0
                    ? Double.NaN
                    : (count * sumXy - sumX * sumY) / spread;
        }
    }

    /** How several values become one. Of nothing that is known nothing is. */
    enum Fold {
        /** Unknown when one of them is. */
        SUM("sum"),
        /** Unweighted, of those that are known. */
        MEAN("mean"),
        LEAST("least"),
        LARGEST("largest");

        private final String words;

        Fold(String words) {
            this.words = words;
        }

        private double apply(double[] values) {
            double[] known = Arrays.stream(values).filter(Double::isFinite).toArray();
            if (known.length == 0 || this == SUM && known.length < values.length) {
                return Double.NaN;
            }
            return switch (this) {
                case SUM -> Arrays.stream(known).sum();
                case MEAN -> Arrays.stream(known).sum() / known.length;
                case LEAST -> Arrays.stream(known).min().orElseThrow();
                case LARGEST -> Arrays.stream(known).max().orElseThrow();
            };
        }
    }

    /** Arithmetic. */
    enum Operator {
        PLUS("+"),
        MINUS("-"),
        TIMES("x"),
        OVER("/"),
        AT_LEAST("but at least"),
        AT_MOST("but at most");

        private final String sign;

        Operator(String sign) {
            this.sign = sign;
        }

        private double apply(double left, double right) {
            return switch (this) {
                case PLUS -> left + right;
                case MINUS -> left - right;
                case TIMES -> left * right;
                case OVER -> left / right;
                case AT_LEAST -> Math.max(left, right);
                case AT_MOST -> Math.min(left, right);
            };
        }
    }

    /** Where a latency is looked up. */
    enum Place {
        MEAN("mean"),
        P50("p50"),
        P95("p95"),
        P99("p99"),
        MAX("max");

        private final String key;

        Place(String key) {
            this.key = key;
        }

        /** {@return its name in files} */
        public String key() {
            return key;
        }

        private double millis(Histogram nanos) {
            if (nanos.getTotalCount() == 0) {
                return Double.NaN;
            }
            return switch (this) {
                        case MEAN -> nanos.getMean();
                        case P50 -> nanos.getValueAtPercentile(50);
                        case P95 -> nanos.getValueAtPercentile(95);
                        case P99 -> nanos.getValueAtPercentile(99);
                        case MAX -> nanos.getMaxValue();
                    }
                    / NANOS_PER_MILLI;
        }
    }

    /** {@return this divided by another} */
    default Formula over(Formula divisor) {
        return new Operation(this, Operator.OVER, divisor);
    }

    /** {@return this divided by a constant} */
    default Formula over(double divisor) {
        return over(new Constant(divisor));
    }

    /** {@return this multiplied by a constant} */
    default Formula times(double factor) {
        return new Operation(this, Operator.TIMES, new Constant(factor));
    }

    /** {@return the sum of this and another} */
    default Formula plus(Formula other) {
        return new Operation(this, Operator.PLUS, other);
    }

    /** {@return the difference of this and another} */
    default Formula minus(Formula other) {
        return new Operation(this, Operator.MINUS, other);
    }

    /** {@return this, or a constant where this is less} */
    default Formula atLeast(double least) {
        return new Operation(this, Operator.AT_LEAST, new Constant(least));
    }

    /** {@return this, or a constant where this is more} */
    default Formula atMost(double most) {
        return new Operation(this, Operator.AT_MOST, new Constant(most));
    }

    /** {@return the share of this in the whole of which both are parts, percent} */
    default Formula percentOf(Formula whole) {
        return times(PERCENT).over(whole);
    }

    /** {@return its value in a repeat; NaN where it can't be made of what is known} */
    default double value(Repeat repeat) {
        return switch (this) {
            case Counter counter -> repeat.count(counter);
            case Constant number -> number.value;
            case OfColumn figure -> figure.column.value(repeat);
            case Operation operation ->
                operation.operator.apply(
                        operation.left.value(repeat), operation.right.value(repeat));
            case Latency latency -> latency.place.millis(repeat.times(latency.times));
            case ShareAbove share -> above(repeat.times(share.times), share.millis);
            case OfParts parts ->
                parts.fold.apply(
                        repeat.parts().getOrDefault(parts.parts, List.of()).stream()
                                .mapToDouble(parts.of::value)
                                .toArray());
            case OfSamples samples ->
                samples.fold.apply(
                        repeat.samples().stream().mapToDouble(samples.of::value).toArray());
            case Slope slope -> slope.value(allSamples(repeat).toList());
        };
    }

    private static Stream<Repeat> allSamples(Repeat repeat) {
        return Stream.concat(
                repeat.samples().stream(),
                repeat.parts().values().stream().flatMap(List::stream).flatMap(Formula::allSamples));
    }

    private static double above(Histogram nanos, double millis) {
        long limit = Math.round(millis * NANOS_PER_MILLI);
        return nanos.getTotalCount() == 0
                ? Double.NaN
                : PERCENT
                        * (nanos.getTotalCount() - nanos.getCountBetweenValues(0, limit))
                        / nanos.getTotalCount();
    }

    /** {@return the formula as a reader finds it below a table} */
    default String words() {
        return switch (this) {
            case Counter counter -> counter.key.replace('_', ' ');
            case Constant number ->
                BigDecimal.valueOf(number.value).stripTrailingZeros().toPlainString();
            case OfColumn figure -> figure.column.label();
            case Operation operation ->
                operation.left.words() + " " + operation.operator.sign + " "
                        + (operation.right instanceof Operation right
                                ? "(" + right.words() + ")"
                                : operation.right.words());
            case Latency latency ->
                latency.place.key + " of " + latency.times.key().replace('_', ' ') + " / 1000000";
            case ShareAbove share ->
                "share of " + share.times.key().replace('_', ' ') + " / 1000000 above "
                        + new Constant(share.millis).words() + ", percent";
            case OfParts parts ->
                parts.fold.words + " over " + parts.parts.replace('_', ' ') + " of ("
                        + parts.of.words() + ")";
            case OfSamples samples ->
                samples.fold.words + " over samples of (" + samples.of.words() + ")";
            case Slope slope ->
                "slope of (" + slope.height.words() + ") by (" + slope.along.words()
                        + "), over samples";
        };
    }
}
