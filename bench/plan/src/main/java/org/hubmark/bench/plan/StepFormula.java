package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Values;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * What steps are made of, beside what all studies have.
 *
 * @param parts what the function is of
 */
record StepFormula(Function function, List<Formula> parts) implements Formula.Own {
    /** What binary fractions are off by must not cost a user or a disk. */
    private static final double NEAR = 1e-9;

    /** Functions of one formula, or of several. Of several, unknown values are passed over. */
    enum Function {
        FIRST("the first that is known of: %s"),
        LEAST("the smallest of: %s"),
        GREATEST("the largest of: %s"),
        /** To a whole number, downwards. */
        DOWN("%s, rounded down"),
        /** To a whole number, upwards. */
        UP("%s, rounded up"),
        /** A number above 0, else nothing. */
        IF_POSITIVE("%s, where above 0, else not applicable");

        private final String words;

        Function(String words) {
            this.words = words;
        }
    }

    /** Copies. */
    StepFormula {
        parts = List.copyOf(parts);
    }

    /** {@return the first of several that is known} */
    static Formula first(Formula... of) {
        return new StepFormula(Function.FIRST, List.of(of));
    }

    /** {@return the smallest of several, of those that are known} */
    static Formula least(Formula... of) {
        return new StepFormula(Function.LEAST, List.of(of));
    }

    /** {@return the largest of several, of those that are known} */
    static Formula greatest(Formula... of) {
        return new StepFormula(Function.GREATEST, List.of(of));
    }

    /** {@return a formula as a whole number, rounded down} */
    static Formula down(Formula of) {
        return new StepFormula(Function.DOWN, List.of(of));
    }

    /** {@return a formula as a whole number, rounded up} */
    static Formula up(Formula of) {
        return new StepFormula(Function.UP, List.of(of));
    }

    /** {@return a formula where it is above 0, else nothing} */
    static Formula ifPositive(Formula of) {
        return new StepFormula(Function.IF_POSITIVE, List.of(of));
    }

    @Override
    public String words(List<String> all) {
        String first = all.getFirst();
        return switch (function) {
            case FIRST, LEAST, GREATEST -> function.words.formatted(String.join("; ", all));
            case DOWN, UP, IF_POSITIVE ->
                function.words.formatted(
                        parts.getFirst() instanceof StepFormula ? first : "(" + first + ")");
        };
    }

    @Override
    public double value(Values values) {
        return switch (function) {
            case FIRST -> known(values).findFirst().orElse(Double.NaN);
            case LEAST -> known(values).min().orElse(Double.NaN);
            case GREATEST -> known(values).max().orElse(Double.NaN);
            case DOWN -> Math.floor(last(values, NEAR));
            case UP -> Math.ceil(last(values, -NEAR));
            case IF_POSITIVE -> known(values).filter(value -> value > 0).max().orElse(Double.NaN);
        };
    }

    private DoubleStream known(Values values) {
        return parts.stream()
                .mapToDouble(part -> part.value(values))
                .filter(value -> !Double.isNaN(value));
    }

    private double last(Values values, double near) {
        double value = parts.getLast().value(values);
        return value + near * Math.max(1, Math.abs(value));
    }

    private List<Formula> asked(Values values) {
        int first = 0;
        while (first < parts.size() - 1 && Double.isNaN(parts.get(first).value(values))) {
            first++;
        }
        return function == Function.FIRST ? parts.subList(0, first + 1) : parts;
    }

    /** {@return what a value was made of, known or not: inputs and earlier steps} */
    static Stream<Formula> inputs(Formula of, Values values) {
        List<Formula> parts = parts(of, values);
        return parts.isEmpty()
                ? Stream.of(of).filter(one -> !(one instanceof Formula.Constant))
                : parts.stream().flatMap(part -> inputs(part, values)).distinct();
    }

    /** {@return the formulas that a value was made of} What stands behind the first that is known was not asked for. */
    static List<Formula> parts(Formula of, Values values) {
        return switch (of) {
            case Formula.Operation operation -> List.of(operation.left(), operation.right());
            case Formula.Known known -> List.of(known.of());
            case StepFormula step -> step.asked(values);
            default -> List.of();
        };
    }
}
