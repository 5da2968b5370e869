package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.fail;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.QueueId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/**
 * Content ends where RFC 5321 says and nowhere else, and arrives without its transparency dots,
 * however reads cut it. Method: a reference of a few lines that sees all octets at once, against
 * the decoder at every single cut, and for random octets at random cuts; always in each form of the
 * text scan that this JVM runs.
 */
final class DataDecoderTest {
    private static final int LINE_MAX = 1000;
    private static final TextScan WORDS = TextScan.words();
    private static final TextScan BEST = TextScan.best();

    /** Escaped as in dialogues.txt. */
    private static final String ODD =
            "\\r \\n \\0 \\t \\r\\n \\r\\n. \\r\\n\\r\\n \\r\\n\\16\\n \\r\\n\\16\\r \\16\\n \\n\\16 \\200"
                    + " \\377\\r\\n \\r\\n\\344 \\r\\n\\344.\\r\\n \\215\\n \\r\\212 \\r\\n\\t\\n \\r\\n\\r \\r\\n\\n"
                    + " \\r\\n\\0 \\r\\r\\n";

    record Result(@Nullable String text, DataDecoder.@Nullable Fault fault, int consumed) {}

    /** Everything that a decoder tells. */
    private record Decoded(Result result, String kept, boolean eightBit) {}

    /** What the RFC says, said with strings. */
    static Result reference(String wire) {
        int end = wire.startsWith(".\r\n") ? 0 : wire.indexOf("\r\n.\r\n") + 2;
        if (end == 1) {
            return new Result(null, null, wire.length());
        }
        String body = wire.substring(0, end);
        String lines = body.replace("\r\n", "");
        boolean bare = lines.contains("\r") || lines.contains("\n");
        if (bare || body.contains("\0")) {
            return new Result(
                    null, bare ? DataDecoder.Fault.BARE_LINE_END : DataDecoder.Fault.NUL, end + 3);
        }
        String text = body.startsWith(".") ? body.substring(1) : body;
        return new Result(text.replace("\r\n.", "\r\n"), null, end + 3);
    }

    static Result decode(String wire, int scratchOctets, int... cuts) {
        Decoded decoded = decode(wire, 1 << 20, scratchOctets, false, cuts);
        assertThat(decoded.eightBit)
                .isEqualTo(
                        wire.chars().limit(decoded.result.consumed).anyMatch(octet -> octet > 127));
        return decoded.result;
    }

    /** Decodes in each form of the scan, which has to make no difference. */
    private static Decoded decode(
            String wire, int octetsMax, int scratchOctets, boolean chunked, int... cuts) {
        Decoded byWords = decode(wire, octetsMax, scratchOctets, chunked, cuts, WORDS);
        assertThat(decode(wire, octetsMax, scratchOctets, chunked, cuts, BEST)).isEqualTo(byWords);
        return byWords;
    }

    private static Decoded decode(
            String wire,
            int octetsMax,
            int scratchOctets,
            boolean chunked,
            int[] cuts,
            TextScan textScan) {
        ContentBudget budget = new ContentBudget(1 << 24);
        Content content = Content.open(new QueueId(1), budget, 100);
        assertThat(content).isNotNull();
        DataDecoder decoder = new DataDecoder(new byte[scratchOctets], LINE_MAX, textScan);
        if (chunked) {
            decoder.beginChunks(content, octetsMax);
        } else {
            decoder.begin(content, octetsMax);
        }
        byte[] octets = wire.getBytes(StandardCharsets.ISO_8859_1);
        int consumed = 0;
        boolean ended = false;
        for (int i = 0; i <= cuts.length && !ended; i++) {
            int to = i < cuts.length ? Math.min(cuts[i], octets.length) : octets.length;
            ByteBuf in = Unpooled.wrappedBuffer(octets, consumed, to - consumed);
            ended = decoder.decode(in, Integer.MAX_VALUE);
            consumed = to - in.readableBytes();
        }
        if (chunked) {
            decoder.endChunks();
        }
        String kept = StandardCharsets.ISO_8859_1.decode(content.memory()).toString();
        content.close();
        assertThat(budget.bytesUsed()).isZero();
        String text = ended && decoder.fault() == null ? kept : null;
        return new Decoded(new Result(text, decoder.fault(), consumed), kept, decoder.isEightBit());
    }

    private static void agrees(String wire) {
        Result expected = reference(wire);
        for (int scratch : new int[] {1, 7, 64, 16 << 10}) {
            Result whole = decode(wire, scratch);
            assertThat(whole.text).isEqualTo(expected.text);
            assertThat(whole.consumed).isEqualTo(expected.consumed);
        }
        for (int cut = 0; cut <= wire.length(); cut++) {
            Result result = decode(wire, 16 << 10, cut);
            assertThat(result.text).as("cut at %d", cut).isEqualTo(expected.text);
            assertThat(result.consumed).as("cut at %d", cut).isEqualTo(expected.consumed);
            assertThat(result.fault == null).as("cut at %d", cut).isEqualTo(expected.fault == null);
        }
    }

    /** Faults that meet a cut elsewhere, or a shorter scratch, are met in the same order. */
    @Test
    void theFirstOfSeveralFaultsCountsAtEveryCut() {
        String lines = "0123456789\r\n".repeat(8);
        String longLine = "x".repeat(LINE_MAX);
        Map<String, DataDecoder.Fault> expected = new LinkedHashMap<>();
        expected.put(lines + "\n" + lines, DataDecoder.Fault.BARE_LINE_END);
        expected.put(lines + lines + "\n", DataDecoder.Fault.TOO_LARGE);
        expected.put(lines + lines + "\0", DataDecoder.Fault.TOO_LARGE);
        expected.put(lines + lines + "\rx", DataDecoder.Fault.TOO_LARGE);
        expected.put(lines + lines + longLine, DataDecoder.Fault.TOO_LARGE);
        expected.put("\0" + longLine + "x\n", DataDecoder.Fault.NUL);
        expected.forEach((wire, fault) -> allFind(wire + "\r\n.\r\n", 150, fault));
        allFind(longLine + "x\n\0" + lines + "\r\n.\r\n", 10_000, DataDecoder.Fault.LINE_TOO_LONG);
        allFind(
                longLine + "x" + lines + "\r\n.\r\n",
                LINE_MAX + 20,
                DataDecoder.Fault.LINE_TOO_LONG);
    }

