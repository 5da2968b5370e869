package org.hubmark.bench.load;

import org.jspecify.annotations.Nullable;

/**
 * What a workload did since its start, in the words of mail: an operation that is done is accepted.
 *
 * @param sent operations begun; each ends as one of the next three
 * @param accepted answered with 2xx
 * @param acceptedBytes content of those
 * @param refused answered with 4xx or 5xx
 * @param failed without an answer: the connection broke
 * @param connectionFailures connections that could not be made or broke while idle
 * @param overdue operations whose intended start has passed but which are not sent yet; open loop only
 * @param threadCpuNanos CPU time of the threads that do the work
 * @param firstRefusal what the server said when it first refused something, or null
 */
public record LoadSnapshot(
        long sent,
        long accepted,
        long acceptedBytes,
        long refused,
        long failed,
        long connectionFailures,
        long overdue,
        long threadCpuNanos,
        @Nullable String firstRefusal) {}
