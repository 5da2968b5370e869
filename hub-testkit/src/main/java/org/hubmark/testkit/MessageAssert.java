package org.hubmark.testkit;

import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;

/**
 * Assertions about a message, in the manner of AssertJ. A failure shows the whole message,
 * shortened where it is long. One thread.
 */
public final class MessageAssert extends AbstractAssert<MessageAssert, ReceivedMessage> {
    private static final int SHOWN_CHARACTERS_MAX = 4000;

    MessageAssert(ReceivedMessage message) {
        super(message, MessageAssert.class);
        info.description("message %s%n%s%n", message, shown(message));
    }

    /** Came from that reverse-path: MAIL, not the field From. */
    public MessageAssert isFrom(String reversePath) {
        Assertions.assertThat(actual.envelope().reversePath())
                .as(text("reverse-path"))
                .isEqualTo(reversePath);
        return this;
    }

    /** Goes to these forward-paths and no other, in any order: RCPT, not the field To. */
    public MessageAssert isTo(String... forwardPaths) {
        Assertions.assertThat(actual.envelope().forwardPaths())
                .as(text("forward-paths"))
                .containsExactlyInAnyOrder(forwardPaths);
        return this;
    }

    /** Has that subject, after decoding. */
    public MessageAssert hasSubject(String subject) {
        Assertions.assertThat(actual.subject()).as(text("subject")).isEqualTo(subject);
        return this;
    }

    /** Has a field of that name and that body, unfolded. */
    public MessageAssert hasHeader(String name, String body) {
        Assertions.assertThat(actual.headers(name)).as(text("field " + name)).contains(body);
        return this;
    }

    /** Has these words in its first text/plain part. */
    public MessageAssert hasTextContaining(String... words) {
        Assertions.assertThat(actual.plainText()).as(text("text/plain")).contains(words);
        return this;
    }

    private String text(String what) {
        return what + " of " + info.descriptionText();
    }

    private static String shown(ReceivedMessage message) {
        String text = message.text();
        return text.length() <= SHOWN_CHARACTERS_MAX
                ? text
                : text.substring(0, SHOWN_CHARACTERS_MAX) + "... (" + text.length() + " in all)";
    }
}
