package org.hubmark.bench.users.report;

import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.users.compare.DevicePair;
import org.hubmark.bench.users.compare.LevelFigure;
import org.hubmark.bench.users.compare.LevelPair;
import org.hubmark.bench.users.compare.Paired;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** The figures of one level of two results, a row each: name, A, B, B / A, and the interval of that. */
final class ComparisonRows {
    /** Above each column but the first. */
    static final List<String> HEADINGS = List.of("A", "B", "B / A", "95 % interval");

    private static final int MILLIS = 1;
    /** Ratios below it have a decimal more. */
    private static final double SMALL = 0.1;

    private final List<List<String>> rows = new ArrayList<>();

    private ComparisonRows() {}

    /**
     * {@return all of them}
     *
     * @param means whether each task's mean stands beside its 95th percentile
     */
    static List<List<String>> of(LevelPair pair, boolean means) {
        ComparisonRows its = new ComparisonRows();
        its.rows.add(List.of(
                "Passes", passes(pair.a()), passes(pair.b()), Cells.UNKNOWN, Cells.UNKNOWN));
        for (LevelFigure figure : LevelFigure.values()) {
            Paired paired = pair.figure(figure);
            if (paired != null) {
                its.row(figure.title(), paired, 1);
            }
        }
        for (LevelPair.TaskPair task : pair.tasks()) {
            its.row(task.task() + ", 95th percentile (ms)", task.p95Ms(), MILLIS);
            if (means) {
                its.row(task.task() + ", mean (ms)", task.meanMs(), MILLIS);
            }
        }
        for (DevicePair device : pair.devices()) {
            String name = name(device);
            its.row(name + ", queue length", device.queueLength(), 2);
            its.row(name + ", reads (1/s)", device.readsPerS(), 1);
            its.row(name + ", writes (1/s)", device.writesPerS(), 1);
        }
        return its.rows;
    }

    /** {@return yes, no, or a dash where it was not judged or not played} */
    static String passes(LevelPair.@Nullable Side side) {
        Boolean passes = side == null ? null : side.passes();
        return passes == null ? Cells.UNKNOWN : passes ? "yes" : "no";
    }

    /** {@return a ratio as it is printed} */
    static String ratio(@Nullable Double ratio) {
        return Numbers.known(ratio, ratio != null && ratio < SMALL ? 3 : 2);
    }

    private void row(String name, Paired paired, int decimals) {
        Interval interval = paired.interval();
        rows.add(List.of(
                name,
                Numbers.known(paired.a(), decimals),
                Numbers.known(paired.b(), decimals),
                ratio(paired.ratio()),
                interval == null
                        ? Cells.UNKNOWN
                        : ratio(interval.low()) + " to " + ratio(interval.high())));
    }

    /** What it holds, with the device of each: "mailboxes (vda)" or "mailboxes (A: vda, B: sdb)". */
    private static String name(DevicePair device) {
        String a = device.deviceA();
        String b = device.deviceB();
        if (a == null || b == null) {
            return named(device.holds(), a == null ? "B: " + b : "A: " + a);
        }
        return named(device.holds(), a.equals(b) ? a : "A: " + a + ", B: " + b);
    }

    private static String named(String holds, String device) {
        return holds.equals(device) ? holds : holds + " (" + device + ")";
    }
}
