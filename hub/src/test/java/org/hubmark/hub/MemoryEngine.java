package org.hubmark.hub;

import org.hubmark.core.MailQueue;
import org.hubmark.core.QueueId;
import org.hubmark.core.Settings;
import org.hubmark.queue.OperatorAction;
import org.hubmark.queue.OperatorResult;
import org.hubmark.queue.ReadableQueue;

import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;

/** Opens queues in memory, {@code memory:up}; any other name is one that does not answer. */
public final class MemoryEngine implements QueueEngine {
    /** For the service loader. */
    public MemoryEngine() {}

    @Override
    public String scheme() {
        return "memory";
    }

    @Override
    public void check(URI address, Settings settings) {
        settings.count("memory.messages-max", 10, 1, 100, "At most so many messages.");
    }

    @Override
    public ReadableQueue view(URI address, Settings settings) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<QueueId, OperatorResult> operate(
            URI address, Settings settings, OperatorAction action, Collection<QueueId> ids) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MailQueue open(URI address, Settings settings, InstantSource clock) throws IOException {
        if (!address.getSchemeSpecificPart().equals("up")) {
            throw new IOException("no queue answers at " + address);
        }
        return new MemoryQueue(clock);
    }
}
