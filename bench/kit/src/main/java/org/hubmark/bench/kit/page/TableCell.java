package org.hubmark.bench.kit.page;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What stands in a cell of a table.
 *
 * @param text a dash where it isn't known
 * @param unfolding how it is made, which a page unfolds; null where it is read, not made
 */
public record TableCell(String text, @Nullable Unfolding unfolding) {
    /**
     * How a figure is made.
     *
     * @param formula in words
     * @param inputs the numbers that went in, a line each
     * @param source the file that they stand in
     */
    public record Unfolding(String formula, List<String> inputs, String source) {}

    /** {@return a text that does not unfold} */
    public static TableCell text(String text) {
        return new TableCell(text, null);
    }

    /** {@return texts that do not unfold} */
    public static List<TableCell> texts(List<String> texts) {
        return texts.stream().map(TableCell::text).toList();
    }

    /** {@return whether it is more than a dash} */
    public boolean isKnown() {
        return !text.equals(Cells.UNKNOWN);
    }

    /** {@return the same with how it is made; a dash is made of nothing} */
    public TableCell with(@Nullable Unfolding made) {
        return isKnown() ? new TableCell(text, made) : this;
    }
}
