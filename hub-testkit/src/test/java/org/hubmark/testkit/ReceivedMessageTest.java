package org.hubmark.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.BodyType;
import org.hubmark.core.Envelope;
import org.hubmark.core.QueueId;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** What is read out of a message, and what a failed assertion shows of it. */
final class ReceivedMessageTest {
    @Test
    void readsTextsFieldsAndAttachments() throws IOException {
        String multipart = file("multipart.eml");
        ReceivedMessage message = message(multipart);
        assertThat(message)
                .isFrom("a@example.org")
                .isTo("c@example.org", "b@example.org")
                .hasSubject("Gr\u00fc\u00dfe")
                .hasHeader("X-Long", "one two")
                .hasTextContaining("100% sch\u00f6n");
        assertThat(message.headers("Bcc")).isEmpty();
        assertThat(message.htmlText()).contains("<p>fine</p>");
        assertThat(message.attempts()).isZero();
        assertThat(message.raw()).hasSize(multipart.length());
        assertThat(message.attachments().getFirst().octets())
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("hello");
        assertThat(message.attachments()).hasToString("[a.txt (text/plain, 5 bytes)]");
        assertThat(message.mime().isMultipart()).isTrue();
        assertThatThrownBy(() -> assertThat(message).hasSubject("Other"))
                .as("a failure shows the message")
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("subject of message", "from <a@example.org>", "100% sch=");
    }

    /** A forwarded message, an image of an old program, and a text that is not the body. */
    @Test
    void attachmentsAreReadInEachFormThatProgramsGiveThem() throws IOException {
        ReceivedMessage message = message(file("attachments.eml"));
        assertThat(message.plainText()).isEqualTo("body text");
        assertThat(message.attachments())
                .extracting(ReceivedMessage.Attachment::fileName)
                .containsExactly("i\u00fc.png", "old.eml");
        assertThat(message.attachments().getFirst().octets()).containsExactly(0, 1, 2);
        assertThat(message.attachments().getLast().octets())
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("Subject: inner\r\n\r\ninner text");
    }

    @Test
    void whatIsNoMimeIsReadAllTheSame() {
        ReceivedMessage message = message("\0\u00ff no header at all");
        assertThat(message.subject()).isEmpty();
        assertThat(message.htmlText()).isEmpty();
        assertThat(message.attachments()).isEmpty();
        assertThat(message.sizeBytes()).isEqualTo(message.raw().length);
    }

    private static String file(String name) throws IOException {
        return Files.readString(Path.of("src/test/resources/org/hubmark/testkit", name))
                .replace("\n", "\r\n");
    }

    private static ReceivedMessage message(String text) {
        Envelope envelope = new Envelope(
                "a@example.org",
                List.of("b@example.org", "c@example.org"),
                BodyType.SEVEN_BIT,
                Instant.EPOCH,
                "");
        return new ReceivedMessage(
                new QueueId(1), envelope, 0, text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
