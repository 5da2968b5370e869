package org.hubmark.bench.cli;

import org.hubmark.bench.mail.matrix.CellDevices;
import org.hubmark.bench.mail.matrix.CellPlan;
import org.hubmark.bench.mail.matrix.Matrix;

import java.io.IOException;
import java.io.PrintStream;

/** Says what a matrix will do before it does it, and how long that takes. */
final class MatrixOutline {
    private MatrixOutline() {}

    static void printCells(CellPlan plan, PrintStream out) {
        plan.cells()
                .forEach(cell ->
                        out.println(cell.id() + (cell.safety().endangered() ? "  UNSAFE" : "")));
    }

    static void print(
            CellPlan plan, Matrix matrix, int repeat, CellDevices devices, PrintStream out)
            throws IOException {
        plan.skipped()
                .forEach((reason, count) -> out.println(
                        "skipped " + count + (count == 1 ? " cell: " : " cells: ") + reason));
        String shortfall = devices.shortfall();
        if (shortfall != null) {
            out.println("note: " + shortfall);
        }
        int all = plan.cells().size() * repeat;
        int kept = matrix.keptRepeats();
        out.println(plan.cells().size() + (plan.cells().size() == 1 ? " cell, " : " cells, ")
                + "each measured " + repeat + (repeat == 1 ? " time" : " times")
                + (kept == 0 ? "" : ", " + kept + " of " + all + " measurements kept") + "; "
                + matrix.estimate().words());
    }
}
