import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.testkit.HubExtension;
import org.hubmark.testkit.SmtpDialogue;
import org.hubmark.testkit.TestHub;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.List;

@ExtendWith(HubExtension.class)
class FirstMailTest {
    @Test
    void arrives(TestHub hub) {
        try (SmtpDialogue client = hub.dialogue()) {
            client.send("ada@example.org", List.of("bob@example.org"), "Subject: hello\n\n");
        }
        assertThat(hub.await(1).getFirst().envelope().forwardPaths()).containsExactly("bob@example.org");
    }
}
