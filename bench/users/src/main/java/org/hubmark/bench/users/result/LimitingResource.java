package org.hubmark.bench.users.result;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Estimate;
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
 * @param reason the figures, in words; null where the server's machine is not known
 */
record LimitingResource(@Nullable String resource, @Nullable String reason) {
    /** From here on, percent, a resource counts as used up. */
    private static final double BUSY_PERCENT = 90;

    /** The first that holds counts. */
    private static final List<Bound> MACHINE = List.of(
            new Bound(
                    "driver",
                    ResourceForm.DRIVER_CPU,
                    percent -> percent >= UsersResult.DRIVER_CPU_PERCENT_MAX),
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
        List<String> seen = new ArrayList<>();
        look(levels, level, MACHINE, "", usedUp, seen);
        Table disks = level.part(ResourceForm.DISKS);
        for (Row disk : disks.rows()) {
            look(disks, disk, DISK, ResourceForm.text(disk) + ": ", usedUp, seen);
        }
        UsersResult.fullCore(level)
                .ifPresent(words -> usedUp.add(new LimitingResource("cpu", words)));
        if (!usedUp.isEmpty()) {
            return usedUp.getFirst();
        }
        if (!levels.estimate(level, MachineMeter.CPU).isKnown()) {
            return new LimitingResource(null, null);
        }
        boolean passes = Boolean.TRUE.equals(Judgement.passes(document, level));
        return new LimitingResource(
                passes ? "load" : null,
                "nothing that was counted was used up (" + String.join("; ", seen) + ")");
    }

    private static void look(
            Table table,
            Row row,
            List<Bound> bounds,
            String where,
            List<LimitingResource> usedUp,
            List<String> seen) {
        for (Bound bound : bounds) {
            Estimate used = table.estimate(row, bound.column);
            if (used.isKnown()) {
                String text = String.format(
                        Locale.ROOT,
                        "%s%s %.1f %s",
                        where,
                        bound.column.label(),
                        used.value(),
                        bound.column.unit());
                seen.add(text);
                if (bound.isUsedUp.test(used.value())) {
                    usedUp.add(new LimitingResource(bound.resource, text));
                }
            }
        }
    }

    /** {@return what an answer says of a level that did not pass} */
    String beside() {
        if (reason == null) {
            return "";
        }
        return resource == null
                ? ", and no resource that was counted was used up"
                : ", limiting resource: " + resource + " (" + reason + ")";
    }
}
