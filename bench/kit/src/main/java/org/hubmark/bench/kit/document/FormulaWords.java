package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.document.Formula.Operation;
import org.hubmark.bench.kit.document.Formula.Operator;
import org.hubmark.bench.kit.document.Formula.Own;
import org.hubmark.bench.kit.statistics.Digits;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A formula in words, for a reader.
 *
 * @param values those that stand in the place of its inputs; null for the names of these
 */
record FormulaWords(@Nullable Values values) {
    /** {@return the words} */
    String of(Formula formula) {
        return switch (formula) {
            case Formula.Counter counter -> input(counter, counter.key().replace('_', ' '));
            case Formula.Constant number -> Digits.plain(number.value());
            case Formula.OfColumn figure -> input(figure, figure.column().label());
            case Operation operation -> operation(operation);
            case Formula.Latency latency ->
                input(
                        latency,
                        latency.place().key().replace('_', '.') + " of "
                                + latency.times().words() + " / 1000000");
            case Formula.Known known -> of(known.of()) + " is known";
            case Own own when own.parts().isEmpty() -> input(own, own.words(List.of()));
            case Own own -> own.words(own.parts().stream().map(this::bracketed).toList());
        };
    }

    private String input(Formula input, String name) {
        return values == null ? name : Digits.plain(input.value(values));
    }

    /** The right side of an operation of the same rank needs brackets too: a - (b + c). */
    private String operation(Operation operation) {
        int rank = operation.operator().rank;
        boolean loosensLeft =
                operation.left() instanceof Operation left && left.operator().rank < rank;
        boolean loosensRight = operation.right() instanceof Operation right
                && (right.operator().rank <= rank || rank < Operator.PLUS.rank);
        return (loosensLeft ? "(" + of(operation.left()) + ")" : bracketed(operation.left()))
                + " " + operation.operator().sign + " "
                + (loosensRight ? "(" + of(operation.right()) + ")" : bracketed(operation.right()));
    }

    /** Words with a comma or a list in them. */
    private String bracketed(Formula formula) {
        return formula instanceof Own own && !own.parts().isEmpty()
                ? "(" + of(formula) + ")"
                : of(formula);
    }
}
