package org.hubmark.hub;

import org.hubmark.core.MailQueue;
import org.hubmark.core.Settings;

import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;

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
    public MailQueue open(URI address, Settings settings, InstantSource clock) throws IOException {
        if (!address.getSchemeSpecificPart().equals("up")) {
            throw new IOException("no queue answers at " + address);
        }
        return new MemoryQueue(clock);
    }
}
