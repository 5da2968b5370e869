package org.hubmark.bench.kit.document;

import java.util.List;

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
        List<Form> parts) {
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
}
