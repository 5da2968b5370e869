package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.page.Block;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Heads of the rows of a table in a report, and rows that others published, which stand beside them.
 *
 * @param rows a head for each row, in their order
 * @param published rows of others; none where there are none
 */
public record Heads(
        BiFunction<Document, Table, List<Block.Heading>> rows,
        Function<Document, List<Published>> published) {
    /**
     * A row that others published.
     *
     * @param values by the keys of figures, and of what else follows from a row
     */
    public record Published(Block.Heading heading, Map<String, Object> values) {}
}
