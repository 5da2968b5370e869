import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Durability;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.StoreConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

class OwnQueueTest {
    @TempDir
    Path volumes;

    @Test
    void keepsWhatItPromised() throws Exception {
        byte[] text = "Subject: hello\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        QueueStore queue = open();
        Content content = Content.open(queue.nextId(), new ContentBudget(64L << 20), text.length);
        content.append(text, 0, text.length); // false: the budget is used up
        Envelope envelope = new Envelope(
                "ada@example.org", List.of("bob@example.org"), BodyType.SEVEN_BIT, Instant.now(), "");
        CompletableFuture<Receipt> receipt = new CompletableFuture<>();
        queue.enqueue(envelope, content, receipt::complete); // the queue closes the content
        assertThat(receipt.get(10, TimeUnit.SECONDS)).isInstanceOf(Receipt.Queued.class); // synced
        queue.closeBroken(new IllegalStateException("as if the process was killed"));

        try (QueueStore again = open()) {
            Lease lease = again.lease(1).getFirst();
            try (InputStream in = lease.openContent()) {
                assertThat(in.readAllBytes()).isEqualTo(text);
            }
            again.acknowledge(lease.id()); // or defer, deadLetter, release
        }
    }

    private QueueStore open() throws Exception {
        return QueueStore.open(new StoreConfiguration(
                volumes.resolve("log"),
                volumes.resolve("queue"),
                new Durability.Synced(),
                512L << 20, // size of the log at which its oldest part moves to the queue volume
                Settings.defaults(),
                InstantSource.system()));
    }
}
