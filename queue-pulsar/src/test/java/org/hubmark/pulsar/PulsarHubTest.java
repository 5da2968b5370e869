package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.testkit.HubExtension;
import org.hubmark.testkit.HubOptions;
import org.hubmark.testkit.ReceivedMessage;
import org.hubmark.testkit.SmtpDialogue;
import org.hubmark.testkit.TestHub;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.Duration;
import java.util.List;

/** A hub with the queue on the cluster that {@code HUBMARK_PULSAR} names, from SMTP to delivery. */
@OnCluster
class PulsarHubTest {
    @RegisterExtension
    final HubExtension extension =
            HubExtension.with(HubOptions.defaults().queue(TestNamespace.cluster()));

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
