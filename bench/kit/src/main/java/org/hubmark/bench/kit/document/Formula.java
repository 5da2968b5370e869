package org.hubmark.bench.kit.document;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.statistics.ChanceBound;

import java.math.BigDecimal;

/**
 * How a figure is made of what was counted in one repeat: an expression, from which its words and its
 * value follow. An input that is not known is NaN, and so is what is made of it. Immutable.
 */
public sealed interface Formula {
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

    /**
     * A bound of the chance that something happens, from 0 to 1, with a confidence of 95 %, by how often
     * it did.
     */
    record UpperBound(Formula events, Formula trials) implements Formula {}

    /** Arithmetic. */
    enum Operator {
        PLUS("+"),
        MINUS("-"),
        TIMES("x"),
        OVER("/");

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

        private static final double NANOS_PER_MILLI = 1e6;

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
            case UpperBound bound ->
                ChanceBound.of(bound.events.value(repeat), bound.trials.value(repeat)).upper();
        };
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
            case UpperBound bound ->
                "95 % upper bound of " + bound.events.words() + " in " + bound.trials.words()
                        + ": 3 / " + bound.trials.words()
                        + " without one (rule of three), else that of Clopper and Pearson (exact"
                        + " binomial), one-sided";
        };
    }
}
