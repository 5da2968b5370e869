package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

/** Proves that messages have exactly the asked size at every size, and the promised form. */
class MessageGeneratorTest {
    private static final long SEED = 42;

    private final MessageGenerator generator =
            new MessageGenerator(SEED, Instant.EPOCH, "a@load.example", "b@load.example");

    @Test
    void hasTheAskedSizeAndWholeLinesAtEverySize() {
        for (int size = MessageGenerator.BYTES_MIN; size < 3000; size++) {
            String text = text(size);
            assertThat(text).hasSize(size).endsWith("\r\n");
            for (String line : text.split("\r\n", -1)) {
                assertThat(line)
                        .as("size %s", size)
                        .hasSizeLessThan(998)
                        .doesNotContain("\r", "\n");
            }
        }
        assertThat(generator.next(57_000)).hasSize(57_000);
    }

    @Test
    void hasTheFieldsOfRealMailAndLinesThatStartWithADot() {
        String text = text(57_000);
        for (String field : List.of(
                "Message-ID: <000000000000.2a@",
                "From: ",
                "To: <b@",
                "Date: Thu, 1 Jan 1970 ",
                "Subject: ",
                "MIME-Version: 1.0",
                "Content-Type: text/plain")) {
            assertThat(text.substring(0, text.indexOf("\r\n\r\n"))).contains(field);
        }
        assertThat(text).contains("\r\n.").doesNotContain(" \r\n");
    }

    @Test
    void isRepeatableAndDistinct() {
        MessageGenerator again =
                new MessageGenerator(SEED, Instant.EPOCH, "a@load.example", "b@load.example");
        byte[] first = again.next(1000);
        assertThat(generator.next(1000)).isEqualTo(first);
        assertThat(generator.next(1000)).isNotEqualTo(first);
    }

    @Test
    void numbersWhatHasRoomForIt() {
        assertThat(generator.numbered(20)).isFalse();
        for (int size = MessageGenerator.BYTES_MIN; size < 300; size++) {
            assertThat(text(size).startsWith("Message-ID: <000000000000."))
                    .isEqualTo(generator.numbered(size));
        }
    }

    @Test
    void refusesASizeWithoutALineEnd() {
        assertThatThrownBy(() -> generator.next(1)).hasMessageContaining("at least 2");
    }

    private String text(int size) {
        return new String(generator.next(size), ISO_8859_1);
    }
}
