package org.hubmark.pulsar;

import org.hubmark.core.MailQueue;
import org.hubmark.core.PrivateFiles;
import org.hubmark.core.QueueId;
import org.hubmark.core.Settings;
import org.hubmark.hub.QueueEngine;
import org.hubmark.queue.OperatorAction;
import org.hubmark.queue.OperatorResult;
import org.hubmark.queue.ReadableQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;

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
    public ReadableQueue view(URI address, Settings settings) throws IOException {
        return PulsarView.open(PulsarAddress.of(address), PulsarSettings.read(settings));
    }

    @Override
    public Map<QueueId, OperatorResult> operate(
            URI address, Settings settings, OperatorAction action, Collection<QueueId> ids)
            throws IOException {
        return new PulsarOperator(PulsarAddress.of(address), PulsarSettings.read(settings))
                .operate(action, ids);
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
