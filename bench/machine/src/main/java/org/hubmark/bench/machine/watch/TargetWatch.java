package org.hubmark.bench.machine.watch;

import org.jspecify.annotations.Nullable;

/**
 * Reading of the counters of a server on another machine.
 *
 * @param command that started the watch
 * @param counts process, where CPU time of the server's own processes is counted; machine, where
 *     only that of its machine is
 * @param lost why there are no figures of that machine from then on; null when it was there to the
 *     end
 */
public record TargetWatch(
        String command, String counts, @Nullable String lost) {}
