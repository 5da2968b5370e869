package org.hubmark.bench.users.result;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoublePredicate;

/**
 * The resource that was used up at a level, by the bounds of LoadSim's source, and of run where that has
 * none (docs/measurement.md).
 *
 * @param resource driver, cpu, memory or disk; load where a level passes and nothing was used up; null where
 *     it isn't known
 * @param reason the figure, in words; null where the server's machine is not known
 */
record LimitingResource(@Nullable String resource, @Nullable String reason) {
    /** Of the driver: half of its machine has to do for the rest, and on one machine for the server. */
    static final String DRIVER = "driver";

    private static final double DRIVER_PERCENT = 50;
    /** From here on, percent, a resource counts as used up. */
    private static final double BUSY_PERCENT = 90;

    /** The first that holds counts. */
    private static final List<Bound> MACHINE = List.of(
            new Bound(DRIVER, ResourceForm.DRIVER_CPU, percent -> percent >= DRIVER_PERCENT),
            new Bound("cpu", MachineMeter.CPU, percent -> percent >= BUSY_PERCENT),
            new Bound("memory", ResourceForm.AVAILABLE, mb -> mb < Published.freeMemoryMb()));

    private static final List<Bound> DISK = List.of(
            new Bound(
                    "disk",
                    ResourceForm.QUEUE_LENGTH,
                    requests -> requests >= Published.queueLengths().getFirst()),
            new Bound("disk", ResourceForm.DISK_BUSY, percent -> percent >= BUSY_PERCENT));

    private record Bound(String resource, Column column, DoublePredicate isUsedUp) {}

    /** {@return that of a level} */
    static LimitingResource of(Document document, Row level) {
        Table levels = document.table(LevelForm.LEVELS);
        List<LimitingResource> usedUp = new ArrayList<>();
        look(levels, level, MACHINE, "", usedUp);
        Table disks = level.part(ResourceForm.DISKS);
        disks.rows()
                .forEach(disk -> look(disks, disk, DISK, ResourceForm.text(disk) + ": ", usedUp));
        if (usedUp.isEmpty()) {
            boolean isKnown = levels.estimate(level, MachineMeter.CPU).isKnown();
            boolean passes = Boolean.TRUE.equals(Judgement.passes(document, level));
            return new LimitingResource(
                    isKnown && passes ? "load" : null,
                    isKnown ? "no resource that was counted was used up" : null);
        }
        return usedUp.getFirst();
    }

    private static void look(
            Table table, Row row, List<Bound> bounds, String where, List<LimitingResource> usedUp) {
        for (Bound bound : bounds) {
            double used = table.estimate(row, bound.column).value();
            if (bound.isUsedUp.test(used)) {
                String words = String.format(
                        Locale.ROOT,
                        "%s%s %.1f %s",
                        where,
                        bound.column.label(),
                        used,
                        bound.column.unit());
                usedUp.add(new LimitingResource(bound.resource, words));
            }
        }
    }

    /** {@return what an answer says of a level that did not pass} */
    String beside() {
        return resource != null
                ? ", limiting resource: " + resource + " (" + reason + ")"
                : reason == null ? "" : ", and " + reason;
    }
}
