package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.hubmark.core.BodyType;
import org.hubmark.core.Envelope;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What is taken for a path an envelope takes, and names of our own are domains. Method: paths made of random
 * words; which paths are taken and refused is in dialogues.txt.
 */
final class PathParserTest {
    @Test
    void namesOfOurOwn() {
        assertThat(PathParser.isDomain("d".repeat(255))).isTrue();
        assertThat(PathParser.isDomain("d".repeat(256))).isFalse();
        assertThat(PathParser.isDomain("d-.example")).isFalse();
    }

    @Test
    void whatIsTakenAnEnvelopeTakes() {
        String separate =
                "a b.example @ . - _ \" \\ [ ] x: IPv6: ::1 127.0.0.1 < > , : ~ a@ [x:b>c]";
        List<String> words = new ArrayList<>(List.of(separate.split(" ", -1)));
        words.addAll(
                List.of(" ", "\0", "\u00e4", "\u007f", "\"a b\"", "@x.example:", "postmaster"));
        words.addAll(List.of("l".repeat(64), "d".repeat(100), "d".repeat(189)));
        words.add("@[x:" + "y".repeat(120) + "]");
        long seed = Long.getLong("hubmark.seed", 1);
        Random random = new Random(seed);
        int taken = 0;
        for (int round = 0; round < 100_000; round++) {
            StringBuilder text = new StringBuilder("<");
            for (int i = 1 + random.nextInt(6); i > 0; i--) {
                text.append(words.get(random.nextInt(words.size())));
            }
            String path = text.append('>').toString();
            for (boolean forward : new boolean[] {true, false}) {
                PathParser parser = new PathParser(path, 0);
                PathParser.@Nullable Path read = forward ? parser.forward() : parser.reverse();
                if (read != null) {
                    taken++;
                    String mailbox = read.mailbox();
                    assertThatCode(() -> envelope(mailbox))
                            .as("seed %d, round %d: %s", seed, round, path)
                            .doesNotThrowAnyException();
                }
            }
        }
        assertThat(taken).isGreaterThan(100);
    }

    private static Envelope envelope(String mailbox) {
        return new Envelope(
                mailbox,
                List.of(mailbox.isEmpty() ? "a" : mailbox),
                BodyType.SEVEN_BIT,
                Instant.EPOCH,
                "");
    }
}
