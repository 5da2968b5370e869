package org.hubmark.bench.machine.watch;

import org.jspecify.annotations.Nullable;

/**
 * Reading of the counters of a server on another machine.
 *
 * @param command that started the watch
 * @param counts process, where CPU time of the server's own processes is counted; machine, where
 *     only that of its machine is
 * @param alignmentErrorMs by so much, at most, an end of the time in which that machine was counted
 *     lies apart from the end of the measured time: the longest that a reading at such an end was
 *     under way; null where nothing was measured
 * @param readerCpuPercent of one core, over all of them: what reading cost that machine; null where
 *     it isn't known
 * @param lost why there are no figures of that machine from then on; null when it was there to the
 *     end
 */
public record TargetWatch(
        String command,
        String counts,
        @Nullable Double alignmentErrorMs,
        @Nullable Double readerCpuPercent,
        @Nullable String lost) {}
