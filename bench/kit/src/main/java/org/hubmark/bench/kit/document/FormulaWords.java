package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.document.Formula.Operation;
import org.hubmark.bench.kit.document.Formula.Operator;
import org.hubmark.bench.kit.statistics.Digits;

import java.util.stream.Collectors;

/** A formula in words, for a reader. */
final class FormulaWords {
    private FormulaWords() {}

    /** {@return the words} */
    static String of(Formula formula) {
        return switch (formula) {
            case Formula.Counter counter -> plain(counter.key());
            case Formula.Constant number -> Digits.plain(number.value());
            case Formula.OfColumn figure -> figure.column().label();
            case Operation operation -> operation(operation);
            case Formula.Latency latency ->
                latency.place().key().replace('_', '.') + " of " + millis(latency.times());
            case Formula.Recorded recorded ->
                "number of " + plain(recorded.times().key());
            case Formula.Weighted weighted ->
                "mean of " + weighted.of().label() + " of " + weighted.parts() + ", weighted by "
                        + weighted.weight().label();
            case Formula.ShareAbove share ->
                "share of " + millis(share.times()) + " above " + Digits.plain(share.millis())
                        + ", percent";
            case Formula.OfParts parts ->
                parts.fold().words() + " over " + plain(parts.parts()) + " of (" + of(parts.of())
                        + ")";
            case Formula.OfSamples samples ->
                samples.fold().words() + " over samples of (" + of(samples.of()) + ")";
            case Formula.Known known -> of(known.of()) + " is known";
            case Formula.Input input -> input.label();
            case Formula.CurveInput curve -> curve.label();
            case Formula.Reading reading ->
                "read off " + reading.curve().label() + look(reading.look())
                        + bracketed(reading.at());
            case Formula.Choice choice ->
                choice.of().stream()
                        .map(FormulaWords::bracketed)
                        .collect(Collectors.joining(
                                "; ", "the " + pick(choice.pick()) + " of: ", ""));
            case Formula.Call call -> "(" + of(call.of()) + "), " + function(call.function());
        };
    }

    private static String plain(String key) {
        return key.replace('_', ' ');
    }

    private static String millis(Times times) {
        return plain(times.key()) + " / 1000000";
    }

    /** The right side of an operation of the same rank needs brackets too: a - (b + c). */
    private static String operation(Operation operation) {
        int rank = rank(operation.operator());
        boolean loosensLeft =
                operation.left() instanceof Operation left && rank(left.operator()) < rank;
        boolean loosensRight = operation.right() instanceof Operation right
                && (rank(right.operator()) <= rank || rank < rank(Operator.PLUS));
        return (loosensLeft ? "(" + of(operation.left()) + ")" : bracketed(operation.left()))
                + " " + sign(operation.operator()) + " "
                + (loosensRight ? "(" + of(operation.right()) + ")" : bracketed(operation.right()));
    }

    /** What binds more has the higher rank. */
    private static int rank(Operator operator) {
        return switch (operator) {
            case WHERE -> 0;
            case AT_LEAST, AT_MOST -> 1;
            case PLUS, MINUS -> 2;
            case TIMES, OVER -> 3;
        };
    }

    private static String sign(Operator operator) {
        return switch (operator) {
            case PLUS -> "+";
            case MINUS -> "-";
            case TIMES -> "x";
            case OVER -> "/";
            case AT_LEAST -> "at least";
            case AT_MOST -> "at most";
            case WHERE -> "where";
        };
    }

    private static String look(Formula.Look look) {
        return switch (look) {
            case MOST_WITHIN -> ": the most within ";
            case HEIGHT_AT -> " at ";
            case LEAST_REACHING -> ": the least that reaches ";
        };
    }

    private static String pick(Formula.Pick pick) {
        return switch (pick) {
            case FIRST -> "first that is known";
            case LEAST -> "smallest";
            case GREATEST -> "largest";
        };
    }

    private static String function(Formula.Function function) {
        return switch (function) {
            case DOWN -> "rounded down";
            case UP -> "rounded up";
            case IF_POSITIVE -> "where above 0, else not applicable";
        };
    }

    /** Words with a comma or a list in them. */
    private static String bracketed(Formula formula) {
        boolean isLoose = formula instanceof Formula.Reading
                || formula instanceof Formula.Choice
                || formula instanceof Formula.Call;
        return isLoose ? "(" + of(formula) + ")" : of(formula);
    }
}
