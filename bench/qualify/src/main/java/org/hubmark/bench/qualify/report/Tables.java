package org.hubmark.bench.qualify.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.core.ByteSize;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tables of the report, in the layout of the source. */
final class Tables {
    static final double MEBIBYTE = 1 << 20;
    private static final double[] NO_REPEATS = {};
    private static final int DECIMALS = 3;

    private Tables() {}

    /** {@return a number that was measured once; a dash where it isn't known} */
    static String number(double value) {
        return Double.isFinite(value) && value != Math.rint(value)
                ? Digits.text(value, NO_REPEATS, DECIMALS)
                : Digits.plain(value);
    }

    /** {@return a number as a source has it; a dash where it has none} */
    static String published(@Nullable Double value) {
        return Digits.plain(value == null ? Double.NaN : value);
    }

    /** {@return a setting, or what a source says; a dash where it isn't known} */
    static String text(@Nullable Object value) {
        return switch (value) {
            case null -> Cells.UNKNOWN;
            case Boolean yes -> yes ? "yes" : "no";
            case Number number -> published(number.doubleValue());
            case Collection<?> all when all.isEmpty() -> Cells.UNKNOWN;
            case Collection<?> all ->
                all.stream().map(Tables::text).collect(Collectors.joining(", "));
            default -> value.toString().isEmpty() ? Cells.UNKNOWN : value.toString();
        };
    }

    /** {@return what this run has: a number of three decimals at most, or a text} */
    static String ours(@Nullable Object value) {
        return value instanceof Double number ? number(number) : text(value);
    }

    /** {@return a size of a setting} */
    static double mebibytes(@Nullable Object size) {
        try {
            return size == null ? Double.NaN : ByteSize.parse(size.toString()) / MEBIBYTE;
        } catch (IllegalArgumentException e) {
            // A file that somebody has changed is drawn as far as it can be read.
            return Double.NaN;
        }
    }

    /** {@return a figure of a phase or of one of its parts, which unfolds to how it is made} */
    static TableCell figure(Document document, Repeat of, Column column) {
        return DocumentReport.figure(document, of, column, number(column.value(of)));
    }

    /**
     * {@return what one form of parts of a phase counted: a row for each, with its names}
     *
     * @param columns some of its columns
     * @param more rows
     */
    static Block.Grid parts(
            String caption,
            Document document,
            Repeat phase,
            Form part,
            List<Column> columns,
            List<List<String>> more) {
        List<String> headings = new ArrayList<>();
        part.names().forEach(name -> headings.add(name.label()));
        columns.forEach(column -> headings.add(column.heading()));
        List<List<TableCell>> rows = new ArrayList<>();
        for (Repeat one : phase.parts(part)) {
            rows.add(Stream.concat(
                            part.names().stream()
                                    .map(name -> TableCell.text(text(one.names().get(name.key())))),
                            columns.stream().map(column -> figure(document, one, column)))
                    .toList());
        }
        more.forEach(row -> rows.add(TableCell.texts(row)));
        return Block.Grid.of(caption, headings, rows);
    }
}
