package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Durability;
import org.hubmark.core.Envelope;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.hub.tracking.TrackingLog;
import org.hubmark.queue.QueueReader;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.StoreConfiguration;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A store on two folders with a clock that the test moves, and a tracking log. Closing it closes both and
 * checks that the queue is sound.
 */
public final class TestStore implements AutoCloseable {
    public static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    public final QueueStore store;
    public final TrackingLog tracking;
    private final Path folder;
    private final ContentBudget budget = new ContentBudget(64L << 20);
    private volatile Instant now = START;

    public TestStore(Path folder) throws IOException {
        this.folder = folder;
        this.store = QueueStore.open(new StoreConfiguration(
                folder.resolve("log"),
                folder.resolve("queue"),
                new Durability.Synced(),
                512L << 20,
                Settings.defaults(),
                clock()));
        this.tracking = TrackingLog.open(folder.resolve("tracking"));
    }

    public InstantSource clock() {
        return () -> now;
    }

    public void advance(Duration time) {
        now = now.plus(time);
    }

    /** {@return a time in words: 5d, 3h, 2m, 1s} */
    public static Duration time(String words) {
        return Duration.parse((words.endsWith("d") ? "P" : "PT") + words);
    }

    public QueueId enqueue(String forwardPath) {
        return enqueue("a@x.example", forwardPath);
    }

    public QueueId enqueue(String reversePath, String... forwardPaths) {
        Content content =
                Objects.requireNonNull(Content.open(store.nextId(), budget, 100), "budget");
        byte[] text = ("Subject: to " + forwardPaths[0] + "\r\n\r\nbody\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        content.append(text, 0, text.length);
        Envelope envelope = new Envelope(
                reversePath, List.of(forwardPaths), BodyType.SEVEN_BIT, now, "127.0.0.1");
        CompletableFuture<Receipt> receipt = new CompletableFuture<>();
        store.enqueue(envelope, content, receipt::complete);
        assertThat(receipt.join()).isInstanceOf(Receipt.Queued.class);
        return content.id();
    }

    public List<QueuedMessage> messages() throws IOException {
        List<QueuedMessage> messages = new ArrayList<>();
        try (QueueReader reader =
                QueueReader.open(folder.resolve("log"), folder.resolve("queue"))) {
            reader.forEach(messages::add);
        }
        return messages;
    }

    @Override
    public void close() throws IOException {
        store.close();
        tracking.close();
        try (QueueReader reader =
                QueueReader.open(folder.resolve("log"), folder.resolve("queue"))) {
            assertThat(reader.check().problems()).isEmpty();
        }
    }
}
