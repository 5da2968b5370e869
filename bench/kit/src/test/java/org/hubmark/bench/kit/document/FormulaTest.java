package org.hubmark.bench.kit.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula.Constant;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** Proves that words, numbers and value of a formula are of one expression. */
class FormulaTest {
    private static final Counter MESSAGES = new Counter("accepted_msgs");
    private static final Counter BUSY = new Counter("busy");
    private static final Counter IDLE = new Counter("idle");
    private static final Counter CORES = new Counter("cores");

    @Test
    void aSumIsPutInParenthesesWhereItIsDivided() {
        Formula share = new Constant(100).times(BUSY).over(BUSY.plus(IDLE));
        assertThat(share.words()).isEqualTo("100 x busy / (busy + idle)");
        assertThat(BUSY.minus(IDLE).over(CORES).words()).isEqualTo("(busy - idle) / cores");
        Repeat repeat = repeat(30, 70, 2);
        assertThat(share.value(repeat)).isEqualTo(30);
        assertThat(share.numbers(repeat)).isEqualTo("100 x 30 / (30 + 70)");
    }

    @Test
    void aValueIsHeldAboveALimitAndAskedForAConditionOfItsOwn() {
        Formula rest = IDLE.minus(BUSY).atLeast(0);
        assertThat(rest.words()).isEqualTo("idle - busy at least 0");
        assertThat(rest.value(repeat(30, 10, 2))).isZero();
        Formula known = BUSY.where(MESSAGES.isKnown().plus(new Constant(2).minus(CORES)));
        assertThat(known.words()).isEqualTo("busy where (accepted msgs is known + (2 - cores))");
        assertThat(known.value(repeat(30, 10, 2))).isNaN();
        assertThat(known.value(repeat(30, 10, 1))).isEqualTo(30);
        assertThat(known.numbers(repeat(30, 10, 1))).isEqualTo("30 where (- is known + (2 - 1))");
    }

    @Test
    void aRowMakesAFigureOfItsOtherFigures() {
        Column busy = Column.of("busy", "", "busy", 0, Better.NEITHER, BUSY);
        Column idle = Column.of("idle", "", "idle", 0, Better.NEITHER, IDLE);
        Column both = Column.ofRow(
                "both",
                "",
                "both",
                0,
                Better.NEITHER,
                busy.asInput().plus(idle.asInput()).over(CORES));
        Form form = Form.of("rows", "Rows", List.of(), List.of(busy, idle, both));
        Row row = new Row(Map.of(), List.of(repeat(1, 50, 2), repeat(2, 10, 2), repeat(9, 20, 2)));
        Table table = new Table(form, List.of(row));
        // Medians are 2 and 20; the median of the sums would be 14.5.
        assertThat(table.estimate(row, both).value()).isEqualTo(11);
        assertThat(both.value(row.repeats().getFirst())).isEqualTo(25.5);
        assertThat(both.numbers(row.repeats().getFirst())).isEqualTo("(1 + 50) / 2");
        Row other = new Row(Map.of(), List.of(repeat(1, 50, 2), repeat(2, 10, 1)));
        // Cores differ: what each repeat made of its own counts.
        assertThat(new Table(form, List.of(other)).estimate(other, both).value())
                .isEqualTo(18.75);
    }

    private static Repeat repeat(double busy, double idle, int cores) {
        return Repeat.counted()
                .count(BUSY, busy)
                .count(IDLE, idle)
                .count(CORES, cores)
                .made();
    }
}
