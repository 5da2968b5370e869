package org.hubmark.queue;

import java.util.List;

/**
 * Result of a consistency check.
 *
 * @param messages messages looked at
 * @param bytes content read, each message's checksum verified
 * @param problems one line each: what is wrong and where; empty when the queue is sound
 */
public record CheckReport(long messages, long bytes, List<String> problems) {
    /** Copies the list. */
    public CheckReport {
        problems = List.copyOf(problems);
    }

    /** {@return whether nothing is wrong} */
    public boolean sound() {
        return problems.isEmpty();
    }
}
