package example;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.testkit.HubExtension;
import org.hubmark.testkit.ReceivedMessage;
import org.hubmark.testkit.TestHub;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(HubExtension.class)
class RegistrationTest {
    @Test
    void welcomesAUser(TestHub hub) throws Exception {
        new Registration(hub.host(), hub.port()).register("ada@example.org");

        ReceivedMessage message = hub.await(1).getFirst();
        assertThat(message).isTo("ada@example.org").hasSubject("Welcome").hasTextContaining("Good");
    }

    @Test
    void triesAgainWhenTheServerIsBusy(TestHub hub) throws Exception {
        hub.faults().answer("MAIL", 1, "451 4.3.2 busy");
        assertThat(new Registration(hub.host(), hub.port()).register("ada@example.org"))
                .isEqualTo(2);
        hub.await(1);
    }

    @Test
    void triesAgainWhenTheConnectionIsCutWithinTheMessage(TestHub hub) throws Exception {
        hub.faults().cutContent(300);
        assertThat(new Registration(hub.host(), hub.port()).register("ada@example.org"))
                .isEqualTo(2);
        assertThat(hub.await(1)).hasSize(1);
    }

    @Test
    void aWelcomeOutlivesAPowerCut(TestHub hub) throws Exception {
        hub.pauseDelivery();
        new Registration(hub.host(), hub.port()).register("ada@example.org");
        hub.crash();
        hub.resumeDelivery();
        assertThat(hub.await(1).getFirst()).hasSubject("Welcome");
    }
}
