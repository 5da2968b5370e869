package org.hubmark.bench.users.result;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * What one run of one level has counted.
 *
 * @param run 1 for the first of the level
 * @param complete false when it was interrupted
 * @param startedAt ISO 8601, UTC
 * @param measuredSeconds without the warm-up
 * @param tasks by task; those that are missing were not planned
 * @param accounting of all messages, those of the warm-up too
 * @param day what was sent in the measured time
 * @param arrivalNanos from the intended start of sending to being seen in a mailbox, a value for each
 *     recipient
 * @param resources null when nothing is known of the server
 * @param notes what else is to be said of the run, a sentence each
 */
public record PlayedRun(
        int run,
        boolean complete,
        String startedAt,
        String finishedAt,
        double measuredSeconds,
        Map<Task, TaskCounts> tasks,
        Accounting accounting,
        DayCounts day,
        Histogram arrivalNanos,
        @Nullable Resources resources,
        List<String> notes) {
    /** Copies. */
    public PlayedRun {
        tasks = Map.copyOf(tasks);
        notes = List.copyOf(notes);
    }
}
