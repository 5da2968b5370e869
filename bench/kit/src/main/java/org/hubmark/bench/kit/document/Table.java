package org.hubmark.bench.kit.document;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.statistics.Interval;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A table of a document: its form and its rows. */
public record Table(Form form, List<Row> rows) {
    /** Copies, and chooses the repeats in the middle of each row where the form asks for it. */
    public Table {
        Column by = form.rule().by();
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
        return switch (column.definition()) {
            case Column.Definition.OfRepeat made -> ofRepeats(row, column);
            case Column.Definition.OfRow made -> ofRow(row, column, made.formula());
            case Column.Definition.OfAll made -> new Estimate(made.formula().value(row), null);
            case Column.Definition.Own made -> made.made().apply(this, row);
            case Column.Definition.AtMost made -> {
                Estimate of = estimate(row, made.of());
                yield new Estimate(
                        of.isKnown() ? of.value() <= made.limit() ? 1 : 0 : Double.NaN, null);
            }
        };
    }

    /**
     * {@return a figure of a row as people read it} What was counted to the end is said to the end. Rows that
     * stand side by side have no room for ranges.
     */
    public String text(Row row, Column column) {
        Estimate estimate = estimate(row, column);
        double value = estimate.value();
        if (column.isYesOrNo() && estimate.isKnown()) {
            return value > 0 ? "yes" : "no";
        }
        return form.isTotal() && column.isCounter() && value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : form.heads() == null
                        ? estimate.text(column.decimals())
                        : estimate.brief(column.decimals());
    }

    /** {@return a point of a plot: where it stands along, the figure and its range; empty where it isn't known} */
    public List<Double> point(double along, Row row, Column column) {
        Estimate estimate = estimate(row, column);
        Interval range = estimate.range();
        if (!estimate.isKnown()) {
            return List.of();
        }
        return range == null
                ? List.of(along, estimate.value())
                : List.of(along, estimate.value(), range.low(), range.high());
    }

    private Estimate ofRepeats(Row row, Column column) {
        return form.rule().of(row.values(column), row.middleValues(column));
    }

    private Estimate ofRow(Row row, Column column, Formula formula) {
        Estimate repeats = ofRepeats(row, column);
        double value = formula.value(figures(row));
        return Double.isFinite(value)
                ? new Estimate(value, repeats.range(), repeats.values())
                : repeats;
    }

    /** {@return a row's own figures, and the counters that all its repeats have alike} */
    Values figures(Row row) {
        return new Figures(this, row);
    }

    private record Figures(Table table, Row row) implements Values {
        @Override
        public double count(Formula.Counter counter) {
            return row.alike(counter);
        }

        @Override
        public Histogram times(Times wanted) {
            return new Histogram(3);
        }

        @Override
        public double of(Column column) {
            return table.estimate(row, column).value();
        }
    }
}
