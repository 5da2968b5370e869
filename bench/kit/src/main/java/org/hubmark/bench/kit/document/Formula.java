package org.hubmark.bench.kit.document;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.machine.statistics.Percentile;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Expression by which a figure follows from the counters of one repeat. Both its value and its
 * words are derived from it. An unknown input is NaN, and so is every result that needs it.
 * Immutable.
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

    /** A place in the distribution of times, milliseconds; see {@link Percentile} for how many it takes. */
    record Latency(Times times, Place place) implements Formula {}

    /** 1 where a formula has a value, 0 where it has none. */
    record Known(Formula of) implements Formula {}

    /** A kind that one study has of its own. */
    non-sealed interface Own extends Formula {
        /** {@return the formulas that stand in its words; none of one that is shown by its value} */
        default List<Formula> parts() {
            return List.of();
        }

        /**
         * {@return its words}
         *
         * @param parts those of its parts
         */
        String words(List<String> parts);

        @Override
        double value(Values values);
    }

    /**
     * A function over values.
     *
     * @param text in words, which name all that it asks for
     */
    record Lambda(String text, ToDoubleFunction<Values> function) implements Own {
        @Override
        public String words(List<String> parts) {
            return text;
        }

        @Override
        public double value(Values values) {
            return function.applyAsDouble(values);
        }
    }

    /** Operators on two formulas. */
    enum Operator {
        PLUS("+", 2),
        MINUS("-", 2),
        TIMES("x", 3),
        OVER("/", 3),
        AT_LEAST("at least", 1),
        /** The first where the second is not 0, else nothing. */
        WHERE("where", 0);

        final String sign;

        /** What binds more has the higher rank. */
        final int rank;

        Operator(String sign, int rank) {
            this.sign = sign;
            this.rank = rank;
        }

        private double apply(double left, double right) {
            return switch (this) {
                case PLUS -> left + right;
                case MINUS -> left - right;
                case TIMES -> left * right;
                case OVER -> right == 0 ? Double.NaN : left / right;
                case AT_LEAST -> Math.max(left, right);
                case WHERE -> right == 0 ? Double.NaN : left;
            };
        }
    }

    /** Places at which a latency is read. */
    enum Place {
        MEAN("mean"),
        DEVIATION("standard deviation"),
        P50("p50"),
        P95("p95"),
        P99("p99"),
        P99_9("p99_9"),
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
                        case DEVIATION -> nanos.getStdDeviation();
                        case P50 -> Percentile.of(nanos, 50);
                        case P95 -> Percentile.of(nanos, 95);
                        case P99 -> Percentile.of(nanos, 99);
                        case P99_9 -> Percentile.of(nanos, 99.9);
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
        return times(new Constant(factor));
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

    /** {@return how much of another this is, percent} */
    default Formula percentOf(Formula whole) {
        return times(PERCENT).over(whole);
    }

    /** {@return this where a condition is not 0, else nothing} */
    default Formula where(Formula condition) {
        return new Operation(this, Operator.WHERE, condition);
    }

    /** {@return 1 where it has a value, 0 where it has none} */
    default Formula isKnown() {
        return new Known(this);
    }

    /** {@return its value, such as in a repeat; NaN where it can't be made of what is known} */
    default double value(Values values) {
        return switch (this) {
            case Counter counter -> values.count(counter);
            case Constant number -> number.value;
            case OfColumn figure -> values.of(figure.column);
            case Operation operation ->
                operation.operator.apply(
                        operation.left.value(values), operation.right.value(values));
            case Latency latency -> latency.place.millis(values.times(latency.times));
            case Known known -> Double.isNaN(known.of.value(values)) ? 0 : 1;
            case Own own -> own.value(values);
        };
    }

    /** {@return the formula as a reader finds it below a table} */
    default String words() {
        return new FormulaWords(null).of(this);
    }

    /** {@return the same with the numbers that it is made of} */
    default String numbers(Values values) {
        return new FormulaWords(values).of(this);
    }
}
