package org.hubmark.bench.cli;

import org.hubmark.bench.load.Pace;
import org.hubmark.bench.measure.matrix.CellDevices;
import org.hubmark.bench.measure.matrix.CellPlan;
import org.hubmark.bench.measure.matrix.MadeVolumes;
import org.hubmark.bench.measure.matrix.MatrixSession;
import org.hubmark.bench.measure.matrix.Times;

import java.io.PrintStream;
import java.time.Duration;

/** Says what a matrix will do before it does it, and how long that takes. */
final class MatrixOutline {
    /** How long a search for the highest rate takes, about; each repeat makes one. */
    private static final Duration SEARCH = Duration.ofSeconds(150);

    private MatrixOutline() {}

    static void printCells(CellPlan plan, PrintStream out) {
        plan.cells()
                .forEach(cell ->
                        out.println(cell.id() + (cell.safety().endangered() ? "  UNSAFE" : "")));
    }

    static void print(
            CellPlan plan,
            MatrixSession session,
            DriverOptions driver,
            CellDevices devices,
            PrintStream out) {
        plan.skipped()
                .forEach((reason, count) -> out.println(
                        "skipped " + count + (count == 1 ? " cell: " : " cells: ") + reason));
        if (devices instanceof MadeVolumes made && made.shortfall() != null) {
            out.println("skipped " + made.shortfall());
        }
        int all = plan.cells().size() * driver.repeat;
        int kept = session.keptRepeats();
        long searches = session.unfinished().stream()
                        .filter(cell -> cell.rate().equals(Pace.MaxSustained.NAME))
                        .count()
                * driver.repeat;
        Duration each = driver.warmup().plus(driver.measuredTime());
        out.println(plan.cells().size() + (plan.cells().size() == 1 ? " cell, " : " cells, ")
                + "each measured " + driver.repeat + (driver.repeat == 1 ? " time" : " times")
                + (kept == 0 ? "" : ", " + kept + " of " + all + " measurements kept")
                + "; about "
                + Times.text(CellPlan.estimate(all - kept, each, (int) searches, SEARCH)
                        .plus(session.extraTime())));
    }
}
