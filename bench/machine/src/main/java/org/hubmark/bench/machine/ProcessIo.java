package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.Collection;

/**
 * What processes had the kernel write, from /proc/PID/io (proc_pid_io(5)), which only their user and root may
 * read.
 */
public final class ProcessIo {
    private ProcessIo() {}

    /**
     * {@return octets to the page cache, to be written to devices, of those processes that run; null where there
     * is none that may be read}
     */
    public static @Nullable Long writtenBytes(HostFiles host, Collection<Long> processes) {
        Long sum = null;
        for (long process : processes) {
            String bytes = host.value("proc/" + process + "/io", "write_bytes", ":");
            if (bytes != null) {
                sum = (sum == null ? 0 : sum) + Long.parseLong(bytes);
            }
        }
        return sum;
    }
}
