package org.hubmark.bench.users;

import com.sun.management.UnixOperatingSystemMXBean;

import org.jspecify.annotations.Nullable;

import java.lang.management.ManagementFactory;

/** How many files and sockets this process may have open. */
final class OpenFiles {
    private OpenFiles() {}

    /** {@return that number, or null when it isn't known} */
    static @Nullable Long max() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof UnixOperatingSystemMXBean system
                ? (Long) system.getMaxFileDescriptorCount()
                : null;
    }
}
