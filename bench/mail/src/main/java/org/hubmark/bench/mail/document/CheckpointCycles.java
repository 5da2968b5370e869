package org.hubmark.bench.mail.document;

/**
 * Check whether a measured time is made of whole checkpoint cycles: within a cycle a message is
 * cheap or expensive.
 *
 * @param whole also where a load has no checkpoints, since all of it is settled before the log is
 *     full
 * @param found what happened at its begin and at its end, in words
 */
public record CheckpointCycles(boolean whole, String found) {}
