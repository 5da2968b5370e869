package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths are taken and refused by the grammar of RFC 5321 4.1.2. Method: a table of either kind. */
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
                "a@[IPv6:1:2:3:4:5:6:1.2.3.4]",
                "a@[IPv6:::ffff:1.2.3.4]",
                "a@[IPv6:1::]",
                "a@[tag:content]",
                "a@1.example",
                "a@x--y.example"
            })
    void mailboxes(String mailbox) {
        assertThat(PathParser.forward("<" + mailbox + ">", 0))
                .isEqualTo(new PathParser.Path(mailbox, mailbox.length() + 2));
        assertThat(PathParser.reverse("<@x.example,@y.example:" + mailbox + ">", 0))
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
                ".a@b",
                "a.@b",
                "a..b@c",
                "a b@c",
                "a@b.",
                "a@.b",
                "a@b..c",
                "a@-b",
                "a@b-",
                "a@b_c",
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
                "a@[IPv6:1:2:3:4:5:6:7::]",
                "a@[IPv6:12345::]",
                "a@[IPv6:g::]",
                "a@[IPv6:1.2.3.4::]",
                "a@[:x]",
                "a@[x:]",
                "a@[x-:y]",
                "a@[x:y[z]",
                "@x.example:",
                "@x.example",
                "@x.example,:a@b",
                "@x.example a@b",
                "@:a@b"
            })
    void notMailboxes(String text) {
        assertThat(PathParser.forward("<" + text + ">", 0)).isNull();
        if (!text.isEmpty()) {
            assertThat(PathParser.reverse("<" + text + ">", 0)).isNull();
        }
        assertThat(PathParser.forward(text, 0)).isNull();
        assertThat(PathParser.forward("<" + text, 0)).isNull();
    }

    @Test
    void specialPaths() {
        assertThat(PathParser.reverse("<>", 0)).isEqualTo(new PathParser.Path("", 2));
        assertThat(PathParser.forward("<>", 0)).isNull();
        assertThat(PathParser.forward("<PostMaster>", 0))
                .isEqualTo(new PathParser.Path("PostMaster", 12));
        assertThat(PathParser.reverse("<postmaster>", 0)).isNull();
        assertThat(PathParser.forward("<a@b", 0)).isNull();
        assertThat(PathParser.forward("a@b>", 0)).isNull();
    }

    @Test
    void limits() {
        String local = "l".repeat(64);
        assertThat(PathParser.forward("<" + local + "@d>", 0)).isNotNull();
        assertThat(PathParser.forward("<" + local + "l@d>", 0)).isNull();
        // 256 octets with brackets: 2 + 64 + 1 + 189.
        assertThat(DOMAIN_180).hasSize(180);
        assertThat(PathParser.forward("<" + local + "@" + DOMAIN_180 + ".1234567>", 0))
                .isNotNull();
        assertThat(PathParser.forward("<" + local + "@" + DOMAIN_180 + ".12345678>", 0))
                .isNotNull();
        assertThat(PathParser.forward("<" + local + "@" + DOMAIN_180 + ".123456789>", 0))
                .isNull();
        assertThat(PathParser.isGreetingName("d".repeat(255))).isTrue();
        assertThat(PathParser.isGreetingName("d".repeat(256))).isFalse();
    }
}
