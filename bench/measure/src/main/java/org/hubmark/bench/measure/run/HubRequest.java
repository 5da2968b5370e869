package org.hubmark.bench.measure.run;

import org.hubmark.bench.measure.hub.HubSpec;

import java.util.Map;

/**
 * A hub to start. Scenarios that follow each other with an equal request share one process.
 *
 * @param folders where its volumes are made before it starts
 * @param environment added to that of the process: an emulated device, say
 */
public record HubRequest(DataFolders folders, HubSpec spec, Map<String, String> environment) {
    /** Copies. */
    public HubRequest {
        environment = Map.copyOf(environment);
    }

    /** {@return whether it stores what it accepts} */
    boolean keepsQueue() {
        return spec.stores();
    }

    /** {@return whether it delivers nothing, so that each repeat needs an empty queue of its own} */
    boolean holds() {
        return spec.holds();
    }
}
