package org.hubmark.bench.results;

/**
 * The highest rate that a search found to be sustained; the scenario was measured at it.
 *
 * @param msgsPerS messages a second
 * @param reason what set the bound, in words
 */
public record SustainedRate(double msgsPerS, String reason) {}
