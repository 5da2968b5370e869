package org.hubmark.queue;

import org.hubmark.core.Durability;
import org.hubmark.core.MailQueue;
import org.hubmark.core.Settings;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/** The queue on the machine's volumes keeps what a hub relies on. */
class StoreContractTest implements MailQueueContract {
    @TempDir
    Path folder;

    @Override
    public MailQueue open() throws IOException {
        return QueueStore.open(new StoreConfiguration(
                folder.resolve("log"),
                folder.resolve("queue"),
                new Durability.Synced(),
                16 << 20,
                new Settings(Map.of("store.free-space-min", "1MiB")),
                InstantSource.system()));
    }
}
