package org.hubmark.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.mail.Message;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.List;
import java.util.Properties;

/** The examples in the Javadoc: what the author of a test writes. */
final class ExampleTest {
    // @start region="hub"
    @Test
    @ExtendWith(HubExtension.class)
    void welcomesAUser(TestHub hub) throws Exception {
        new Registration(hub.host(), hub.port()).register("ada@example.org");

        ReceivedMessage message = hub.await(1).getFirst();
        assertThat(message).isFrom("app@example.org").isTo("ada@example.org").hasSubject("Welcome");
    }

    // @end

    // @start region="crash"
    @Test
    @ExtendWith(HubExtension.class)
    void aMessageOutlivesAPowerCut(TestHub hub) {
        hub.pauseDelivery();
        try (SmtpDialogue client = hub.dialogue()) {
            client.send("a@example.org", List.of("b@example.org"), "Subject: Kept\n\nstill there");
        }
        hub.crash();
        hub.resumeDelivery();
        assertThat(hub.await(1).getFirst()).hasSubject("Kept").hasTextContaining("still there");
    }

    // @end

    /** Stands for the application under test. */
    private record Registration(String host, int port) {
        void register(String address) throws Exception {
            Properties settings = new Properties();
            settings.put("mail.smtp.host", host);
            settings.put("mail.smtp.port", String.valueOf(port));
            MimeMessage message = new MimeMessage(Session.getInstance(settings));
            message.setFrom(new InternetAddress("app@example.org"));
            message.addRecipient(Message.RecipientType.TO, new InternetAddress(address));
            message.setSubject("Welcome");
            message.setText("Good to have you here.");
            Transport.send(message);
        }
    }
}
