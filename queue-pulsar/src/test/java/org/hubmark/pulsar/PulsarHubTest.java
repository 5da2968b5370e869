package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.testkit.HubExtension;
import org.hubmark.testkit.HubOptions;
import org.hubmark.testkit.ReceivedMessage;
import org.hubmark.testkit.SmtpDialogue;
import org.hubmark.testkit.TestHub;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** A hub with the queue on the cluster that {@code -Dhubmark.pulsar=ADDRESS} names, from SMTP to delivery. */
@Tag("long")
@EnabledIfSystemProperty(
        named = "hubmark.pulsar",
        matches = "pulsar://.*",
        disabledReason =
                "no cluster is named with -Dhubmark.pulsar=pulsar://HOST:PORT/TENANT/NAMESPACE")
class PulsarHubTest {
    @RegisterExtension
    final HubExtension extension = HubExtension.with(HubOptions.defaults()
            .queue(URI.create(Objects.requireNonNull(System.getProperty("hubmark.pulsar")))));

    @Test
    void whatWasAcceptedIsDeliveredAfterACrash(TestHub hub) {
        hub.pauseDelivery();
        try (SmtpDialogue client = hub.dialogue()) {
            assertThat(client.send(
                            "a@example.org",
                            List.of("b@example.net"),
                            "Subject: one\r\n\r\nHello\r\n"))
                    .startsWith("250 ");
        }
        hub.crash();
        hub.resumeDelivery();
        List<ReceivedMessage> messages = hub.await(1, Duration.ofSeconds(30));
        assertThat(messages).hasSize(1);
        assertThat(messages.getFirst().subject()).isEqualTo("one");
    }
}
