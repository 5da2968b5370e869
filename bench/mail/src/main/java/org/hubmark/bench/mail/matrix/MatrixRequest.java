package org.hubmark.bench.mail.matrix;

import org.hubmark.bench.hub.Program;
import org.hubmark.bench.mail.meter.Measurement;
import org.hubmark.bench.mail.study.RunRequest;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A matrix to measure.
 *
 * @param program that measures, and whose hubs are measured
 * @param repeats of each cell; all are measured once, then all again, in an order of its own each time
 * @param hubSettings of all hubs, by key
 * @param extent settings with which an earlier run in the same folder may differ: they say how much is
 *     measured
 * @param sharedMachine whether others use the machine with the caller's knowledge
 */
public record MatrixRequest(
        Program program,
        List<Cell> cells,
        RunRequest.Repeats repeats,
        Measurement.LoadTimes times,
        Map<String, String> hubSettings,
        Set<String> extent,
        boolean sharedMachine,
        RunRequest.Extras extras) {
    /** Copies. */
    public MatrixRequest {
        cells = List.copyOf(cells);
        hubSettings = Map.copyOf(hubSettings);
        extent = Set.copyOf(extent);
    }
}