    private static void allFind(String wire, int octetsMax, DataDecoder.Fault fault) {
        for (int scratch : new int[] {1, 7, 64, 16 << 10}) {
            for (int cut = 0; cut <= wire.length(); cut++) {
                assertThat(decode(wire, octetsMax, scratch, false, cut).result.fault)
                        .as("cut at %d, scratch of %d: %s", cut, scratch, wire)
                        .isEqualTo(fault);
            }
        }
    }

    @Test
    void wellFormedContentAtEveryCut() {
        String longLine = "x".repeat(300) + "." + "y".repeat(300) + "\r\n";
        agrees("Subject: x\r\n\r\n..\r\n..dot\r\n.odd\r\n\ttab \u00e4\u00ff\r\n"
                + longLine
                + "a.b\r\n.\r\nMAIL FROM:<next@example>\r\n");
        agrees(".\r\n");
        agrees("\r\n.\r\n.\r\n");
        agrees("...\r\n.\r\n");
        agrees(longLine + longLine + longLine + ".\r\n");
    }

    /** Among them each content that some server, once, took for the end of the content or let through. */
    @Test
    void theCorpusAtEveryCut() throws IOException {
        for (byte[] octets : SmtpFuzzTest.corpus("data")) {
            if (octets.length < LINE_MAX) {
                agrees(new String(octets, StandardCharsets.ISO_8859_1) + "\r\n.\r\n");
            }
        }
    }

    /** Where blocks are looked at, what does not belong there is found at each of their octets. */
    @Test
    void whatIsNotPlainIsFoundAtEveryOctetOfABlock() {
        String text = "line of forty or so octets, without a dot\r\n".repeat(6);
        for (String escaped : ODD.split(" ", -1)) {
            String odd = DialogueTest.octets(escaped);
            for (int at = 0; at <= text.length(); at++) {
                String wire = text.substring(0, at) + odd + text.substring(at) + "end\r\n.\r\n";
                assertThat(decode(wire, 16 << 10))
                        .as("%s at %d", escaped, at)
                        .isEqualTo(reference(wire));
            }
        }
    }

    @Test
    void randomOctetsAtRandomCuts() {
        long seed = Long.getLong("hubmark.seed", 1);
        Random random = new Random(seed);
        String alphabet = "\r\n.a\r\n.b\0\n\r\u0085\u000b\u000e";
        for (int round = 0; round < 20_000; round++) {
            StringBuilder wire = new StringBuilder();
            boolean mostlyLines = random.nextBoolean();
            for (int i = random.nextInt(80); i > 0; i--) {
                wire.append(
                        mostlyLines
                                ? "x".repeat(random.nextInt(40))
                                        + (random.nextBoolean() ? "\r\n." : "\r\n")
                                : String.valueOf(
                                        alphabet.charAt(random.nextInt(alphabet.length()))));
            }
            wire.append("\r\n.\r\n");
            Result expected = reference(wire.toString());
            int first = random.nextInt(wire.length());
            int second = first + random.nextInt(wire.length() - first);
            int scratch = 1 + random.nextInt(400);
            Result result = decode(wire.toString(), scratch, first, second);
            if (!new Result(result.text, null, result.consumed)
                            .equals(new Result(expected.text, null, expected.consumed))
                    || (result.fault == null) != (expected.fault == null)) {
                fail("seed %d, round %d: %s instead of %s", seed, round, result, expected);
            }
        }
    }

    @Test
    void bothFormsOfTheScanTakeTheSameInChunksAndBeyondTheLimit() {
        long seed = Long.getLong("hubmark.seed", 1);
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            String wire = TextScanTest.text(random, random.nextInt(round % 20 == 0 ? 40_000 : 600));
            int readMax = 1 + random.nextInt(Math.max(1, wire.length()));
            int[] cuts = new int[random.nextInt(200)];
            for (int i = 0; i < cuts.length; i++) {
                cuts[i] = Math.min(
                        wire.length(), (i == 0 ? 0 : cuts[i - 1]) + 1 + random.nextInt(readMax));
            }
            int octetsMax = random.nextInt(4) == 0 ? random.nextInt(wire.length() + 1) : 1 << 20;
            int scratch = random.nextBoolean() ? 16 << 10 : 1 + random.nextInt(300);
            boolean chunked = random.nextBoolean();
            assertThatCode(() -> decode(wire, octetsMax, scratch, chunked, cuts))
                    .as("seed %d, round %d", seed, round)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void linesAreMeasuredOverEveryCut() {
        String longest = "x".repeat(LINE_MAX - 2) + "\r\n";
        for (int cut = 0; cut < 3 * LINE_MAX; cut += 37) {
            for (int scratch : new int[] {100, 999, 16 << 10}) {
                assertThat(decode("a\r\n" + longest + longest + longest + ".\r\n", scratch, cut)
                                .fault)
                        .isNull();
                assertThat(decode("a\r\n" + longest + "x" + longest + "b\r\n.\r\n", scratch, cut)
                                .fault)
                        .isEqualTo(DataDecoder.Fault.LINE_TOO_LONG);
            }
        }
    }
}
