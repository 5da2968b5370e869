package org.hubmark.bench.mail.study;

import java.io.IOException;

/** Volumes of a hub that are made ready for each of its repeats. One thread. */
@FunctionalInterface
public interface VolumeSource {
    /**
     * {@return a hub on volumes that are ready until they are closed}
     *
     * @param hub as it was asked for, before anybody had volumes for it
     */
    Ready ready(HubRequest hub) throws IOException;

    /** Volumes that are ready. Closing puts back what was set for them; the hub has ended by then. */
    interface Ready extends AutoCloseable {
        /** {@return the hub on them} */
        HubRequest hub();

        @Override
        void close() throws IOException;
    }
}
