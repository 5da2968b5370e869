package org.hubmark.bench.mail.matrix;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;

/**
 * Factors of a matrix: each level of one with each level of all others.
 *
 * @param sizesBytes of messages
 * @param durabilities as {@code run --durability} takes them
 * @param caches empty to leave the devices as they are
 * @param depthsBytes checkpoint depths
 * @param profile the devices that the volumes act like; null for none
 * @param rates as {@code run --rate} takes them
 * @param deliver as {@code run --deliver} takes it
 * @param hubs installations or checkouts; empty for this program's own hub
 */
public record Axes(
        List<Long> sizesBytes,
        List<VolumeLayout> layouts,
        List<String> durabilities,
        List<CacheState> caches,
        List<Long> depthsBytes,
        List<Integer> connections,
        @Nullable RoleProfiles profile,
        List<String> rates,
        String deliver,
        List<Path> hubs) {
    /** Copies the lists. */
    public Axes {
        sizesBytes = List.copyOf(sizesBytes);
        layouts = List.copyOf(layouts);
        durabilities = List.copyOf(durabilities);
        caches = List.copyOf(caches);
        depthsBytes = List.copyOf(depthsBytes);
        connections = List.copyOf(connections);
        rates = List.copyOf(rates);
        hubs = List.copyOf(hubs);
    }
}
