package org.hubmark.bench.qualify.result;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Name;

import java.util.List;

/** The same load on databases that fill their volumes more and more. */
public final class FillFigures {
    /** Share of the formatted capacity that was asked for, percent. */
    public static final Name FILL = Name.of("fill_percent", "Fill (%)");

    /** Average of database reads, of all instances. */
    public static final Column READ_LATENCY = average(InstanceFigures.READ_LATENCY);

    private static final List<Column> SHOWN = List.of(
            PhaseFigures.ACHIEVED,
            READ_LATENCY,
            average(InstanceFigures.LOG_LATENCY),
            PhaseFigures.WORST_READ,
            PhaseFigures.WORST_LOG);

    /** All fills, each measured once as a performance phase. */
    public static final Form FILLS = new Form(
            "fills",
            "Fills",
            "The databases were grown from one fill to the next, and had the same load at each.",
            List.of(FILL),
            List.of(
                    new Form.Group("Fills", SHOWN),
                    new Form.Group(
                            "",
                            PhaseFigures.PHASES.columns().stream()
                                    .filter(column -> !SHOWN.contains(column))
                                    .toList())),
            Estimate.Rule.TOTAL,
            "",
            PhaseFigures.OF_REPEATS,
            PhaseFigures.PARTS,
            PhaseFigures.derived(true));

    private FillFigures() {}

    private static Column average(Column ofInstance) {
        return PhaseFigures.AVERAGES.stream()
                .filter(column -> column.key().equals(ofInstance.key()))
                .findFirst()
                .orElseThrow();
    }
}
