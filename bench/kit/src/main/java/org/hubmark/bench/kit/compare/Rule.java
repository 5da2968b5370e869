package org.hubmark.bench.kit.compare;

import java.util.Set;

/**
 * How two documents are compared, settled before anybody looks at the figures; docs/decisions/0010 says
 * why so.
 *
 * @param across names of the conditions that may differ; others keep documents or rows from being compared
 * @param smallest a smaller difference, as a share, does not matter
 */
public record Rule(Set<String> across, double smallest) {
    /** The rule of {@code compare} without {@code --across}: two runs of one setting differ by 2 %. */
    public static final Rule USUAL = new Rule(Set.of(), 0.02);
}
