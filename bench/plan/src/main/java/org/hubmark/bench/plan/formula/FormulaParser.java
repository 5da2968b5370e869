package org.hubmark.bench.plan.formula;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a formula: numbers, names, + - * /, brackets and calls of a {@link Function}. One thread. */
public final class FormulaParser {
    private static final Pattern TOKEN =
            Pattern.compile("\\s*(?:(\\d+(?:\\.\\d+)?)|([a-z][a-z0-9_]*)|([-+*/(),]))");
    private static final String END = "";

    private final String formula;
    private final List<String> tokens = new ArrayList<>();
    private int next;

    private FormulaParser(String formula) {
        this.formula = formula;
        Matcher matcher = TOKEN.matcher(formula.strip());
        int at = 0;
        while (at < formula.strip().length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                throw error("what is '" + formula.strip().substring(at) + "'?");
            }
            tokens.add(matcher.group().strip());
            at = matcher.end();
        }
    }

    /**
     * {@return the formula as a tree}
     *
     * @throws IllegalArgumentException saying what is wrong with it
     */
    public static Expression parse(String formula) {
        FormulaParser parser = new FormulaParser(formula);
        Expression expression = parser.sum();
        if (!parser.peek().equals(END)) {
            throw parser.error("'" + parser.peek() + "' is too much");
        }
        return expression;
    }

    private Expression sum() {
        Expression left = product();
        while (peek().equals("+") || peek().equals("-")) {
            left = new Expression.Binary(take().charAt(0), left, product());
        }
        return left;
    }

    private Expression product() {
        Expression left = factor();
        while (peek().equals("*") || peek().equals("/")) {
            left = new Expression.Binary(take().charAt(0), left, factor());
        }
        return left;
    }

    private Expression factor() {
        String token = take();
        if (token.equals("-")) {
            return new Expression.Negated(factor());
        }
        if (token.equals("(")) {
            Expression inner = sum();
            expect(")");
            return inner;
        }
        if (token.isEmpty() || "+*/),".contains(token)) {
            throw error("a number, a name or '(' is missing");
        }
        if (Character.isDigit(token.charAt(0))) {
            return new Expression.Constant(Double.parseDouble(token));
        }
        return peek().equals("(") ? call(token) : new Expression.Name(token);
    }

    private Expression call(String name) {
        Function function =
                Function.of(name).orElseThrow(() -> error("there is no function " + name));
        expect("(");
        List<Expression> arguments = new ArrayList<>(List.of(sum()));
        while (peek().equals(",")) {
            take();
            arguments.add(sum());
        }
        expect(")");
        if (!function.takes(arguments.size())) {
            throw error(name + " does not take " + arguments.size() + " arguments");
        }
        if (function.ofCurve() && !(arguments.getFirst() instanceof Expression.Name)) {
            throw error(name + " begins with the name of a curve");
        }
        return new Expression.Call(function, arguments);
    }

    private void expect(String token) {
        if (!take().equals(token)) {
            throw error("'" + token + "' is missing");
        }
    }

    private String peek() {
        return next < tokens.size() ? tokens.get(next) : END;
    }

    private String take() {
        String token = peek();
        next++;
        return token;
    }

    private IllegalArgumentException error(String what) {
        return new IllegalArgumentException("formula '" + formula + "': " + what);
    }
}
