package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Proves that messages have exactly the asked size at every size, and the promised form; that no two are
 * the same, in their ids or bodies; that a seed repeats the bodies; and that deflate takes away of them
 * what was asked, whatever fills them.
 */
class MessageGeneratorTest {
    private static final long SEED = 42;
    private static final TargetProbe.Announced ALL =
            new TargetProbe.Announced("", true, true, true, true, 0L);

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

    /** By DATA the dots are stuffed already, by BDAT there are none to stuff: the content is the same. */
    @Test
    void dotsAreDoubledInTheWireFormOfDataOnly() {
        try (MessageSet data = messages(20_000, Composition.DEFAULT, SEED, Transfer.DATA);
                MessageSet bdat = messages(20_000, Composition.DEFAULT, SEED, Transfer.BDAT)) {
            String wire = new String(ComposedMessage.wire(data, 3), ISO_8859_1);
            assertThat(wire).endsWith("\r\n.\r\n").contains("\r\n..");
            String content = wire.substring(0, wire.length() - 3).replace("\r\n..", "\r\n.");
            assertThat(content).doesNotContain("\r\n..").hasSize(20_000);
            assertThat(body(content)).isEqualTo(body(string(bdat, 3)));
            assertThat(data.get(3).contentBytes()).isEqualTo(20_000);
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
    @ParameterizedTest
    @CsvSource({
        "NONE, 0.35",
        "NONE, 0.5",
        "NONE, 0.7",
        "BASE64, 0.3",
        "BASE64, 0.95",
        "BINARY, 0",
        "BINARY, 0.5",
        "BINARY, 0.95"
    })
    void deflateTakesAwayWhatWasAsked(Attachments attachments, double asked) {
        int size = 57_000;
        int count = 100;
        byte[] together = new byte[count * size];
        double sum = 0;
        Composition content = new Composition(attachments, asked);
        try (MessageSet messages = messages(size, content, SEED, Transfer.BDAT)) {
            for (int i = 0; i < count; i++) {
                byte[] message = ComposedMessage.wire(messages, i);
                sum += Material.compressibility(message);
                System.arraycopy(message, 0, together, i * size, size);
            }
        }
        assertThat(sum / count).as("each").isCloseTo(asked, within(0.03));
        assertThat(Material.compressibility(together))
                .as("together")
                .isCloseTo(asked, within(0.03));
    }

    @Test
    void saysWhichCompressibilityCanBeHad() {
        assertThatThrownBy(() -> new Composition(Attachments.NONE, 0.1))
                .hasMessage("10% can't be had: 35% to 70%");
        assertThatThrownBy(() -> new Composition(Attachments.BASE64, 0.99))
                .hasMessage("99% can't be had: 30% to 95%");
        assertThatThrownBy(() -> new Composition(Attachments.BINARY, Double.NaN))
                .hasMessageContaining("can't be had: 0% to 95%");
    }

    @Test
    void anAttachmentInBase64CanBeDecoded() {
        Composition content = new Composition(Attachments.BASE64, 0.5);
        for (int size : new int[] {900, 1_000, 1_001, 1_077, 57_000}) {
            for (Transfer transfer : Transfer.values()) {
                try (MessageSet messages = messages(size, content, SEED, transfer)) {
                    assertThat(messages.get(0).contentBytes()).isEqualTo(size);
                    String text = new String(ComposedMessage.wire(messages, 11), ISO_8859_1);
                    assertThat(text).hasSize(size + (transfer == Transfer.DATA ? 3 : 0));
                    String boundary = text.replaceFirst("(?s).*boundary=\"(.*?)\".*", "$1");
                    String[] parts = text.split("--" + boundary + "(--)?\r\n", -1);
                    assertThat(parts).hasSize(4);
                    assertThat(parts[1]).contains("000000000000000011");
                    assertThat(parts[2]).contains("Content-Transfer-Encoding: base64\r\n");
                    byte[] attached = Base64.getMimeDecoder().decode(body(parts[2]));
                    assertThat(attached).hasSize(body(parts[2]).length() / 78 * 57);
                }
            }
        }
        try (MessageSet small = messages(300, content, SEED, Transfer.DATA)) {
            assertThat(string(small, 1)).contains("text/plain").doesNotContain("multipart");
        }
    }

    @Test
    void aBinaryAttachmentIsSaidToBeOne() {
        Composition content = new Composition(Attachments.BINARY, 0);
        for (int size : new int[] {900, 57_000}) {
            try (MessageSet messages = messages(size, content, SEED, Transfer.BDAT)) {
                byte[] octets = ComposedMessage.wire(messages, 11);
                assertThat(octets).hasSize(size);
                String text = new String(octets, ISO_8859_1);
                assertThat(text)
                        .contains("Content-Transfer-Encoding: binary\r\n")
                        .endsWith("--\r\n");
                assertThat(Arrays.toString(octets)).contains("-1, ").contains(" 0, ");
            }
        }
        assertThatThrownBy(() -> MessageSet.generate(
                        57_000,
                        generator(content, SEED),
                        plan(Transfer.BDAT),
                        new TargetProbe.Announced("", true, true, true, false, 0L)))
                .isInstanceOf(UserError.class)
                .hasMessage("target x:1 doesn't announce BINARYMIME, which --attachments binary"
                        + " needs");
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

    @Test
    void refusesASizeWithoutALineEnd() {
        assertThatThrownBy(() -> generator(Composition.DEFAULT, SEED).frame(1))
                .hasMessageContaining("at least 2");
    }

    private static String id(String text) {
        return text.substring(0, text.indexOf("\r\n"));
    }

    private static String body(String text) {
        return text.substring(text.indexOf("\r\n\r\n") + 4);
    }

    private static String string(MessageSet messages, long number) {
        return new String(ComposedMessage.wire(messages, number), ISO_8859_1);
    }

    private static MessageSet text(int size, long seed) {
        return messages(size, Composition.DEFAULT, seed, Transfer.BDAT);
    }

    private static MessageSet messages(
            int size, Composition content, long seed, Transfer transfer) {
        return MessageSet.generate(size, generator(content, seed), plan(transfer), ALL);
    }

    private static MessageGenerator generator(Composition content, long seed) {
        return new MessageGenerator(
                content, seed, Instant.EPOCH, "a@load.example", "b@load.example");
    }

    private static LoadPlan plan(Transfer transfer) {
        return LoadPlan.of(
                InetSocketAddress.createUnresolved("x", 1),
                1,
                new Pace.ClosedLoop(),
                transfer,
                "a@x",
                "b@x");
    }
}
