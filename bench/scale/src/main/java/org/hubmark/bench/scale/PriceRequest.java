package org.hubmark.bench.scale;

import org.hubmark.bench.measure.hub.Program;

import java.time.Duration;
import java.util.List;

/**
 * What the price of replication is to be measured with.
 *
 * @param sizesBytes of messages
 * @param rounds in each of which each queue has its turn
 * @param connections SMTP connections
 * @param classPath of the cluster's servers
 */
public record PriceRequest(
        Program program,
        List<Integer> sizesBytes,
        int rounds,
        int connections,
        Duration warmup,
        Duration measured,
        String classPath,
        long seed) {
    /** Copies. */
    public PriceRequest {
        sizesBytes = List.copyOf(sizesBytes);
    }
}
