package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.kit.statistics.Ratio;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** A table of a document: its form and its rows. */
public record Table(Form form, List<Row> rows) {
    /** Copies, and chooses the repeats in the middle of each row where the form asks for it. */
    public Table {
        Column by = form.rule() instanceof Estimate.Rule.MiddleRepeats rule ? rule.by() : null;
        rows = by == null
                ? List.copyOf(rows)
                : rows.stream().map(row -> row.middleBy(by)).toList();
    }

    /** {@return the row of those names, if there is one} */
    public Optional<Row> row(String id) {
        return rows.stream().filter(row -> row.id(form).equals(id)).findFirst();
    }

    /** {@return what the repeats of a row of this table say of a figure; yes is 1 and no is 0} */
    public Estimate estimate(Row row, Column column) {
        return estimated(row, column).of(row.sittings());
    }

    private Estimate estimated(Row row, Column column) {
        return switch (column.definition()) {
            case Column.Definition.OfRepeat made -> ofRepeats(row, column);
            case Column.Definition.OfRow made -> ofRow(row, column, made.formula());
            case Column.Definition.OfAll made -> new Estimate(row.together(made.formula()), null);
            case Column.Definition.OverFirst made -> overFirst(row, made);
            case Column.Definition.InPairs made -> inPairs(row, made);
            case Column.Definition.AtMost made -> {
                Estimate of = estimate(row, made.of());
                yield new Estimate(
                        of.isKnown() ? of.value() <= made.limit() ? 1 : 0 : Double.NaN, null);
            }
        };
    }

    /** {@return a figure of a row as people read it} What was counted to the end is said to the end. */
    public String text(Row row, Column column) {
        Estimate estimate = estimate(row, column);
        double value = estimate.value();
        if (column.isYesOrNo() && estimate.isKnown()) {
            return value > 0 ? "yes" : "no";
        }
        return form.isTotal() && column.isCounter() && value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : estimate.text(column.decimals());
    }

    private Estimate ofRepeats(Row row, Column column) {
        return form.rule().of(row.values(column), row.middleValues(column));
    }

    private Estimate ofRow(Row row, Column column, Formula formula) {
        Estimate repeats = ofRepeats(row, column);
        double value = formula.filled(input -> input instanceof Formula.OfColumn figure
                        ? estimate(row, figure.column()).value()
                        : row.alike(input))
                .value(Repeat.counted().made());
        return Double.isFinite(value)
                ? new Estimate(value, Estimate.Of.FORMULA, repeats.range(), repeats.values())
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

    private Estimate inPairs(Row row, Column.Definition.InPairs made) {
        double[] ratios = ratios(row, made);
        if (ratios.length == 0) {
            return new Estimate(Double.NaN, null);
        }
        Ratio ratio = Ratio.ofPairs(ratios);
        return new Estimate(
                ratio.value(),
                Estimate.Of.GEOMETRIC_MEAN,
                ratio.usableInterval(),
                DoubleStream.of(ratios).boxed().toList());
    }

    private double[] ratios(Row row, Column.Definition.InPairs made) {
        Row first = rows.stream()
                .filter(other -> form.names().stream()
                        .filter(name -> name.identifies() && !name.equals(made.by()))
                        .allMatch(name -> other.name(name).equals(row.name(name))))
                .findFirst()
                .orElseThrow();
        double[] from = first.values(made.of());
        double[] to = row.values(made.of());
        return first.equals(row)
                ? new double[0]
                : IntStream.range(0, Math.min(from.length, to.length))
                        .filter(i -> from[i] > 0 && to[i] > 0)
                        .mapToDouble(i -> to[i] / from[i])
                        .toArray();
    }

    /** Rows have no repeat in common. */
    private static @Nullable Interval interval(
            Row first, Row row, Column.Definition.OverFirst made, double count) {
        double[] from = first.values(made.of());
        double[] to = row.values(made.of());
        boolean isKnown = DoubleStream.concat(Arrays.stream(from), Arrays.stream(to))
                .allMatch(value -> value > 0);
        Interval ratio = isKnown ? Ratio.of(from, to).usableInterval() : null;
        return ratio == null ? null : new Interval(ratio.low() / count, ratio.high() / count);
    }
}
