package org.hubmark.bench.mail.matrix;

import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The cells that are measured, and what is left out.
 *
 * @param cells in the order in which they are measured and shown
 * @param skipped reasons, with how many cells each leaves out
 */
public record CellPlan(List<Cell> cells, Map<String, Integer> skipped) {
    /** Copies both. */
    public CellPlan {
        cells = List.copyOf(cells);
        skipped = new LinkedHashMap<>(skipped);
    }

    /**
     * Each of one axis with each of all others, where that makes sense and can be had here.
     *
     * @param devices says why a cell can't be measured on its volumes
     */
    public static CellPlan of(List<Axes> all, CellDevices devices) throws IOException {
        Set<Cell> cells = new LinkedHashSet<>();
        Map<String, Integer> skipped = new LinkedHashMap<>();
        for (Axes axes : all) {
            for (Cell cell : product(axes, devices.naturalCache())) {
                String reason = nonsense(cell, axes);
                if (reason == null) {
                    reason = devices.obstacle(cell);
                }
                if (reason == null) {
                    cells.add(cell);
                } else {
                    skipped.merge(reason, 1, Integer::sum);
                }
            }
        }
        return new CellPlan(List.copyOf(cells), skipped);
    }

    /** Size varies fastest, so that what is compared is shown next to each other. */
    private static List<Cell> product(Axes axes, @Nullable CacheState natural) {
        List<CacheState> caches = axes.caches();
        List<@Nullable CacheState> states = new ArrayList<>(caches);
        if (states.isEmpty()) {
            RoleProfiles profile = axes.profile();
            states.add(profile == null ? natural : naturalState(profile.log()));
        }
        List<@Nullable Path> hubs = new ArrayList<>(axes.hubs());
        if (hubs.isEmpty()) {
            hubs.add(null);
        }
        List<Cell> cells = new ArrayList<>();
        for (Path hub : hubs) {
            for (VolumeLayout layout : axes.layouts()) {
                for (String durability : axes.durabilities()) {
                    for (CacheState cache : states) {
                        for (long depth : axes.depthsBytes()) {
                            for (int connections : axes.connections()) {
                                for (String rate : axes.rates()) {
                                    for (long size : axes.sizesBytes()) {
                                        cells.add(new Cell(
                                                size,
                                                layout,
                                                durability,
                                                cache,
                                                depth,
                                                connections,
                                                axes.profile(),
                                                rate,
                                                axes.deliver(),
                                                hub));
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        return cells;
    }

    /** As the device is when nobody chose: a disk's cache is off, a protected one is on. */
    private static CacheState naturalState(DeviceProfile profile) {
        return profile.cacheAnswers() ? CacheState.ON : CacheState.OFF;
    }

    private static @Nullable String nonsense(Cell cell, Axes axes) {
        if (cell.durability().equals("none")
                && axes.caches().size() > 1
                && !Objects.equals(cell.cache(), axes.caches().getFirst())) {
            return "durability none never syncs, so the write cache makes no difference: measured"
                    + " with it " + axes.caches().getFirst() + " only";
        }
        RoleProfiles profile = cell.profile();
        if (profile == null) {
            return null;
        }
        if (!profile.fit(cell.layout())) {
            return "layout " + cell.layout() + " has volumes of different devices on one ("
                    + profile + ")";
        }
        if (profile.queue().isArray() && cell.layout() == VolumeLayout.STRIPED) {
            return profile.queue() + " is an array already, and is not striped";
        }
        CacheState natural = naturalState(profile.log());
        return cell.cache() == natural || profile.each().contains(DeviceProfile.SATA_7200)
                ? null
                : profile + " is known with its write cache " + natural + " only";
    }
}
