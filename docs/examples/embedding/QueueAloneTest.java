import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.queue.QueueStore;
import org.hubmark.testkit.HubExtension;
import org.hubmark.testkit.SmtpDialogue;
import org.hubmark.testkit.TestHub;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.List;

@ExtendWith(HubExtension.class)
class QueueAloneTest {
    @Test
    void keepsWhatItPromised(TestHub hub) {
        hub.pauseDelivery();
        try (SmtpDialogue client = hub.dialogue()) {
            client.send("app@example.org", List.of("ada@example.org"), "Subject: Hi\n\n");
        }
        hub.crash();
        QueueStore store = hub.hub().store().orElseThrow();
        assertThat(store.statistics().length().messages()).isEqualTo(1);
    }
}
