package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a block device did since the machine started: its line of /proc/diskstats (the kernel's
 * Documentation/admin-guide/iostats.rst).
 *
 * @param reads completed
 * @param writes completed, after merging; a flush that carries no content is one too, which a device
 *     with a volatile write cache gets at the end of each sync
 * @param writtenBytes sectors of 512 bytes, in bytes
 * @param writeMillis sum over all writes of the time each took
 * @param busyMillis time in which anything was in flight
 * @param weightedMillis sum over all requests of the time in flight: over an interval, divided by
 *     it, the mean queue length
 */
public record DiskCounters(
        long reads,
        long writes,
        long writtenBytes,
        long writeMillis,
        long busyMillis,
        long weightedMillis) {
    private static final int SECTOR_BYTES = 512;

    /** {@return the counters of a device by its kernel name, or null when there are none} */
    public static @Nullable DiskCounters read(String device) throws IOException {
        return parse(Files.readString(Path.of("/proc/diskstats")), device);
    }

    static @Nullable DiskCounters parse(String diskstats, String device) {
        for (String line : diskstats.lines().toList()) {
            String[] fields = line.trim().split(" +", -1);
            if (fields.length >= 14 && fields[2].equals(device)) {
                return new DiskCounters(
                        Long.parseLong(fields[3]),
                        Long.parseLong(fields[7]),
                        Long.parseLong(fields[9]) * SECTOR_BYTES,
                        Long.parseLong(fields[10]),
                        Long.parseLong(fields[12]),
                        Long.parseLong(fields[13]));
            }
        }
        return null;
    }
}
