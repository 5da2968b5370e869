package org.hubmark.bench.users.result;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What was spent in the measured time; null where it is not known. Rates are means over that time.
 *
 * @param source "this machine", or where else it was read
 * @param cpuPercent of all cores of the server's machine, without the driver where it shares it
 * @param serverCpuPercent of all cores, the server's processes alone
 * @param availableMemoryMb MB are 1024 x 1024 bytes
 * @param pagesPerS read from disk because a page was not in memory, and written out for lack of it
 * @param networkReceivedBytesPerS all interfaces; loopback only where the server is on this machine
 * @param driverCpuPercent of all cores of this machine
 * @param driverMemoryMb what the driver's process holds in memory
 */
public record Resources(
        String source,
        @Nullable Double cpuPercent,
        @Nullable Double serverCpuPercent,
        @Nullable Double availableMemoryMb,
        @Nullable Double pagesPerS,
        @Nullable Double networkReceivedBytesPerS,
        @Nullable Double networkSentBytesPerS,
        @Nullable Double driverCpuPercent,
        @Nullable Double driverMemoryMb,
        List<Disk> disks) {

    /**
     * A device.
     *
     * @param device its name to the kernel
     * @param roles what it holds of the server, where that is known
     * @param queueLength requests that were under way, on average
     */
    public record Disk(
            String device,
            List<String> roles,
            @Nullable Double queueLength,
            @Nullable Double readsPerS,
            @Nullable Double writesPerS,
            @Nullable Double readBytesPerS,
            @Nullable Double writtenBytesPerS,
            @Nullable Double busyPercent) {
        /** Copies. */
        public Disk {
            roles = roles == null ? List.of() : List.copyOf(roles);
        }
    }

    /** Copies. */
    public Resources {
        disks = disks == null ? List.of() : List.copyOf(disks);
    }
}
