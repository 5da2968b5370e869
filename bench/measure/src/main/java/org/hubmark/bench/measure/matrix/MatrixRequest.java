package org.hubmark.bench.measure.matrix;

import org.hubmark.bench.measure.hub.Program;
import org.hubmark.bench.measure.run.LatencyRequest;
import org.hubmark.bench.measure.run.PublishRequest;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A matrix to measure.
 *
 * @param program that measures, and whose hubs are measured
 * @param repeat how often each cell is measured; all are measured once, then all again, in an order
 *     of its own each time
 * @param warmup load before each measured time, at least
 * @param warmupMax load before each measured time, at most
 * @param duration the measured time of each repeat
 * @param jitWarmUp load as fast as it goes before all else; zero for none
 * @param ceilings whether what the parts of the way hold by themselves is measured as well
 * @param hubSettings of all hubs, by key
 * @param quiet whether nothing is said on standard error
 * @param settings for the results file
 * @param identity what else has to be equal for an earlier measurement to be kept
 * @param command for the results file
 * @param seed of these orders
 * @param sharedMachine whether others use the machine with the caller's knowledge
 * @param latencyAt the latency of each cell at a rate beside; null for none
 * @param publish what is done so that the results can be published; null for nothing
 */
public record MatrixRequest(
        Program program,
        List<Cell> cells,
        int repeat,
        Duration warmup,
        Duration warmupMax,
        Duration duration,
        Duration jitWarmUp,
        boolean ceilings,
        Map<String, String> hubSettings,
        boolean quiet,
        Map<String, Object> settings,
        Map<String, String> identity,
        String command,
        long seed,
        boolean sharedMachine,
        @Nullable LatencyRequest latencyAt,
        @Nullable PublishRequest publish) {
    /** Copies. */
    public MatrixRequest {
        cells = List.copyOf(cells);
        hubSettings = Map.copyOf(hubSettings);
        identity = Map.copyOf(identity);
    }
}
