package org.hubmark.bench.scale;

import org.hubmark.bench.measure.hub.Program;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What the price of replication is to be measured with.
 *
 * @param sizesBytes of messages
 * @param rounds in each of which each queue has its turn
 * @param connections SMTP connections
 * @param classPath of the cluster's servers
 * @param settings every option with the value that is in force
 * @param command as it was given
 */
public record PriceRequest(
        Program program,
        List<Integer> sizesBytes,
        int rounds,
        int connections,
        Duration warmup,
        Duration measured,
        String classPath,
        boolean quiet,
        long seed,
        Map<String, Object> settings,
        String command) {
    /** Copies. */
    public PriceRequest {
        sizesBytes = List.copyOf(sizesBytes);
    }
}
