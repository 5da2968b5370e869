package org.hubmark.bench.kit.document;

import java.util.List;

/**
 * What a table has: stated once by each study, in a constant.
 *
 * @param key in the file
 * @param caption above it
 * @param note below it; may be empty
 * @param names of a row, those first that tell rows apart
 * @param columns the figures
 * @param rule how the repeats of a row become one figure
 * @param repeats the key of the repeats in the file, such as runs; of no matter with totals
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

    /**
     * {@return one whose rows count on, over all that was tried} A row has one repeat, which stands in the
     * row itself.
     *
     * @param ofTotals what else is known of a row, as far as it was counted
     */
    public static Form totals(
            String key,
            String caption,
            List<Name> names,
            List<Column> columns,
            List<Name> ofTotals) {
        return new Form(
                key,
                caption,
                "",
                names,
                columns,
                Estimate.Rule.TOTAL,
                "",
                ofTotals,
                List.of());
    }

    /** {@return whether a row is its one repeat} */
    boolean isTotal() {
        return rule == Estimate.Rule.TOTAL;
    }
}
