package org.hubmark.bench.kit.document;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * What a table has: stated once by each study, in a constant.
 *
 * @param key in the file
 * @param caption above it; empty for one that reports leave out
 * @param note below it; may be empty
 * @param names of a row, those first that tell rows apart
 * @param columns the figures
 * @param rule how the repeats of a row become one figure
 * @param repeats the key of the repeats in the file, such as runs
 * @param ofRepeats names that a repeat has of its own
 * @param parts tables of what a row is made of, such as hosts
 * @param facts what follows from a row beside its figures, such as a verdict, in the row by key
 */
public record Form(
        String key,
        String caption,
        String note,
        List<Name> names,
        List<Column> columns,
        Estimate.Rule rule,
        String repeats,
        List<Name> ofRepeats,
        List<Form> parts,
        BiFunction<Document, Row, Map<String, @Nullable Object>> facts) {
    /** One whose rows have figures alone. */
    public Form(
            String key,
            String caption,
            String note,
            List<Name> names,
            List<Column> columns,
            Estimate.Rule rule,
            String repeats,
            List<Name> ofRepeats,
            List<Form> parts) {
        this(
                key,
                caption,
                note,
                names,
                columns,
                rule,
                repeats,
                ofRepeats,
                parts,
                (document, row) -> Map.of());
    }

    /** Copies. */
    public Form {
        names = List.copyOf(names);
        columns = List.copyOf(columns);
        ofRepeats = List.copyOf(ofRepeats);
        parts = List.copyOf(parts);
    }

    /** {@return a plain one: medians, nothing below rows} */
    public static Form of(String key, String caption, List<Name> names, List<Column> columns) {
        return new Form(
                key,
                caption,
                "",
                names,
                columns,
                Estimate.Rule.MEDIAN,
                "repeats",
                List.of(),
                List.of());
    }

    /** {@return one whose rows have one repeat each, which stands in the row itself} */
    public static Form once(String key, String caption, List<Name> names, List<Column> columns) {
        return new Form(
                key,
                caption,
                "",
                names,
                columns,
                Estimate.Rule.ONCE,
                "",
                List.of(),
                List.of());
    }

    /** {@return whether its rows have one repeat each} */
    boolean isOnce() {
        return rule == Estimate.Rule.ONCE;
    }
}
