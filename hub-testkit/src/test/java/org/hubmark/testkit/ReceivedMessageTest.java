package org.hubmark.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.BodyType;
import org.hubmark.core.Envelope;
import org.hubmark.core.QueueId;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** What is read out of a message, and what a failed assertion shows of it. */
final class ReceivedMessageTest {
    private static final String MULTIPART = """
            Received: from here\r
            Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=\r
            X-Long: one\r
             two\r
            MIME-Version: 1.0\r
            Content-Type: multipart/mixed; boundary=b\r
            \r
            --b\r
            Content-Type: multipart/alternative; boundary=c\r
            \r
            --c\r
            Content-Type: text/plain; charset=UTF-8\r
            Content-Transfer-Encoding: quoted-printable\r
            \r
            100% sch=C3=B6n\r
            --c\r
            Content-Type: text/html\r
            \r
            <p>fine</p>\r
            --c--\r
            --b\r
            Content-Type: text/plain; name=a.txt\r
            Content-Disposition: attachment; filename=a.txt\r
            Content-Transfer-Encoding: base64\r
            \r
            aGVsbG8=\r
            --b--\r
            """;

    @Test
    void readsTextsFieldsAndAttachments() {
        ReceivedMessage message = message(MULTIPART);
        assertThat(message)
                .isFrom("a@example.org")
                .isTo("c@example.org", "b@example.org")
                .hasSubject("Gr\u00fc\u00dfe")
                .hasHeader("X-Long", "one two")
                .hasTextContaining("100% sch\u00f6n");
        assertThat(message.headers("Bcc")).isEmpty();
        assertThat(message.htmlText()).contains("<p>fine</p>");
        assertThat(message.attempts()).isZero();
        assertThat(message.raw()).hasSize(MULTIPART.length());
        assertThat(message.attachments().getFirst().octets())
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("hello");
        assertThat(message.attachments()).hasToString("[a.txt (text/plain, 5 bytes)]");
        assertThat(message.mime().isMultipart()).isTrue();
    }

    @Test
    void aFailureShowsTheMessage() {
        assertThatThrownBy(() -> assertThat(message(MULTIPART)).hasSubject("Other"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("subject of message", "from <a@example.org>", "100% sch=");
    }

    /** A forwarded message, an image of an old program, and a text that is not the body. */
    @Test
    void attachmentsAreReadInEachFormThatProgramsGiveThem() {
        ReceivedMessage message = message("""
                Content-Type: multipart/mixed; boundary=B

                --B
                Content-Type: text/plain
                Content-Disposition: attachment

                not the body
                --B
                Content-Type: text/plain

                body text
                --B
                Content-Type: image/png; name="=?UTF-8?Q?i=C3=BC.png?="
                Content-Transfer-Encoding: base64

                AAEC
                --B
                Content-Type: message/rfc822; name="old.eml"
                Content-Disposition: attachment; filename="old.eml"

                Subject: inner

                inner text
                --B--
                """.replace("\n", "\r\n"));
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
