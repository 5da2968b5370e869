package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * Content that is looked through in blocks is judged as octet by octet, wherever what
 * counts stands and however the content is cut into blocks: random content, mostly lines, against the
 * plain way to say it.
 */
final class LineCheckTest {
    private static final int CONTENTS = 20_000;
    private static final int OCTETS_MAX = 600;
    private static final String[] PIECES = {
        "\r\n", "\r\n", "\r\n", "\r\n.", "..", ".", "\r", "\n", "\0", "\u00fc", "\u008d", "\t", "x"
    };

    @Test
    void judgesAsOctetByOctet() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < CONTENTS; i++) {
            byte[] octets = content(random);
            boolean eightBit = random.nextBoolean();
            assertThat(check(octets, eightBit, random))
                    .as("seed %d, content %d: %s", seed, i, quoted(octets))
                    .isEqualTo(expected(octets, eightBit));
            if (expected(octets, eightBit) == null) {
                assertThat(stuffed(octets, eightBit, random))
                        .as("seed %d, content %d: %s", seed, i, quoted(octets))
                        .isEqualTo(expectedStuffed(octets));
            }
        }
    }

    /** Mostly text that passes: of each piece that doesn't, few. */
    private static byte[] content(Random random) {
        StringBuilder content = new StringBuilder();
        int length = random.nextInt(OCTETS_MAX);
        int pieces = random.nextInt(4) == 0 ? PIECES.length : 6;
        while (content.length() < length) {
            content.append("abcdefghijklmnop", 0, random.nextInt(17));
            content.append(PIECES[random.nextInt(pieces)]);
        }
        return content.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static @Nullable String check(byte[] octets, boolean eightBit, Random random) {
        LineCheck check = new LineCheck(eightBit);
        try {
            int from = 0;
            while (from < octets.length) {
                int to = from + 1 + random.nextInt(octets.length - from);
                check.check(octets, from, to);
                from = to;
            }
            check.end();
            return null;
        } catch (LineCheck.NotTextException e) {
            return e.getMessage();
        }
    }

    private static String stuffed(byte[] octets, boolean eightBit, Random random) {
        LineCheck check = new LineCheck(eightBit);
        ByteArrayOutputStream stuffed = new ByteArrayOutputStream();
        try {
            int from = 0;
            while (from < octets.length) {
                int to = from + 1 + random.nextInt(octets.length - from);
                int dot = check.checkToDot(octets, from, to);
                while (dot < to) {
                    stuffed.write(octets, from, dot - from);
                    stuffed.write('.');
                    from = dot;
                    dot = check.checkToDot(octets, from, to);
                }
                stuffed.write(octets, from, to - from);
                from = to;
            }
            check.end();
            return stuffed.toString(StandardCharsets.ISO_8859_1) + check.isAtLineStart();
        } catch (LineCheck.NotTextException e) {
            throw new AssertionError(e);
        }
    }

    private static @Nullable String expected(byte[] octets, boolean eightBit) {
        int before = 0;
        for (byte octet : octets) {
            if (before == '\r' && octet != '\n') {
                return "a bare CR";
            }
            if (octet == '\n' && before != '\r') {
                return "a bare LF";
            }
            if (octet == 0) {
                return "a NUL";
            }
            if (octet < 0 && !eightBit) {
                return "an octet above 127";
            }
            before = octet;
        }
        return before == '\r' ? "a bare CR" : null;
    }

    private static String expectedStuffed(byte[] octets) {
        String text = new String(octets, StandardCharsets.ISO_8859_1);
        String stuffed = ("\r\n" + text).replace("\r\n.", "\r\n..").substring(2);
        return stuffed + (text.isEmpty() || text.endsWith("\r\n"));
    }

    private static String quoted(byte[] octets) {
        return new String(octets, StandardCharsets.ISO_8859_1)
                .replace("\r", "\\r")
                .replace("\n", "\\n")
                .replace("\0", "\\0");
    }
}
