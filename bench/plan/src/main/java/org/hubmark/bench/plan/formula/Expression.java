package org.hubmark.bench.plan.formula;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A formula as a tree. Where something that it needs isn't known its value is no number (NaN). */
public sealed interface Expression {
    /** A number that stands in the formula. */
    record Constant(double value) implements Expression {}

    /** An input, or the result of an earlier step. */
    record Name(String name) implements Expression {}

    /** With a minus before it. */
    record Negated(Expression of) implements Expression {}

    /** Two with + - * or / between them. */
    record Binary(char operator, Expression left, Expression right) implements Expression {}

    /** A function; of a curve its first argument is the curve's name. */
    record Call(Function function, List<Expression> arguments) implements Expression {
        /** Copies. */
        public Call {
            arguments = List.copyOf(arguments);
        }
    }

    /** {@return its value; NaN where that isn't known} */
    default double evaluate(Scope scope) {
        double value = switch (this) {
            case Constant constant -> constant.value;
            case Name name -> scope.number(name.name);
            case Negated negated -> -negated.of.evaluate(scope);
            case Binary binary -> {
                double left = binary.left.evaluate(scope);
                double right = binary.right.evaluate(scope);
                yield switch (binary.operator) {
                    case '+' -> left + right;
                    case '-' -> left - right;
                    case '*' -> left * right;
                    case '/' -> left / right;
                    default -> throw new IllegalStateException("" + binary.operator);
                };
            }
            case Call call -> called(call, scope);
        };
        return Double.isFinite(value) ? value : Double.NaN;
    }

    private static double called(Call call, Scope scope) {
        Expression first = call.arguments.getFirst();
        return switch (call.function) {
            case FIRST -> {
                for (Expression one : call.arguments) {
                    double value = one.evaluate(scope);
                    if (!Double.isNaN(value)) {
                        yield value;
                    }
                }
                yield Double.NaN;
            }
            case LEAST -> outermost(call, scope, -1);
            case GREATEST -> outermost(call, scope, 1);
            case DOWN -> Function.down(first.evaluate(scope));
            case UP -> Function.up(first.evaluate(scope));
            case IF_POSITIVE -> {
                double value = first.evaluate(scope);
                yield value > 0 ? value : Double.NaN;
            }
            case MOST_WITHIN -> {
                Curve curve = curve(call, scope);
                double limit = call.arguments.get(1).evaluate(scope);
                double value = curve.mostWithin(limit);
                if (!Double.isNaN(value) && curve.isBeyond(limit)) {
                    scope.beyond(curveName(call));
                } else if (!Double.isNaN(value) && curve.isBefore(limit)) {
                    scope.before(curveName(call));
                }
                yield value;
            }
            case HEIGHT_AT -> curve(call, scope).at(call.arguments.get(1).evaluate(scope));
            case LEAST_REACHING ->
                curve(call, scope).leastReaching(call.arguments.get(1).evaluate(scope));
        };
    }

    private static double outermost(Call call, Scope scope, int sign) {
        double outermost = Double.NaN;
        for (Expression one : call.arguments) {
            double value = one.evaluate(scope);
            if (Double.isNaN(value)) {
                if (one instanceof Name name) {
                    scope.leftOut(name.name);
                }
            } else if (Double.isNaN(outermost) || sign * value > sign * outermost) {
                outermost = value;
            }
        }
        return outermost;
    }

    private static Curve curve(Call call, Scope scope) {
        return scope.curve(curveName(call));
    }

    private static String curveName(Call call) {
        return ((Name) call.arguments.getFirst()).name;
    }

    /** Adds the names of numbers and of curves that it is made of. */
    default void names(Set<String> numbers, Set<String> curves) {
        switch (this) {
            case Constant unused -> {}
            case Name name -> numbers.add(name.name);
            case Negated negated -> negated.of.names(numbers, curves);
            case Binary binary -> {
                binary.left.names(numbers, curves);
                binary.right.names(numbers, curves);
            }
            case Call call -> {
                boolean ofCurve = call.function.ofCurve();
                if (ofCurve) {
                    curves.add(curveName(call));
                }
                call.arguments.stream()
                        .skip(ofCurve ? 1 : 0)
                        .forEach(one -> one.names(numbers, curves));
            }
        }
    }

    /**
     * {@return it as JavaScript, in which {@code v} holds the numbers, {@code c} the curves and {@code f}
     * the functions}
     */
    default String javaScript() {
        return switch (this) {
            case Constant constant -> text(constant.value);
            case Name name -> "v." + name.name;
            case Negated negated -> "(-" + negated.of.javaScript() + ")";
            case Binary binary -> {
                String left = binary.left.javaScript();
                String right = binary.right.javaScript();
                yield binary.operator == '/'
                        ? "f.over(" + left + ", " + right + ")"
                        : "(" + left + " " + binary.operator + " " + right + ")";
            }
            case Call call -> {
                List<String> parts = new ArrayList<>();
                for (Expression one : call.arguments) {
                    boolean curve = call.function.ofCurve() && parts.isEmpty();
                    String part = curve ? "c." + curveName(call) : one.javaScript();
                    // What comes after the first that is known is not looked at.
                    parts.add(
                            call.function == Function.FIRST
                                    ? "function () { return " + part + "; }"
                                    : part);
                }
                yield "f." + call.function.text() + "(" + String.join(", ", parts) + ")";
            }
        };
    }

    /**
     * {@return it in words}
     *
     * @param labels what a name stands for
     */
    default String words(UnaryOperator<String> labels) {
        return words(labels, 0);
    }

    private String words(UnaryOperator<String> labels, int within) {
        return switch (this) {
            case Constant constant -> text(constant.value);
            case Name name -> labels.apply(name.name);
            case Negated negated -> "-" + negated.of.words(labels, 3);
            case Binary binary -> {
                boolean sum = binary.operator == '+' || binary.operator == '-';
                int own = sum ? 1 : 2;
                String operator = binary.operator == '*' ? "x" : "" + binary.operator;
                String text = binary.left.words(labels, own) + " " + operator + " "
                        + binary.right.words(labels, own + 1);
                yield own < within ? "(" + text + ")" : text;
            }
            case Call call -> {
                boolean one = call.arguments.size() == 1;
                List<String> parts = call.arguments.stream()
                        .map(argument -> argument.words(labels, one ? 0 : 1))
                        .toList();
                String first = parts.getFirst();
                String text = switch (call.function) {
                    case FIRST ->
                        one ? first : "the first that is known of: " + String.join("; ", parts);
                    case LEAST -> "the smallest of: " + String.join("; ", parts);
                    case GREATEST -> "the largest of: " + String.join("; ", parts);
                    case DOWN -> "(" + first + "), rounded down";
                    case UP -> "(" + first + "), rounded up";
                    case IF_POSITIVE -> "(" + first + ") where above 0, else not applicable";
                    case MOST_WITHIN -> "read off " + first + ": the most within " + parts.get(1);
                    case HEIGHT_AT -> "read off " + first + " at " + parts.get(1);
                    case LEAST_REACHING ->
                        "read off " + first + ": the least that reaches " + parts.get(1);
                };
                yield within > 0 && !one ? "(" + text + ")" : text;
            }
        };
    }

    private static String text(double value) {
        return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
    }
}
