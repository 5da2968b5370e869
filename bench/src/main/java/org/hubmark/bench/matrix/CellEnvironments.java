package org.hubmark.bench.matrix;

import org.hubmark.bench.results.Results;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The machine that all cells were measured on, with the volumes of all of them. */
final class CellEnvironments {
    private CellEnvironments() {}

    /** {@return it} A folder may lie on another device from cell to cell, or act like one. */
    static Results.Environment together(List<Kept> all) {
        Map<List<Object>, Results.Volume> volumes = new LinkedHashMap<>();
        for (Kept one : all) {
            for (Results.Volume volume : one.environment().volumes()) {
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
