package org.hubmark.bench.kit.document;

import java.util.List;

/** Forms for tests. */
public final class Forms {
    private Forms() {}

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
