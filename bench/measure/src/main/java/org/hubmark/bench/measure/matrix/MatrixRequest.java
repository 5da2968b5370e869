package org.hubmark.bench.measure.matrix;

import org.hubmark.bench.measure.run.RunRequest;

import java.util.List;
import java.util.Map;

/**
 * A matrix to measure.
 *
 * @param repeats of each cell; all are measured once, then all again, in an order of its own each time
 * @param hubSettings of all hubs, by key
 * @param identity what else has to be equal for an earlier measurement to be kept
 * @param sharedMachine whether others use the machine with the caller's knowledge
 */
public record MatrixRequest(
        RunRequest.Caller caller,
        List<Cell> cells,
        RunRequest.Repeats repeats,
        RunRequest.LoadTimes times,
        Map<String, String> hubSettings,
        Map<String, String> identity,
        boolean sharedMachine,
        RunRequest.Extras extras) {
    /** Copies. */
    public MatrixRequest {
        cells = List.copyOf(cells);
        hubSettings = Map.copyOf(hubSettings);
        identity = Map.copyOf(identity);
    }
}
