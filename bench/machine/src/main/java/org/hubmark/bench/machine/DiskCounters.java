package org.hubmark.bench.machine;

import org.hubmark.hub.volumes.BlockDevice;
import org.jspecify.annotations.Nullable;

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
 * @param flushes of the caches of the disks below, of all of them together; null where nobody counts
 *     them, and where none was ever counted
 * @param discards of space that is free; null before Linux 4.18, and where none was ever counted
 */
public record DiskCounters(
        long reads,
        long readBytes,
        long readMillis,
        long writes,
        long writtenBytes,
        long writeMillis,
        long busyMillis,
        long weightedMillis,
        @Nullable Requests flushes,
        @Nullable Requests discards) {
    static final String FILE = "proc/diskstats";
    private static final int SECTOR_BYTES = 512;
    /** The field of the line that counts discards; their merges, sectors and time follow. */
    private static final int DISCARDS = 14;

    /**
     * Requests of another kind than reads and writes.
     *
     * @param millis sum over all of the time each took
     */
    public record Requests(long count, long millis) {
        /** {@return what a line says of them; null where it doesn't, or none was ever counted} */
        static @Nullable Requests of(String diskstats, String device, int count, int millis) {
            Long requests = BlockDevice.count(diskstats, device, count);
            Long time = BlockDevice.count(diskstats, device, millis);
            return requests == null || time == null || requests == 0
                    ? null
                    : new Requests(requests, time);
        }

        private static @Nullable Requests grown(
                @Nullable Requests before, @Nullable Requests after) {
            if (before == null || after == null) {
                return null;
            }
            Long count = Growth.of(before.count, after.count);
            Long millis = Growth.ofInt(before.millis, after.millis);
            return count == null || millis == null ? null : new Requests(count, millis);
        }

        static @Nullable Requests sum(@Nullable Requests one, @Nullable Requests other) {
            return one == null
                    ? other
                    : other == null
                            ? one
                            : new Requests(one.count + other.count, one.millis + other.millis);
        }
    }

    /** No device does so many writes in less than a millisecond together. */
    private static final int UNTIMED_WRITES_MAX = 1000;

    /** Counters of a kernel that doesn't count flushes. */
    public DiskCounters(
            long reads,
            long readBytes,
            long readMillis,
            long writes,
            long writtenBytes,
            long writeMillis,
            long busyMillis,
            long weightedMillis) {
        this(
                reads,
                readBytes,
                readMillis,
                writes,
                writtenBytes,
                writeMillis,
                busyMillis,
                weightedMillis,
                null,
                null);
    }

    /**
     * {@return whether the kernel counts what the device does} Of some that pass everything on to
     * others (NVMe multipath, arrays and mappings on older kernels) there is a line of zeros, though a
     * file system could not even be mounted without a read.
     */
    private boolean any() {
        return reads > 0 || writes > 0;
    }

    /**
     * {@return by how much each has grown; null where the device, or its machine, began to count anew}
     * Counts of the kernel have 64 bits, times 32.
     */
    public @Nullable DiskCounters since(DiskCounters before) {
        Long[] counts = {
            Growth.of(before.reads, reads),
            Growth.of(before.readBytes, readBytes),
            Growth.of(before.writes, writes),
            Growth.of(before.writtenBytes, writtenBytes)
        };
        Long[] times = {
            Growth.ofInt(before.readMillis, readMillis),
            Growth.ofInt(before.writeMillis, writeMillis),
            Growth.ofInt(before.busyMillis, busyMillis),
            Growth.ofInt(before.weightedMillis, weightedMillis)
        };
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] == null || times[i] == null) {
                return null;
            }
        }
        return new DiskCounters(
                counts[0],
                counts[1],
                times[0],
                counts[2],
                counts[3],
                times[1],
                times[2],
                times[3],
                Requests.grown(before.flushes, flushes),
                Requests.grown(before.discards, discards));
    }

    /** {@return whether the kernel counts how long writes take: some such devices have that at 0} */
    public boolean timed() {
        return writeMillis > 0 || writes < UNTIMED_WRITES_MAX;
    }

    /** {@return the counters of a device in /proc/diskstats, or null when it counts nothing} */
    public static @Nullable DiskCounters parse(String diskstats, String device) {
        String named = " " + device + " ";
        for (String line : diskstats.lines().toList()) {
            if (!line.contains(named)) {
                continue;
            }
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
                        Long.parseLong(fields[13]),
                        Requests.of(
                                diskstats, device, BlockDevice.FLUSHES, BlockDevice.FLUSHES + 1),
                        Requests.of(diskstats, device, DISCARDS, DISCARDS + 3));
                return counters.any() ? counters : null;
            }
        }
        return null;
    }

    /**
     * {@return both together, as those of a file system on several devices} The busy time is their mean.
     *
     * @param share weight of this one's busy time; the other has the rest
     */
    DiskCounters plus(DiskCounters other, double share) {
        return new DiskCounters(
                reads + other.reads,
                readBytes + other.readBytes,
                readMillis + other.readMillis,
                writes + other.writes,
                writtenBytes + other.writtenBytes,
                writeMillis + other.writeMillis,
                (long) (share * busyMillis + (1 - share) * other.busyMillis),
                weightedMillis + other.weightedMillis,
                Requests.sum(flushes, other.flushes),
                Requests.sum(discards, other.discards));
    }

    /** {@return the same with the flushes of the disks below} */
    DiskCounters with(@Nullable Requests ofDisks) {
        return new DiskCounters(
                reads,
                readBytes,
                readMillis,
                writes,
                writtenBytes,
                writeMillis,
                busyMillis,
                weightedMillis,
                ofDisks,
                discards);
    }
}
