package org.hubmark.bench.qualify.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The rules of Jetstress, by which a phase with transactions passes or fails: for each instance by
 * itself, never for the mean of them. A slow database is not made good by a fast one beside it.
 */
public final class Judgement {
    private Judgement() {}

    /** {@return the sum over all instances of database reads and writes a second} */
    public static double achievedIops(List<InstanceFigures> instances) {
        return instances.stream().mapToDouble(InstanceFigures::iops).sum();
    }

    /** {@return why the storage fails; none when it passes} */
    public static List<String> judge(
            double targetIops, List<InstanceFigures> instances, Thresholds thresholds) {
        List<String> reasons = new ArrayList<>();
        double achieved = achievedIops(instances);
        if (!(achieved >= targetIops)) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "achieved %.3f I/O a second, below the target of %.3f",
                    achieved,
                    targetIops));
        }
        for (InstanceFigures instance : instances) {
            limit(reasons, instance, Column.AVG_DB_READ_LATENCY_MS, thresholds.readLatencyMs());
            limit(
                    reasons,
                    instance,
                    Column.MAX_SAMPLE_DB_READ_LATENCY_MS,
                    thresholds.readLatencyMaxMs());
            limit(reasons, instance, Column.AVG_LOG_WRITE_LATENCY_MS, thresholds.logLatencyMs());
            limit(
                    reasons,
                    instance,
                    Column.MAX_SAMPLE_LOG_WRITE_LATENCY_MS,
                    thresholds.logLatencyMaxMs());
            none(reasons, instance, IoCounter.STALLS, "write stalls");
            none(reasons, instance, IoCounter.ERRORS, "failed transactions");
            none(reasons, instance, IoCounter.BAD_BLOCKS, "bad blocks");
        }
        return reasons;
    }

    private static void limit(
            List<String> reasons, InstanceFigures instance, Column column, double limit) {
        Double value = instance.get(column);
        // Where there was no such operation none was slow; the target says whether there was any
        // I/O.
        if (value != null && !(value <= limit)) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "%s: %s is %.3f, above %s",
                    instance.instance(),
                    column.heading(),
                    value,
                    number(limit)));
        }
    }

    private static void none(
            List<String> reasons, InstanceFigures instance, IoCounter counter, String what) {
        long count = instance.counts().get(counter);
        if (count != 0) {
            reasons.add(instance.instance() + ": " + count + " " + what + ", none is allowed");
        }
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
