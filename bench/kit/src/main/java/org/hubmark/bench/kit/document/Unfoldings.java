package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.kit.statistics.Digits;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Figures as tables have them, each with how it is made. */
final class Unfoldings {
    private Unfoldings() {}

    /** {@return a figure of a repeat} */
    static TableCell cell(Document document, Repeat repeat, Column column) {
        return cell(
                document, repeat, column, CellText.number(column.value(repeat), column.decimals()));
    }

    /** {@return the same as a text of a study's own} */
    static TableCell cell(Document document, Repeat repeat, Column column, String text) {
        return TableCell.text(text)
                .with(made(document, column.words(), List.of(line(column, repeat))));
    }

    /** {@return a figure of a row of a table} */
    static TableCell cell(Document document, Table table, Row row, Column column) {
        return TableCell.text(table.text(row, column))
                .with(made(document, formula(table, row, column), inputs(table, row, column)));
    }

    private static TableCell.Unfolding made(
            Document document, String formula, List<String> inputs) {
        return new TableCell.Unfolding(formula, inputs, document.kind().file());
    }

    private static String formula(Table table, Row row, Column column) {
        return column.definition() instanceof Column.Definition.OfRepeat
                        && row.repeats().size() > 1
                ? column.words() + "; of the repeats: " + table.form().rule().words()
                : column.words();
    }

    private static List<String> inputs(Table table, Row row, Column column) {
        return switch (column.definition()) {
            case Column.Definition.OfRepeat made -> ofRepeats(row, column);
            case Column.Definition.OfAll made -> ofRepeats(row, column);
            case Column.Definition.OfRow made -> {
                Values figures = table.figures(row);
                // Else it is the median of the repeats.
                yield Double.isFinite(made.formula().value(figures))
                        ? List.of(made.formula().numbers(figures))
                        : ofRepeats(row, column);
            }
            case Column.Definition.Own made -> {
                List<Double> values = table.estimate(row, column).values();
                yield values.isEmpty()
                        ? List.of(of(table, row, made.of()))
                        : IntStream.range(0, values.size())
                                .mapToObj(i ->
                                        "repeat " + (i + 1) + ": " + Digits.plain(values.get(i)))
                                .toList();
            }
            case Column.Definition.AtMost made -> List.of(of(table, row, made.of()));
        };
    }

    private static String of(Table table, Row row, Column column) {
        return column.heading() + " = " + table.text(row, column);
    }

    private static List<String> ofRepeats(Row row, Column column) {
        List<Repeat> repeats = row.counted();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < repeats.size(); i++) {
            lines.add((repeats.size() == 1 ? "" : "repeat " + (i + 1) + ": ")
                    + line(column, repeats.get(i)));
        }
        return lines;
    }

    /** The numbers in its formula, and what they make. */
    private static String line(Column column, Repeat repeat) {
        String numbers = column.numbers(repeat);
        String value = Digits.plain(column.value(repeat));
        return numbers.equals(value) ? value : numbers + " = " + value;
    }
}
