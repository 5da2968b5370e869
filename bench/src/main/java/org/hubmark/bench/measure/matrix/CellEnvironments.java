package org.hubmark.bench.measure.matrix;

import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.volumes.Volume;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The machine that all cells were measured on, with the volumes of all of them. */
final class CellEnvironments {
    private CellEnvironments() {}

    /** {@return it} A folder may lie on another device from cell to cell, or act like one. */
    static Environment together(List<Kept> all) {
        Map<List<Object>, Volume> volumes = new LinkedHashMap<>();
        for (Kept one : all) {
            for (Volume volume : one.environment().volumes()) {
                List<Object> key = new ArrayList<>();
                key.add(volume.role());
                key.add(volume.path());
                key.add(volume.device());
                key.add(volume.emulates());
                key.add(volume.writeCache());
                volumes.putIfAbsent(key, volume);
            }
        }
        return all.getFirst().environment().with(List.copyOf(volumes.values()));
    }
}
