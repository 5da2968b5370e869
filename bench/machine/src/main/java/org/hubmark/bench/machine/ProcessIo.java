package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.Collection;

/**
 * What processes had the kernel read and write, from /proc/PID/io (proc_pid_io(5)), which only their
 * user and root may read.
 *
 * @param readBytes from devices
 * @param writtenBytes to the page cache, to be written to devices
 * @param cancelledBytes of those that were never written, since the file was deleted before
 */
public record ProcessIo(long readBytes, long writtenBytes, long cancelledBytes) {
    /** {@return the sum over processes that run; null where there is none that may be read} */
    public static @Nullable ProcessIo of(HostFiles host, Collection<Long> processes) {
        ProcessIo sum = null;
        for (long process : processes) {
            ProcessIo one = parse(host.text("proc/" + process + "/io"));
            if (one != null) {
                sum = sum == null ? one : sum.plus(one);
            }
        }
        return sum;
    }

    static @Nullable ProcessIo parse(String io) {
        Long read = null;
        Long written = null;
        long cancelled = 0;
        for (String line : io.lines().toList()) {
            if (line.startsWith("read_bytes:")) {
                read = Long.valueOf(value(line));
            } else if (line.startsWith("write_bytes:")) {
                written = Long.valueOf(value(line));
            } else if (line.startsWith("cancelled_write_bytes:")) {
                cancelled = Long.parseLong(value(line));
            }
        }
        return read == null || written == null ? null : new ProcessIo(read, written, cancelled);
    }

    private static String value(String line) {
        return line.substring(line.indexOf(':') + 1).strip();
    }

    private ProcessIo plus(ProcessIo other) {
        return new ProcessIo(
                readBytes + other.readBytes,
                writtenBytes + other.writtenBytes,
                cancelledBytes + other.cancelledBytes);
    }
}
