package org.hubmark.bench.measure.run;

import java.util.List;
import java.util.Map;

/**
 * A hub to start. Scenarios that follow each other with an equal request share one process.
 *
 * @param folders where its volumes are made before it starts
 * @param arguments of serve, without addresses and volumes
 * @param environment added to that of the process: an emulated device, say
 * @param keepsQueue whether it stores what it accepts
 * @param holds whether it delivers nothing, so that each repeat needs an empty queue of its own
 */
public record HubRequest(
        DataFolders folders,
        List<String> arguments,
        Map<String, String> environment,
        boolean keepsQueue,
        boolean holds) {
    /** Copies. */
    public HubRequest {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
    }
}
