package org.hubmark.bench.measure.watch;

import org.hubmark.bench.measure.hub.HubSpec;

import java.util.Map;
import java.util.TreeMap;

/**
 * A hub that a driver wants started on the machine of a watch, as JSON: what of a {@link HubSpec} is for
 * the driver to choose.
 */
public record HubOrder(
        String deliver,
        String durability,
        long checkpointDepthBytes,
        boolean stores,
        Map<String, String> settings) {
    /** Copies the settings. */
    public HubOrder {
        settings = settings == null ? Map.of() : new TreeMap<>(settings);
    }

    static HubOrder of(HubSpec spec) {
        return new HubOrder(
                spec.deliver(),
                spec.durability(),
                spec.checkpointDepthBytes(),
                spec.stores(),
                spec.settings());
    }
}
