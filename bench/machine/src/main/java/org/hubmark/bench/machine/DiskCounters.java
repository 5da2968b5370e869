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
 * @param readBytes sectors of 512 bytes, in bytes
 * @param readMillis sum over all reads of the time each took
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
        long readBytes,
        long readMillis,
        long writes,
        long writtenBytes,
        long writeMillis,
        long busyMillis,
        long weightedMillis) {
    private static final int SECTOR_BYTES = 512;

    /** No device does so many writes in less than a millisecond together. */
    private static final int UNTIMED_WRITES_MAX = 1000;

    /** {@return the counters of a device by its kernel name, or null when it counts nothing} */
    public static @Nullable DiskCounters read(String device) throws IOException {
        return parse(Files.readString(Path.of("/proc/diskstats")), device);
    }

    /**
     * {@return whether the kernel counts what the device does} Of some that pass everything on to
     * others (NVMe multipath, arrays and mappings on older kernels) there is a line of zeros, though a
     * file system could not even be mounted without a read.
     */
    boolean any() {
        return reads > 0 || writes > 0;
    }

    /** {@return whether the kernel counts how long writes take: some such devices have that at 0} */
    public boolean timed() {
        return writeMillis > 0 || writes < UNTIMED_WRITES_MAX;
    }

    static @Nullable DiskCounters parse(String diskstats, String device) {
        for (String line : diskstats.lines().toList()) {
            String[] fields = line.trim().split(" +", -1);
            if (fields.length >= 14 && fields[2].equals(device)) {
                DiskCounters counters = new DiskCounters(
                        Long.parseLong(fields[3]),
                        Long.parseLong(fields[5]) * SECTOR_BYTES,
                        Long.parseLong(fields[6]),
                        Long.parseLong(fields[7]),
                        Long.parseLong(fields[9]) * SECTOR_BYTES,
                        Long.parseLong(fields[10]),
                        Long.parseLong(fields[12]),
                        Long.parseLong(fields[13]));
                return counters.any() ? counters : null;
            }
        }
        return null;
    }
}
