package org.hubmark.hub;

import org.hubmark.core.Durability;
import org.hubmark.core.MailQueue;
import org.hubmark.core.Settings;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.StoreConfiguration;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

/** Opens queues in folders of others, {@code folder:/PATH}; a folder that is absent does not answer. */
public final class FolderEngine implements QueueEngine {
    /** For the service loader. */
    public FolderEngine() {}

    @Override
    public String scheme() {
        return "folder";
    }

    @Override
    public void check(URI address, Settings settings) {
        settings.count("folder.messages-max", 10, 1, 100, "At most so many messages.");
    }

    @Override
    public MailQueue open(URI address, Settings settings, InstantSource clock) throws IOException {
        Path folder = Path.of(address.getPath());
        if (!Files.exists(folder)) {
            throw new IOException("no queue answers at " + address);
        }
        return QueueStore.open(new StoreConfiguration(
                folder.resolve("log"),
                folder.resolve("queue"),
                new Durability.Synced(),
                512L << 20,
                Settings.defaults(),
                clock));
    }
}
