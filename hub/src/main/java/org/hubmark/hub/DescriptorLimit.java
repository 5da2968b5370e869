package org.hubmark.hub;

import org.hubmark.core.FileErrors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares at the start how many file descriptors a hub may have with how many it may need. */
final class DescriptorLimit {
    /** Libraries, the event loops, the admin server, the tracking log, lookups of names. */
    private static final int OTHERS = 232;

    private static final Logger LOG = LoggerFactory.getLogger(DescriptorLimit.class);

    private DescriptorLimit() {}

    /** Writes a warning if the process may have fewer than these together. */
    static void check(int smtpConnections, int deliveries, long store) {
        String warning = warning(FileErrors.descriptorsMax(), smtpConnections, deliveries, store);
        if (warning != null) {
            LOG.atWarn().addKeyValue("event", "few_descriptors").log(warning);
        }
    }

    /** {@return what to do, or null when there are enough} */
    static @Nullable String warning(long limit, int smtpConnections, int deliveries, long store) {
        long needed = (long) smtpConnections + deliveries + store + OTHERS;
        return limit >= needed
                ? null
                : "this process may open " + limit + " file descriptors (ulimit -n) and may need "
                        + needed + ": " + smtpConnections + " for smtp.connections-max, "
                        + deliveries + " for delivery.workers, " + store
                        + " for the queue, and a few more. Raise the hard limit (ulimit -Hn, or"
                        + " LimitNOFILE of systemd), or lower"
                        + " smtp.connections-max";
    }
}
