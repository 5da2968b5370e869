package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.kit.statistics.Ratio;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;

/** A table of a document: its form and its rows. */
public record Table(Form form, List<Row> rows) {
    /** Copies. */
    public Table {
        rows = List.copyOf(rows);
    }

    /** {@return the row of those names, if there is one} */
    public Optional<Row> row(String id) {
        return rows.stream().filter(row -> row.id(form).equals(id)).findFirst();
    }

    /** {@return what the repeats of a row of this table say of a figure; yes is 1 and no is 0} */
    public Estimate estimate(Row row, Column column) {
        return switch (column.definition()) {
            case Column.Definition.OfRepeat made -> form.rule().of(row.values(column));
            case Column.Definition.OfRow made -> ofRow(row, column, made.formula());
            case Column.Definition.OverFirst made -> overFirst(row, made);
            case Column.Definition.BetterThanFirst made -> betterThanFirst(row, made.of());
            case Column.Definition.AtMost made -> {
                Estimate of = estimate(row, made.of());
                yield new Estimate(
                        of.isKnown() ? of.value() <= made.limit() ? 1 : 0 : Double.NaN, null);
            }
        };
    }

    private Estimate ofRow(Row row, Column column, Formula formula) {
        Estimate repeats = form.rule().of(row.values(column));
        double value = formula.filled(input -> input instanceof Formula.OfColumn figure
                        ? estimate(row, figure.column()).value()
                        : row.alike(input))
                .value(Repeat.counted().made());
        return Double.isFinite(value)
                ? new Estimate(value, repeats.range(), repeats.values())
                : repeats;
    }

    private Estimate overFirst(Row row, Column.Definition.OverFirst made) {
        double count = row.number(made.by());
        Row first = rows.stream()
                .filter(one -> one.number(made.by()) == 1)
                .findFirst()
                .orElse(null);
        if (first == null) {
            return new Estimate(Double.NaN, null);
        }
        double one = estimate(first, made.of()).value();
        return new Estimate(
                one > 0 ? estimate(row, made.of()).value() / (count * one) : Double.NaN,
                first.equals(row) ? null : interval(first, row, made, count));
    }

    private Estimate betterThanFirst(Row row, Column of) {
        Row first = rows.getFirst();
        int pairs = Math.min(first.repeats().size(), row.repeats().size());
        double[] from = Arrays.copyOf(first.values(of), pairs);
        double[] to = Arrays.copyOf(row.values(of), pairs);
        boolean isKnown = DoubleStream.concat(Arrays.stream(from), Arrays.stream(to))
                .allMatch(value -> value > 0);
        if (first.equals(row) || pairs == 0 || !isKnown) {
            return new Estimate(Double.NaN, null);
        }
        double logarithms = 0;
        for (int i = 0; i < pairs; i++) {
            logarithms += Math.log(to[i] / from[i]);
        }
        double sign = of.better() == Column.Better.LESS ? -100 : 100;
        Interval ratio = pairs < 2 ? null : Inference.ofPairedRatio(from, to);
        return new Estimate(
                sign * (Math.exp(logarithms / pairs) - 1),
                ratio == null
                        ? null
                        : sign > 0
                                ? new Interval(
                                        sign * (ratio.low() - 1), sign * (ratio.high() - 1))
                                : new Interval(
                                        sign * (ratio.high() - 1), sign * (ratio.low() - 1)));
    }

    /** Rows have no repeat in common. */
    private static @Nullable Interval interval(
            Row first, Row row, Column.Definition.OverFirst made, double count) {
        double[] from = first.values(made.of());
        double[] to = row.values(made.of());
        boolean isKnown = DoubleStream.concat(Arrays.stream(from), Arrays.stream(to))
                .allMatch(value -> value > 0);
        Interval ratio = isKnown ? Ratio.of(from, to).interval() : null;
        return ratio == null ? null : new Interval(ratio.low() / count, ratio.high() / count);
    }
}
