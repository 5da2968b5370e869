package org.hubmark.bench.measure.watch;

import org.hubmark.bench.results.Conditions;

import java.util.Map;

/**
 * What a watch says of a hub that it has started, as JSON.
 *
 * @param address where it takes mail, HOST:PORT
 * @param found what its volumes tell of the conditions
 * @param settings in force, by key
 */
public record StartedHub(String address, Conditions found, Map<String, String> settings) {}
