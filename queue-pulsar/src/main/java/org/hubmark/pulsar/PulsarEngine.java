package org.hubmark.pulsar;

import org.hubmark.core.MailQueue;
import org.hubmark.core.Settings;
import org.hubmark.hub.QueueEngine;

import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;

/** Opens queues on Apache Pulsar, {@code pulsar://HOST:PORT/TENANT/NAMESPACE}. */
public final class PulsarEngine implements QueueEngine {
    /** For the service loader. */
    public PulsarEngine() {}

    @Override
    public String scheme() {
        return PulsarAddress.SCHEME;
    }

    @Override
    public void check(URI address, Settings settings) {
        PulsarAddress.of(address);
        PulsarSettings.read(settings);
    }

    @Override
    public MailQueue open(URI address, Settings settings, InstantSource clock) throws IOException {
        return PulsarQueue.open(PulsarAddress.of(address), PulsarSettings.read(settings), clock);
    }
}
