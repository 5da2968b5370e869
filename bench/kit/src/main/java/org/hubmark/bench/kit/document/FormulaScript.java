package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.document.Formula.Operation;

import java.util.Locale;
import java.util.stream.Collectors;

/** A formula as an expression of JavaScript, for a page on which inputs can be moved. */
final class FormulaScript {
    private FormulaScript() {}

    /**
     * {@return the expression, in which {@code v} has the numbers, {@code c} the points of curves, and
     * {@code f} is {@code hubmarkFormulas} of formulas.js}
     *
     * @throws IllegalArgumentException of what a page does not have: times, parts and chances
     */
    static String of(Formula formula) {
        return switch (formula) {
            case Formula.Counter counter -> "v[\"" + counter.key() + "\"]";
            case Formula.Constant number -> Double.toString(number.value());
            case Formula.OfColumn figure -> "v[\"" + figure.column().key() + "\"]";
            case Operation operation -> operation(operation);
            case Formula.Latency latency -> throw isNotThere(latency);
            case Formula.Recorded recorded -> throw isNotThere(recorded);
            case Formula.Root root -> "Math.sqrt(" + of(root.of()) + ")";
            case Formula.Weighted weighted -> throw isNotThere(weighted);
            case Formula.ShareAbove share -> throw isNotThere(share);
            case Formula.OfParts parts -> throw isNotThere(parts);
            case Formula.OfSamples samples -> throw isNotThere(samples);
            case Formula.Slope slope -> throw isNotThere(slope);
            case Formula.Known known -> "f.is_known(" + of(known.of()) + ")";
            case Formula.Input input -> "v[\"" + input.key() + "\"]";
            case Formula.CurveInput curve -> "f.count(" + points(curve) + ")";
            case Formula.Reading reading ->
                call(reading.look()) + "(" + points(reading.curve()) + ", " + of(reading.at())
                        + ")";
            case Formula.Choice choice ->
                choice.of().stream()
                        // What comes after the first that is known is not looked at.
                        .map(one -> "function () { return " + of(one) + "; }")
                        .collect(Collectors.joining(", ", call(choice.pick()) + "(", ")"));
            case Formula.Call call -> call(call.function()) + "(" + of(call.of()) + ")";
        };
    }

    private static String operation(Operation operation) {
        String left = of(operation.left());
        String right = of(operation.right());
        return switch (operation.operator()) {
            case PLUS -> "(" + left + " + " + right + ")";
            case MINUS -> "(" + left + " - " + right + ")";
            case TIMES -> "(" + left + " * " + right + ")";
            case OVER -> "f.over(" + left + ", " + right + ")";
            case AT_LEAST -> "Math.max(" + left + ", " + right + ")";
            case AT_MOST -> "Math.min(" + left + ", " + right + ")";
            case WHERE -> "(" + right + " === 0 ? NaN : " + left + ")";
            case CHANCE_IN -> throw isNotThere(operation);
        };
    }

    private static String points(Formula.CurveInput curve) {
        return "c[\"" + curve.key() + "\"]";
    }

    private static String call(Enum<?> function) {
        return "f." + function.name().toLowerCase(Locale.ROOT);
    }

    private static IllegalArgumentException isNotThere(Formula formula) {
        return new IllegalArgumentException("no page has " + formula.words());
    }
}
