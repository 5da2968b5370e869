package org.hubmark.bench.qualify.result;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Name;

import java.util.List;
import java.util.stream.Stream;

/** The same load on databases that fill their volumes more and more. */
public final class FillFigures {
    /** Share of the formatted capacity that was asked for, percent. */
    public static final Name FILL = Name.of("fill_percent", "Fill (%)");

    private static final List<Column> SHOWN = Stream.of(
                    Stream.of(PhaseFigures.ACHIEVED),
                    PhaseFigures.AVERAGES.stream()
                            .filter(column ->
                                    column.key().equals(InstanceFigures.READ_LATENCY.key())
                                            || column.key()
                                                    .equals(InstanceFigures.LOG_LATENCY.key())),
                    Stream.of(PhaseFigures.WORST_READ, PhaseFigures.WORST_LOG))
            .flatMap(columns -> columns)
            .toList();

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
}
