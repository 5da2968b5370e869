package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.Deflater;

/**
 * Proves that messages have exactly the asked size at every size, and the promised form; that no two are
 * the same, in their ids or bodies; that a seed repeats the bodies; and that deflate halves them.
 */
class MessageGeneratorTest {
    private static final long SEED = 42;

    @Test
    void hasTheAskedSizeAndWholeLinesAtEverySize() {
        for (int size = MessageGenerator.BYTES_MIN; size < 3000; size++) {
            try (MessageSet messages = text(size, SEED)) {
                assertThat(messages.get(0).contentBytes()).isEqualTo(size);
                String text = string(messages, 7);
                assertThat(text).hasSize(size).endsWith("\r\n");
                for (String line : text.split("\r\n", -1)) {
                    assertThat(line)
                            .as("size %s", size)
                            .hasSizeLessThanOrEqualTo(line.contains("Message-ID") ? 98 : 76)
                            .doesNotContain("\r", "\n")
                            .doesNotEndWith(" ");
                }
            }
        }
    }

    @Test
    void hasTheFieldsOfRealMailAndLinesThatStartWithADot() {
        try (MessageSet messages = text(57_000, SEED)) {
            String text = string(messages, 90_123);
            for (String field : List.of(
                    "Message-ID: <000000000000090123.",
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
    }

    @Test
    void noTwoMessagesOfARunAreTheSame() {
        for (int size : new int[] {130, 500, 4_000}) {
            Set<String> ids = new HashSet<>();
            Set<String> bodies = new HashSet<>();
            try (MessageSet messages = text(size, SEED);
                    MessageSet others = text(size, SEED)) {
                for (int repeat = 0; repeat < 3; repeat++) {
                    MessageNumbers numbers = messages.numbers(2_000);
                    MessageNumbers elsewhere = others.numbers(2_000);
                    for (long number = numbers.next(); number >= 0; number = numbers.next()) {
                        String text = string(messages, number);
                        assertThat(ids.add(id(text))).isTrue();
                        assertThat(bodies.add(body(text))).isTrue();
                        // Another machine with the same seed: the body, but not the id.
                        String other = string(others, elsewhere.next());
                        assertThat(body(other)).isEqualTo(body(text));
                        assertThat(ids.add(id(other))).isTrue();
                    }
                }
            }
            assertThat(ids).hasSize(12_000);
        }
    }

    /** Behind its number, in which all messages differ, whatever they are made of. */
    @Test
    void theTextOfAMessageIsHardlyEverThatOfAnother() {
        Set<String> texts = new HashSet<>();
        try (MessageSet messages = text(4_000, SEED)) {
            for (int number = 0; number < 2_000; number++) {
                texts.add(string(messages, number).substring(2_000));
            }
        }
        // There are 32,820 places to cut at: of 2,000 draws about 60 meet one that was drawn
        // before.
        assertThat(texts).hasSizeGreaterThan(1_850);
    }

    @Test
    void anotherSeedMakesOtherBodies() {
        try (MessageSet messages = text(4_000, SEED);
                MessageSet other = text(4_000, SEED + 1)) {
            assertThat(body(string(messages, 5))).isNotEqualTo(body(string(other, 5)));
        }
    }

    /** Of each, and of a hundred together, so that what they have in common counts as well. */
    @Test
    void deflateHalvesThem() {
        int size = 57_000;
        int count = 100;
        byte[] together = new byte[count * size];
        double sum = 0;
        try (MessageSet messages = text(size, SEED)) {
            for (int i = 0; i < count; i++) {
                byte[] message = Loads.wire(messages, i);
                sum += compressibility(message);
                System.arraycopy(message, 0, together, i * size, size);
            }
        }
        assertThat(sum / count).as("each").isCloseTo(0.5, within(0.03));
        assertThat(compressibility(together)).as("together").isCloseTo(0.5, within(0.03));
    }

    @Test
    void numbersWhatHasRoomForIt() {
        for (int size = MessageGenerator.BYTES_MIN; size < 300; size++) {
            try (MessageSet messages = text(size, SEED)) {
                String text = string(messages, 123);
                // 72 octets of Message-ID, the empty line, and no line of one octet after it.
                assertThat(text.startsWith("Message-ID: <000000000000000123."))
                        .as("size %s", size)
                        .isEqualTo(size == 74 || size >= 76);
                assertThat(text.contains("000000000000000123"))
                        .as("size %s", size)
                        .isEqualTo(size >= 20);
            }
        }
    }

    /** {@return which share deflate takes away, as zlib and gzip do it unless told otherwise} */
    private static double compressibility(byte[] octets) {
        Deflater deflater = new Deflater();
        try {
            deflater.setInput(octets);
            deflater.finish();
            byte[] out = new byte[1 << 16];
            while (!deflater.finished()) {
                deflater.deflate(out);
            }
            return 1 - deflater.getBytesWritten() / (double) octets.length;
        } finally {
            deflater.end();
        }
    }

    private static String id(String text) {
        return text.substring(0, text.indexOf("\r\n"));
    }

    private static String body(String text) {
        return text.substring(text.indexOf("\r\n\r\n") + 4);
    }

    private static String string(MessageSet messages, long number) {
        return new String(Loads.wire(messages, number), ISO_8859_1);
    }

    private static MessageSet text(int size, long seed) {
        MessageGenerator generator =
                new MessageGenerator(seed, Instant.EPOCH, "a@load.example", "b@load.example");
        return MessageSet.generate(size, generator, WireMessageTest.plan(Transfer.BDAT), Loads.ALL);
    }
}
