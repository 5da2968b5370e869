package org.hubmark.hub;

import com.sun.management.UnixOperatingSystemMXBean;

import java.io.IOException;
import java.lang.management.ManagementFactory;

/** The descriptors of open files and sockets that this process may have. */
final class OpenFiles {
    /** Others open and close files meanwhile. */
    private static final int NEARLY = 8;

    private OpenFiles() {}

    /** {@return whether hardly any is left} */
    static boolean areUsedUp() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean os
                && os.getOpenFileDescriptorCount() > os.getMaxFileDescriptorCount() - NEARLY;
    }

    /**
     * {@return that no connection was asked for, since there is no descriptor for it}
     *
     * @param cause what the system said, in its language
     */
    static NextHopPool.NotTriedException lacking(IOException cause) {
        String limit =
                ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean os
                        ? ", now " + os.getMaxFileDescriptorCount()
                        : "";
        return new NextHopPool.NotTriedException(
                "this process can't open a connection (" + cause.getMessage()
                        + "): raise its limit of open files (ulimit -n" + limit + ")");
    }
}
