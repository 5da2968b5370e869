package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.hubmark.core.BodyType;
import org.hubmark.core.Envelope;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.List;
import java.util.Random;

/**
 * Paths are taken and refused by the grammar of RFC 5321 4.1.2 and what others let pass, and what is taken
 * an envelope takes. Method: a table of either kind, and paths made of random words.
 */
final class PathParserTest {
    private static final String LABEL = "d".repeat(60);
    private static final String DOMAIN_180 = LABEL + "." + LABEL + "." + LABEL.substring(2);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a@b",
                "a@b.example",
                "a.b.c@d.example",
                "!#$%&'*+-/=?^_`{|}~@d.example",
                "\"\"@d.example",
                "\"a b\"@d.example",
                "\"a\\\"b\\\\c\"@d.example",
                "\"a@b>\"@d.example",
                "a@[127.0.0.1]",
                "a@[255.255.255.255]",
                "a@[IPv6:::1]",
                "a@[IPv6:::]",
                "a@[ipv6:2001:db8::8:800:200C:417A]",
                "a@[IPv6:1:2:3:4:5:6:7:8]",
                "a@[IPv6:::ffff:1.2.3.4]",
                "a@[IPv6:1::]",
                "a@1.example",
                "a@x--y.example",
                "a@b_c",
                "a@-b",
                "a@b-",
                ".a@b",
                "a.@b",
                "a..b@c",
                "a@[2001:db8::1]",
                "a@[::1]"
            })
    void mailboxes(String mailbox) {
        assertThat(forward("<" + mailbox + ">"))
                .isEqualTo(new PathParser.Path(mailbox, mailbox.length() + 2));
        assertThat(reverse("<@x.example,@y.example:" + mailbox + ">"))
                .isEqualTo(new PathParser.Path(mailbox, mailbox.length() + 24));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "@",
                "a@",
                "@b",
                "a b@c",
                "a@.b",
                "a@b..c",
                "a@b c",
                "a@b@c",
                "a@b,c@d",
                "\"a@b",
                "\"a\"b@c",
                "\"a\\",
                "\"a\\\"@b",
                "\"\u00e4\"@b",
                "\u00e4@b",
                "a@\u00e4.example",
                "a@[127.0.0]",
                "a@[127.0.0.1",
                "a@[127.0.0.256]",
                "a@[127.0.0.1.1]",
                "a@[127.0.0.]",
                "a@[1270.0.0.1]",
                "a@[]",
                "a@[IPv6:]",
                "a@[IPv6:1:2:3:4:5:6:7]",
                "a@[IPv6:1:2:3:4:5:6:7:8:9]",
                "a@[IPv6:1::2::3]",
                "a@[IPv6:12345::]",
                "a@[IPv6:g::]",
                "a@[IPv6:1.2.3.4::]",
                "a@[:x]",
                "a@[x:]",
                "a@[x-:y]",
                "a@[x:y[z]",
                "a@[x:b>c]",
                "a@[x:b<c]",
                "a@[x:b\"c]",
                "@x.example:",
                "@x.example",
                "@x.example,:a@b",
                "@x.example a@b",
                "@:a@b"
            })
    void notMailboxes(String text) {
        assertThat(forward("<" + text + ">")).isNull();
        if (!text.isEmpty()) {
            assertThat(reverse("<" + text + ">")).isNull();
        }
        PathParser.Path bare = forward(text);
        assertThat(bare == null || bare.end() < text.length()).isTrue();
        assertThat(forward("<" + text)).isNull();
    }

    @Test
    void specialPaths() {
        assertThat(reverse("<>")).isEqualTo(new PathParser.Path("", 2));
        assertThat(forward("<>")).isNull();
        assertThat(forward("<PostMaster>")).isEqualTo(new PathParser.Path("PostMaster", 12));
        assertThat(reverse("<postmaster>")).isNull();
        assertThat(forward("<a@b")).isNull();
        assertThat(forward("a@b>")).isNull();
    }

    @Test
    void limits() {
        // 256 octets with brackets.
        String local = "l".repeat(254 - DOMAIN_180.length() - 1);
        assertThat(forward("<" + local + "@" + DOMAIN_180 + ">")).isNotNull();
        assertThat(forward("<" + local + "@" + DOMAIN_180 + ".>")).isNotNull();
        assertThat(forward(local + "@" + DOMAIN_180)).isNotNull();
        assertThat(envelope(local + "@" + DOMAIN_180)).isNotNull();
        assertThat(forward("<" + local + "l@" + DOMAIN_180 + ">")).isNull();
        assertThat(forward(local + "l@" + DOMAIN_180)).isNull();
        assertThat(PathParser.isDomain("d".repeat(255))).isTrue();
        assertThat(PathParser.isDomain("d".repeat(256))).isFalse();
        assertThat(PathParser.isDomain("d-.example")).isFalse();
    }

    @Test
    void whatOthersLetPass() {
        assertThat(reverse("<a@b.example.>")).isEqualTo(new PathParser.Path("a@b.example", 14));
        assertThat(reverse("a@b.example SIZE=1")).isEqualTo(new PathParser.Path("a@b.example", 11));
    }

    @Test
    void whatIsTakenAnEnvelopeTakes() {
        String[] words = {
            "a",
            "b.example",
            "@",
            ".",
            "-",
            "_",
            "\"",
            "\\",
            "[",
            "]",
            "x:",
            "IPv6:",
            "::1",
            "127.0.0.1",
            "<",
            ">",
            " ",
            ",",
            ":",
            "\u0000",
            "\u00e4",
            "\u007f",
            "~",
            "@x.example:",
            "[x:b>c]",
            "\"a b\"",
            "l".repeat(64),
            "d".repeat(100),
            "d".repeat(189),
            "@[x:" + "y".repeat(120) + "]",
            "a@",
            "postmaster"
        };
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int taken = 0;
        for (int round = 0; round < 100_000; round++) {
            StringBuilder text = new StringBuilder("<");
            for (int i = 1 + random.nextInt(6); i > 0; i--) {
                text.append(words[random.nextInt(words.length)]);
            }
            String path = text.append('>').toString();
            for (PathParser.Path read : new PathParser.Path[] {forward(path), reverse(path)}) {
                if (read != null) {
                    taken++;
                    assertThatCode(() -> envelope(read.mailbox()))
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

    private static PathParser.@Nullable Path forward(String text) {
        return new PathParser(text, 0).forward();
    }

    private static PathParser.@Nullable Path reverse(String text) {
        return new PathParser(text, 0).reverse();
    }
}
