package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

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

    private static final Pattern NOT_TEXT =
            Pattern.compile("(\r(?!\n))|((?<!\r)\n)|(\0)|([\u0080-\u00ff])");
    private static final List<String> WORDS =
            List.of("a bare CR", "a bare LF", "a NUL", "an octet above 127");

    @Test
    void judgesAsOctetByOctet() {
        long seed = Long.getLong("hubmark.seed", 1);
        Random random = new Random(seed);
        for (int i = 0; i < CONTENTS; i++) {
            String content = content(random);
            boolean eightBit = random.nextBoolean();
            String expected = expected(content, eightBit);
            String stuffed = ("\r\n" + content).replace("\r\n.", "\r\n..").substring(2)
                    + (content.isEmpty() || content.endsWith("\r\n"));
            assertThat(checked(content, eightBit, false, random))
                    .as("seed %d, content %d: %s", seed, i, quoted(content))
                    .isEqualTo(expected == null ? content : expected);
            assertThat(checked(content, eightBit, true, random))
                    .as("seed %d, content %d: %s", seed, i, quoted(content))
                    .isEqualTo(expected == null ? stuffed : expected);
        }
    }

    /** Mostly text that passes: of each piece that doesn't, few. */
    private static String content(Random random) {
        StringBuilder content = new StringBuilder();
        int length = random.nextInt(OCTETS_MAX);
        int pieces = random.nextInt(4) == 0 ? PIECES.length : 6;
        while (content.length() < length) {
            content.append("abcdefghijklmnop", 0, random.nextInt(17));
            content.append(PIECES[random.nextInt(pieces)]);
        }
        return content.toString();
    }

    /** {@return what is wrong, or the content, stuffed with whether it ends a line if that is asked for} */
    private static String checked(String content, boolean eightBit, boolean stuffs, Random random) {
        byte[] octets = content.getBytes(StandardCharsets.ISO_8859_1);
        LineCheck check = new LineCheck(eightBit);
        ByteArrayOutputStream stuffed = new ByteArrayOutputStream();
        try {
            int from = 0;
            while (from < octets.length) {
                int to = from + 1 + random.nextInt(octets.length - from);
                if (!stuffs) {
                    check.check(octets, from, to);
                }
                int dot = stuffs ? check.checkToDot(octets, from, to) : to;
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
            return stuffed.toString(StandardCharsets.ISO_8859_1)
                    + (stuffs ? check.isAtLineStart() : "");
        } catch (LineCheck.NotTextException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static @Nullable String expected(String content, boolean eightBit) {
        Matcher wrong = NOT_TEXT.matcher(content);
        while (wrong.find()) {
            if (wrong.group(4) == null || !eightBit) {
                return IntStream.rangeClosed(1, 4)
                        .filter(group -> wrong.group(group) != null)
                        .mapToObj(group -> WORDS.get(group - 1))
                        .findFirst()
                        .orElseThrow();
            }
        }
        return null;
    }

    private static String quoted(String content) {
        return content.replace("\r", "\\r").replace("\n", "\\n").replace("\0", "\\0");
    }
}
