package org.hubmark.bench.mail.matrix;

import java.util.Locale;

/**
 * State of the write cache, which decides what answers a sync. On an emulated device it is part of
 * the profile; on a real one it is how the kernel treats the device: queue/write_cache in sysfs.
 */
public enum CacheState {
    /** The device's write cache: no flush is sent to a real device (write through). */
    ON,
    /** The medium: a real device is sent a flush for each sync (write back). */
    OFF;

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
