package org.hubmark.hub;

import org.hubmark.core.MailQueue;
import org.hubmark.core.Settings;

import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ServiceLoader;

/**
 * Opens a queue that lives in other processes than the hub's. Found on the class path as a service
 * (see {@link ServiceLoader}), so that a hub without one needs nothing of it.
 */
public interface QueueEngine {
    /** {@return what addresses of such queues begin with, before the colon; in lower case} */
    String scheme();

    /**
     * Looks at an address and reads the engine's settings, without a connection.
     *
     * @throws IllegalArgumentException if one of them isn't possible; the message names it
     */
    void check(URI address, Settings settings);

    /**
     * Opens a queue. Returns when it takes messages.
     *
     * @throws IOException if it can't be reached or doesn't take us; the message says why in a line
     */
    MailQueue open(URI address, Settings settings, InstantSource clock) throws IOException;

    /**
     * {@return the engine for an address}
     *
     * @throws IllegalArgumentException if there is none on the class path
     */
    static QueueEngine of(URI address) {
        for (QueueEngine engine : ServiceLoader.load(QueueEngine.class)) {
            if (engine.scheme().equalsIgnoreCase(address.getScheme())) {
                return engine;
            }
        }
        throw new IllegalArgumentException("there is no engine for the queue '" + address
                + "' on the class path; for pulsar://HOST:PORT/TENANT/NAMESPACE that is the"
                + " artifact queue-pulsar");
    }
}
