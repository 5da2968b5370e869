package org.hubmark.bench.mail.document;

import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

/**
 * Effect of one level of a factor of a matrix compared with another, over all cells that differ in
 * nothing else.
 *
 * @param quantity rate, cycles or writes, as {@code compare --by} takes it
 * @param factor size, or the key of a {@link Condition}
 * @param baseline the level that it is compared with: the first that was asked for; of the write cache, off
 * @param level the other one
 * @param ratio of level to baseline, the geometric mean over the pairs of cells; null where the load can't
 *     show an effect, as the verdict says
 * @param interval of that mean, by the scatter of the repeats; null where a cell was measured once
 * @param intervalLevel from 0 to 1: the effects of a matrix are judged together, see {@link
 *     org.hubmark.bench.kit.statistics.Holm}
 * @param cells how many pairs of cells there are
 * @param verdict on the level, in words
 */
public record FactorEffect(
        String quantity,
        String factor,
        String baseline,
        String level,
        @Nullable Double ratio,
        @Nullable Interval interval,
        double intervalLevel,
        int cells,
        String verdict) {
    /** {@return the interval with its level; a dash where there is none} */
    public String intervalText() {
        return interval == null ? Cells.UNKNOWN : interval.changes(intervalLevel);
    }
}
