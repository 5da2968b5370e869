package org.hubmark.bench.users.result;

import org.HdrHistogram.Histogram;

import java.util.Map;

/**
 * What was counted of a task in the measured time of one run.
 *
 * @param planned whose intended start was in the measured time
 * @param late of those, that began late because the user was still busy with an earlier task; their
 *     latency counts from the intended start all the same
 * @param failures of those, by kind in words ("connection dropped"), each with its number
 * @param nanos latency of those that were done, from the intended start
 */
public record TaskCounts(long planned, long late, Map<String, Long> failures, Histogram nanos) {
    /** Takes a copy of the failures; the histogram is the caller's and must not change any more. */
    public TaskCounts {
        failures = Map.copyOf(failures);
    }
}
