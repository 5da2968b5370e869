package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.queue.QueueReader;
import org.hubmark.queue.QueueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A whole hub between a client and a scripted next hop: what a next hop answered for one recipient is
 * never asked again, over a kill and a restart too, and what can't be delivered comes back.
 */
final class RelayTest {
    /** What a next hop hasn't answered is cut soon, by a kill too. */
    private static final Map<String, String> SETTINGS =
            Map.of("delivery.next-hop-retry", "0s", "hub.drain-time", "100ms");

    @TempDir
    private Path folder;

    @Test
    void resultsSurviveAKill() throws Exception {
        QueueId id;
        // The notification is due before the retry, and over the connection that is there.
        try (ScriptedHop hop = ScriptedHop.start("""
                        hello PIPELINING
                        MAIL FROM:<s@x.example> | 250 ok
                        RCPT | 250 ok
                        RCPT | 550 5.1.1 nobody
                        RCPT | 451 4.2.1 later
                        DATA | 354 go
                        . | 250 taken
                        MAIL FROM:<> | 250 ok
                        RCPT | 250 ok
                        DATA | 354 go
                        .
                        """);
                Hub hub = hub(hop.smtp())) {
            id = TestHubs.send(hub, "a@y.example", "b@y.example", "c@y.example");
            await().until(() -> contents(hop) == 2);
            hub.kill();
            assertThat(hop.received()).contains("Final-Recipient: rfc822; b@y.example");
        }
        try (ScriptedHop hop = ScriptedHop.start("hello PIPELINING\ntaken\ntaken\n");
                Hub hub = hub(hop.smtp())) {
            // The notification wasn't answered before the kill, so it comes again; c is retried.
            QueueStore store = hub.store().orElseThrow();
            await().until(() -> store.statistics().length().messages() == 1);
            assertThat(hop.received()).contains("RCPT TO:<s@x.example>");
            assertThat(store.retry(id)).isTrue();
            await().until(() -> contents(hop) == 2);
            await().until(() -> store.statistics().length().messages() == 0);
            assertThat(hop.received())
                    .contains("RCPT TO:<c@y.example>")
                    .doesNotContain("RCPT TO:<a@y.example>")
                    .doesNotContain("RCPT TO:<b@y.example>");
        }
    }

    /** The next hop has the content and says nothing of it: nobody knows whether it has taken it. */
    @Test
    void whatHangsWhenTheHubStopsStaysInTheQueueAsItWas() throws Exception {
        QueueId id;
        try (ScriptedHop hop = ScriptedHop.start("hello PIPELINING\nenvelope\nDATA | 354 go\n.\n");
                Hub hub = hub(hop.smtp())) {
            id = TestHubs.send(hub, "a@y.example");
            await().until(() -> contents(hop) == 1);
            hub.drain(Duration.ofMillis(1));
        }
        try (QueueReader reader =
                QueueReader.open(folder.resolve("log"), folder.resolve("queue"))) {
            QueuedMessage message = reader.find(id).orElseThrow();
            assertThat(message.state()).isEqualTo(QueuedMessage.State.QUEUED);
            assertThat(message.attempts()).isZero();
            assertThat(reader.check().problems()).isEmpty();
        }
    }

    private Hub hub(NextHop hop) throws IOException {
        return TestHubs.start(
                folder, new DeliverySpec.NextHops(List.of(hop), DeliverySpec.Tls.NONE), SETTINGS);
    }

    private static int contents(ScriptedHop hop) {
        return hop.received().split("\r\n\\.\r\n", -1).length - 1;
    }
}
