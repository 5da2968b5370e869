package org.hubmark.bench.kit.compare;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Row;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a study says of a row of two documents before its figures are looked at, where not each figure that
 * has a direction is judged alike.
 *
 * @param obstacles what keeps the two from being compared; empty where they can be
 * @param remarks what must be known of them
 * @param faults why they are not valid; none of their figures then has a verdict
 * @param weights of the figures that matter, in their order, also of such as no table has; all others stand
 *     beside without a verdict
 * @param left figures that were not counted alike, and are not compared
 */
public record RowRule(
        List<String> obstacles,
        List<String> remarks,
        List<String> faults,
        Map<Column, Pair.Weight> weights,
        Set<Column> left) {
    /** Makes it of two rows. */
    @FunctionalInterface
    public interface OfRows {
        /** {@return what is said of a row of the first document and its like of the second} */
        RowRule of(Row first, Row second);
    }
}
