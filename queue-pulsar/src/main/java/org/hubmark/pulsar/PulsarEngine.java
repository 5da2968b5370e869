package org.hubmark.pulsar;

import org.hubmark.core.MailQueue;
import org.hubmark.core.PrivateFiles;
import org.hubmark.core.Settings;
import org.hubmark.hub.QueueEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;

/** Opens queues on Apache Pulsar, {@code pulsar://HOST:PORT/TENANT/NAMESPACE}. */
public final class PulsarEngine implements QueueEngine {
    private static final Logger LOG = LoggerFactory.getLogger(PulsarEngine.class);

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
        PulsarSettings read = PulsarSettings.read(settings);
        read.tokenFile()
                .filter(PrivateFiles::isReadableByAll)
                .ifPresent(file -> LOG.atWarn()
                        .addKeyValue("event", "token_file_open")
                        .log(
                                "pulsar.token-file {} can be read by every user of this machine;"
                                        + " chmod 600 {}",
                                file,
                                file));
        return PulsarQueue.open(PulsarAddress.of(address), read, clock);
    }
}
