package org.hubmark.bench.measure.watch;

import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.results.Conditions;

import java.util.List;
import java.util.Map;

/**
 * Description of a hub that a watch has started, as JSON.
 *
 * @param address where it takes mail, HOST:PORT
 * @param found what its volumes tell of the conditions
 * @param volumes with what a sync there is worth, as far as that can be told
 * @param settings in force, by key
 */
public record StartedHub(
        String address,
        Conditions found,
        List<VolumeDisclosure> volumes,
        Map<String, String> settings) {
    /** Copies the list. */
    public StartedHub {
        volumes = List.copyOf(volumes);
    }
}
