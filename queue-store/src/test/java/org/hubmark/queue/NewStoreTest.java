package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Durability;
import org.hubmark.core.Envelope;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Proves that a power cut in the first moments of a new store loses nothing that was accepted and leaves
 * nothing that can't be opened. The cut takes every name whose folder was not synced: those of the
 * volumes' own folders, of what lies in them, and of the segments.
 */
@Timeout(120)
class NewStoreTest {
    private static final LogSettings LOG = new LogSettings(64 << 10, 2, 0);

    @TempDir
    Path folder;

    private final ForgetfulFiles files = new ForgetfulFiles();
    private final ContentBudget budget = new ContentBudget(1 << 20);

    @Test
    void theFirstMailOutlivesAPowerCut() throws IOException {
        Path home = files.path(folder).resolve("several/levels");
        QueueStore store = QueueStore.open(configuration(home), LOG, StoreStart::segments);
        QueueId id = ((Receipt.Queued) enqueue(store)).id();
        store.closeBroken(new IOException("the power is gone"));
        files.forget();
        try (QueueStore again = QueueStore.open(configuration(home), LOG, StoreStart::segments)) {
            assertThat(again.isNew()).isFalse();
            assertThat(again.find(id)).isPresent();
        }
    }

    @Test
    void aCutAnywhereLeavesAStoreThatOpens() throws IOException {
        int cuts = 0;
        for (int nth = 1; nth < 100 && cuts == nth - 1; nth++) {
            Path home = files.path(folder).resolve("several" + nth).resolve("levels");
            files.cutBefore(nth);
            QueueId id = null;
            try {
                QueueStore store = QueueStore.open(configuration(home), LOG, StoreStart::segments);
                if (enqueue(store) instanceof Receipt.Queued queued) {
                    id = queued.id();
                }
                store.closeBroken(new IOException("the power is gone"));
            } catch (IOException e) {
                assertThat(e).as("cut %d", nth).hasMessageContaining("simulated");
            }
            cuts += files.isOff() ? 1 : 0;
            files.forget();
            try (QueueStore again =
                    QueueStore.open(configuration(home), LOG, StoreStart::segments)) {
                assertThat(id == null || again.find(id).isPresent())
                        .as("cut %d", nth)
                        .isTrue();
                assertThat(enqueue(again)).as("cut %d", nth).isInstanceOf(Receipt.Queued.class);
            }
        }
        assertThat(cuts).isBetween(10, 98);
    }

    private static StoreConfiguration configuration(Path home) {
        return new StoreConfiguration(
                home.resolve("log"),
                home.resolve("queue"),
                new Durability.Synced(),
                1 << 20,
                new Settings(Map.of("store.log.direct", "off")),
                InstantSource.system());
    }

    private Receipt enqueue(QueueStore store) {
        Content content = Objects.requireNonNull(Content.open(store.nextId(), budget, 100));
        content.append(new byte[100], 0, 100);
        CompletableFuture<Receipt> answer = new CompletableFuture<>();
        store.enqueue(
                new Envelope("a@b", List.of("c@d"), BodyType.SEVEN_BIT, StoreUnderTest.START, ""),
                content,
                answer::complete);
        return answer.join();
    }
}
