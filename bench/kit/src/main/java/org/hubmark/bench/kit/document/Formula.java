package org.hubmark.bench.kit.document;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.statistics.ChanceBound;
import org.hubmark.bench.kit.statistics.Digits;

import java.util.List;
import java.util.function.ToDoubleFunction;

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
    record Latency(Times times, Place place) implements Formula {
        double of(Histogram nanos) {
            return place.millis(nanos);
        }
    }

    /** How many times were recorded. */
    record Recorded(Times times) implements Formula {}

    /** A square root. */
    record Root(Formula of) implements Formula {}

    /**
     * The mean of a figure of the parts of a repeat, by their weights. A part that has no figure, or no
     * weight, is left out of both sums.
     *
     * @param parts key of their table
     * @param weight name of a part that holds its weight, 0 or more
     */
    record Weighted(String parts, Column of, Name weight) implements Formula {
        private double mean(Repeat repeat) {
            double sum = 0;
            double weights = 0;
            for (Repeat part : repeat.parts().getOrDefault(parts, List.of())) {
                double value = of.value(part);
                double own = part.number(weight);
                if (Double.isFinite(value) && own > 0) {
                    sum += own * value;
                    weights += own;
                }
            }
            return sum / weights;
        }
    }

    /** 1 where a formula has a value, 0 where it has none. */
    record Known(Formula of) implements Formula {}

    /** What is done with two formulas. */
    enum Operator {
        PLUS("+"),
        MINUS("-"),
        TIMES("x"),
        OVER("/"),
        AT_LEAST("at least"),
        /** The first where the second is not 0, else nothing. */
        WHERE("where"),
        /** The largest chance of an event, from 0 to 1, that so many events in so many trials allow. */
        CHANCE_IN("as an upper bound of 95 % (rule of three, or exact binomial) in");

        private final String sign;

        Operator(String sign) {
            this.sign = sign;
        }

        private boolean bindsLess(Operator other) {
            return rank() < other.rank();
        }

        private int rank() {
            return switch (this) {
                case WHERE, CHANCE_IN -> 0;
                case AT_LEAST -> 1;
                case PLUS, MINUS -> 2;
                case TIMES, OVER -> 3;
            };
        }

        private double apply(double left, double right) {
            return switch (this) {
                case PLUS -> left + right;
                case MINUS -> left - right;
                case TIMES -> left * right;
                case OVER -> left / right;
                case AT_LEAST -> Math.max(left, right);
                case WHERE -> right == 0 ? Double.NaN : left;
                case CHANCE_IN -> ChanceBound.of(left, right).upper();
            };
        }
    }

    /** Where a latency is looked up. */
    enum Place {
        MEAN("mean"),
        DEVIATION("standard deviation"),
        P50("p50"),
        P95("p95"),
        P99("p99"),
        P99_9("p99_9"),
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
                        case DEVIATION -> nanos.getStdDeviation();
                        case P50 -> nanos.getValueAtPercentile(50);
                        case P95 -> nanos.getValueAtPercentile(95);
                        case P99 -> nanos.getValueAtPercentile(99);
                        case P99_9 -> nanos.getValueAtPercentile(99.9);
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

    /** {@return this multiplied by another} */
    default Formula times(Formula factor) {
        return new Operation(this, Operator.TIMES, factor);
    }

    /** {@return the sum of this and another} */
    default Formula plus(Formula other) {
        return new Operation(this, Operator.PLUS, other);
    }

    /** {@return the difference of this and another} */
    default Formula minus(Formula other) {
        return new Operation(this, Operator.MINUS, other);
    }

    /** {@return this, or a constant where it is less than that} */
    default Formula atLeast(double least) {
        return new Operation(this, Operator.AT_LEAST, new Constant(least));
    }

    /** {@return its square root} */
    default Formula root() {
        return new Root(this);
    }

    /** {@return this where a condition is not 0, else nothing} */
    default Formula where(Formula condition) {
        return new Operation(this, Operator.WHERE, condition);
    }

    /** {@return the chance of such an event, at most, after so many trials; 95 % of such bounds hold} */
    default Formula chanceIn(Formula trials) {
        return new Operation(this, Operator.CHANCE_IN, trials);
    }

    /** {@return 1 where it has a value, 0 where it has none} */
    default Formula isKnown() {
        return new Known(this);
    }

    /** {@return the same with a number in the place of each of its inputs, NaN where one isn't known} */
    default Formula filled(ToDoubleFunction<Formula> inputs) {
        return switch (this) {
            case Counter counter -> new Constant(inputs.applyAsDouble(counter));
            case Constant number -> number;
            case OfColumn figure -> new Constant(inputs.applyAsDouble(figure));
            case Operation operation ->
                new Operation(
                        operation.left.filled(inputs),
                        operation.operator,
                        operation.right.filled(inputs));
            case Latency latency -> new Constant(inputs.applyAsDouble(latency));
            case Recorded recorded -> new Constant(inputs.applyAsDouble(recorded));
            case Root root -> new Root(root.of.filled(inputs));
            case Weighted weighted -> new Constant(inputs.applyAsDouble(weighted));
            case Known known -> new Known(known.of.filled(inputs));
        };
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
            case Recorded recorded -> (double) repeat.times(recorded.times).getTotalCount();
            case Root root -> Math.sqrt(root.of.value(repeat));
            case Weighted weighted -> weighted.mean(repeat);
            case Known known -> Double.isNaN(known.of.value(repeat)) ? 0 : 1;
        };
    }

    /** {@return the formula as a reader finds it below a table} */
    default String words() {
        return switch (this) {
            case Counter counter -> counter.key.replace('_', ' ');
            case Constant number -> Digits.plain(number.value);
            case OfColumn figure -> figure.column.label();
            case Operation operation ->
                (operation.left instanceof Operation left
                                        && left.operator.bindsLess(operation.operator)
                                ? "(" + left.words() + ")"
                                : operation.left.words())
                        + " " + operation.operator.sign + " "
                        + (operation.right instanceof Operation right
                                ? "(" + right.words() + ")"
                                : operation.right.words());
            case Latency latency ->
                latency.place.key.replace('_', '.') + " of "
                        + latency.times.key().replace('_', ' ') + " / 1000000";
            case Recorded recorded -> "number of " + recorded.times.key().replace('_', ' ');
            case Root root -> "square root of (" + root.of.words() + ")";
            case Weighted weighted ->
                "mean of " + weighted.of.label() + " of " + weighted.parts + ", weighted by "
                        + weighted.weight.label();
            case Known known -> known.of.words() + " is known";
        };
    }
}
