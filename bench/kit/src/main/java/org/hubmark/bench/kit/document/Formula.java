package org.hubmark.bench.kit.document;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.machine.statistics.Percentile;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

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
    record Latency(Times times, Place place) implements Formula {
        double of(Histogram nanos) {
            return place.millis(nanos);
        }
    }

    /** Number of recorded times. */
    record Recorded(Times times) implements Formula {}

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

    /** The share of times above a limit, percent. */
    record ShareAbove(Times times, double millis) implements Formula {
        private double percent(Histogram nanos) {
            long limit = Math.round(millis * NANOS_PER_MILLI);
            return nanos.getTotalCount() == 0
                    ? Double.NaN
                    : PERCENT
                            * (nanos.getTotalCount() - nanos.getCountBetweenValues(0, limit))
                            / nanos.getTotalCount();
        }
    }

    /** Value over the parts of a repeat, such as its instances; see {@link Form#parts}. */
    record OfParts(String parts, Fold fold, Formula of) implements Formula {
        private double folded(Repeat repeat) {
            return fold.apply(repeat.parts().getOrDefault(parts, List.of()).stream()
                    .mapToDouble(of::value)
                    .toArray());
        }
    }

    /** Value over the samples of a repeat; see {@link Repeat#samples}. */
    record OfSamples(Fold fold, Formula of) implements Formula {}

    /** 1 where a formula has a value, 0 where it has none. */
    record Known(Formula of) implements Formula {}

    /**
     * A number that a reader may move.
     *
     * @param key ends with its unit
     * @param label what it is called in words
     * @param unit empty for a plain factor
     * @param assumed what is taken where nobody says it; null where there is nothing to assume
     */
    record Input(
            String key,
            String label,
            String unit,
            Bounds bounds,
            @Nullable Assumption assumed) implements Formula {
        /** {@return in words what it can be} */
        @JsonProperty
        public String allowed() {
            return bounds.words(unit);
        }
    }

    /** Assumed value of an input, with the reason. */
    record Assumption(double value, String because) {}

    /** Points that were measured; in the place of a number it is how many there are. */
    record CurveInput(String key, String label) implements Formula {
        /** {@return the most along it that is not above a limit} */
        public Formula mostWithin(Formula limit) {
            return new Reading(this, Look.MOST_WITHIN, limit);
        }

        /** {@return its height at a place} */
        public Formula heightAt(Formula place) {
            return new Reading(this, Look.HEIGHT_AT, place);
        }

        /** {@return the least along it at which it reaches a height} */
        public Formula leastReaching(Formula height) {
            return new Reading(this, Look.LEAST_REACHING, height);
        }

        /** {@return what a repeat keeps it under} */
        public Name name() {
            return Name.note(key, "");
        }
    }

    /** A place on a curve. */
    record Reading(CurveInput curve, Look look, Formula at) implements Formula {}

    /** Way of reading a curve. */
    enum Look {
        /** The most along it that is not above a limit. */
        MOST_WITHIN,
        /** Height of the curve at a place. */
        HEIGHT_AT,
        /** The least along it at which it reaches a height. */
        LEAST_REACHING;

        private double read(Curve curve, double at) {
            return switch (this) {
                case MOST_WITHIN -> curve.mostWithin(at);
                case HEIGHT_AT -> curve.at(at);
                case LEAST_REACHING -> curve.leastReaching(at);
            };
        }
    }

    /** One of several. */
    record Choice(Pick pick, List<Formula> of) implements Formula {
        /** Copies. */
        public Choice {
            of = List.copyOf(of);
        }

        private double chosen(Repeat repeat) {
            DoubleStream known = of.stream()
                    .mapToDouble(one -> one.value(repeat))
                    .filter(value -> !Double.isNaN(value));
            OptionalDouble chosen = switch (pick) {
                case FIRST -> known.findFirst();
                case LEAST -> known.min();
                case GREATEST -> known.max();
            };
            return chosen.orElse(Double.NaN);
        }

        private List<Formula> looked(Repeat repeat) {
            List<Formula> looked = new ArrayList<>();
            for (Formula one : of) {
                looked.add(one);
                if (pick == Pick.FIRST && !Double.isNaN(one.value(repeat))) {
                    break;
                }
            }
            return looked;
        }
    }

    /** Choice among several formulas. Unknown values are passed over. */
    enum Pick {
        FIRST,
        LEAST,
        GREATEST
    }

    /** A function of one formula. */
    record Call(Function function, Formula of) implements Formula {}

    /** Functions of one formula. */
    enum Function {
        /** To a whole number, downwards. */
        DOWN,
        /** To a whole number, upwards. */
        UP,
        /** A number above 0, else nothing. */
        IF_POSITIVE;

        /** What binary fractions are off by must not cost a user or a disk. */
        private static final double NEAR = 1e-9;

        private double apply(double value) {
            double near = NEAR * Math.max(1, Math.abs(value));
            return switch (this) {
                case DOWN -> Math.floor(value + near);
                case UP -> Math.ceil(value - near);
                case IF_POSITIVE -> value > 0 ? value : Double.NaN;
            };
        }
    }

    /** Operators on two formulas. */
    enum Operator {
        PLUS,
        MINUS,
        TIMES,
        OVER,
        AT_LEAST,
        AT_MOST,
        /** The first where the second is not 0, else nothing. */
        WHERE;

        private double apply(double left, double right) {
            return switch (this) {
                case PLUS -> left + right;
                case MINUS -> left - right;
                case TIMES -> left * right;
                case OVER -> right == 0 ? Double.NaN : left / right;
                case AT_LEAST -> Math.max(left, right);
                case AT_MOST -> Math.min(left, right);
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

    /** {@return this, or a constant where it is more than that} */
    default Formula atMost(double most) {
        return new Operation(this, Operator.AT_MOST, new Constant(most));
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

    /** {@return the first of several that is known} */
    static Formula first(Formula... of) {
        return new Choice(Pick.FIRST, List.of(of));
    }

    /** {@return the smallest of several, of those that are known} */
    static Formula least(Formula... of) {
        return new Choice(Pick.LEAST, List.of(of));
    }

    /** {@return the largest of several, of those that are known} */
    static Formula greatest(Formula... of) {
        return new Choice(Pick.GREATEST, List.of(of));
    }

    /** {@return this as a whole number, rounded down} */
    default Formula down() {
        return new Call(Function.DOWN, this);
    }

    /** {@return this as a whole number, rounded up} */
    default Formula up() {
        return new Call(Function.UP, this);
    }

    /** {@return this where it is above 0, else nothing} */
    default Formula ifPositive() {
        return new Call(Function.IF_POSITIVE, this);
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
            case Weighted weighted -> new Constant(inputs.applyAsDouble(weighted));
            case ShareAbove share -> new Constant(inputs.applyAsDouble(share));
            case OfParts parts -> new Constant(inputs.applyAsDouble(parts));
            case OfSamples samples -> new Constant(inputs.applyAsDouble(samples));
            case Known known -> new Known(known.of.filled(inputs));
            case Input input -> new Constant(inputs.applyAsDouble(input));
            case CurveInput curve -> curve;
            case Reading reading ->
                new Reading(reading.curve, reading.look, reading.at.filled(inputs));
            case Choice choice ->
                new Choice(
                        choice.pick,
                        choice.of.stream().map(one -> one.filled(inputs)).toList());
            case Call call -> new Call(call.function, call.of.filled(inputs));
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
            case Weighted weighted -> weighted.mean(repeat);
            case ShareAbove share -> share.percent(repeat.times(share.times));
            case OfParts parts -> parts.folded(repeat);
            case OfSamples samples ->
                samples.fold.apply(
                        repeat.samples().stream().mapToDouble(samples.of::value).toArray());
            case Known known -> Double.isNaN(known.of.value(repeat)) ? 0 : 1;
            case Input input -> repeat.count(new Counter(input.key));
            case CurveInput curve -> repeat.curve(curve).count();
            case Reading reading ->
                reading.look.read(repeat.curve(reading.curve), reading.at.value(repeat));
            case Choice choice -> choice.chosen(repeat);
            case Call call -> call.function.apply(call.of.value(repeat));
        };
    }

    /**
     * {@return what its value in a repeat was made of, known or not: counters, inputs, curves, times and
     * figures} What stands behind the first that is known was not looked at.
     */
    default Set<Formula> inputs(Repeat repeat) {
        Set<Formula> all = new LinkedHashSet<>();
        addInputs(repeat, all);
        return all;
    }

    private void addInputs(Repeat repeat, Set<Formula> all) {
        List<Formula> parts = parts(repeat);
        if (parts.isEmpty() && !(this instanceof Constant)) {
            all.add(this);
        }
        parts.forEach(part -> part.addInputs(repeat, all));
    }

    /** {@return the formulas that it is put together of, those that its value in a repeat was made of} */
    default List<Formula> parts(Repeat repeat) {
        return switch (this) {
            case Counter counter -> List.of();
            case Constant number -> List.of();
            case OfColumn figure -> List.of();
            case Operation operation -> List.of(operation.left, operation.right);
            case Latency latency -> List.of();
            case Recorded recorded -> List.of();
            case Weighted weighted -> List.of();
            case ShareAbove share -> List.of();
            case OfParts parts -> List.of();
            case OfSamples samples -> List.of();
            case Known known -> List.of(known.of);
            case Input input -> List.of();
            case CurveInput curve -> List.of();
            case Reading reading -> List.of(reading.curve, reading.at);
            case Choice choice -> choice.looked(repeat);
            case Call call -> List.of(call.of);
        };
    }

    /** {@return the formula as a reader finds it below a table} */
    default String words() {
        return FormulaWords.of(this);
    }
}
