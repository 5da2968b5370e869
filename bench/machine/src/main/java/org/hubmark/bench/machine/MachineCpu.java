package org.hubmark.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * CPU time of the whole machine since it started, from the first line of /proc/stat (proc_stat(5)),
 * in ticks over all cores.
 *
 * @param busyTicks user, nice, system, irq, softirq and steal
 * @param totalTicks those, idle and waiting for I/O
 */
public record MachineCpu(long busyTicks, long totalTicks) {
    /** Reads it now. */
    public static MachineCpu read() throws IOException {
        return parse(Files.readString(Path.of("/proc/stat")));
    }

    static MachineCpu parse(String stat) {
        String[] fields = stat.substring(0, stat.indexOf('\n')).trim().split(" +", -1);
        long total = 0;
        // Guest time, after the eighth, is contained in user time.
        for (int i = 1; i <= 8; i++) {
            total += Long.parseLong(fields[i]);
        }
        long idle = Long.parseLong(fields[4]) + Long.parseLong(fields[5]);
        return new MachineCpu(total - idle, total);
    }
}
