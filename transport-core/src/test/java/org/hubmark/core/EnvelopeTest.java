package org.hubmark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.Collections;
import java.util.List;

/** No envelope exists whose texts could end a line, a path or a comment where they are put. */
final class EnvelopeTest {
    private static Envelope from(String reversePath) {
        return of(reversePath, List.of("c@d.example"), "192.0.2.1");
    }

    private static Envelope to(String forwardPath) {
        return of("", List.of(forwardPath), "");
    }

    private static Envelope of(String reversePath, List<String> forwardPaths, String peer) {
        return new Envelope(reversePath, forwardPaths, BodyType.SEVEN_BIT, Instant.EPOCH, peer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a@b.example",
                "Postmaster",
                "\"a b\"@c.example",
                "\"<a>\"@c.example",
                "\"a\\\"b\"@c.example",
                "a@[192.0.2.1]",
                "a@[IPv6:2001:db8::1]",
                "o'brien+tag=x@b.example"
            })
    void whatAPathMayBe(String path) {
        assertThat(to(path).forwardPaths()).containsExactly(path);
        assertThat(from(path).reversePath()).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a@b.example\r\nRCPT TO:<v@d.example>",
                "a@b.example\nDATA",
                "a@b.example\rDATA",
                "a\0@b.example",
                "a\t@b.example",
                "a\u007f@b.example",
                "\u00e4@b.example",
                "a@b.example> NOTIFY=NEVER",
                "a@b.example>",
                "<a@b.example",
                "a b@c.example",
                "\"a b@c.example",
                "\"a\"b c\"@d.example\"",
                "\"a\\",
                "\"a\\\r\n\"@b.example"
            })
    void whatCouldBeReadAsSomethingElseIsRefused(String path) {
        assertThatThrownBy(() -> to(path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("forward-path")
                .hasMessageMatching("[ -~]*");
        assertThatThrownBy(() -> from(path)).hasMessageContaining("reverse-path");
    }

    @Test
    void lengths() {
        String longest = "x".repeat(Envelope.PATH_OCTETS_MAX);
        assertThat(to(longest).forwardPaths()).hasSize(1);
        assertThatThrownBy(() -> to(longest + "x")).hasMessageContaining("254");
        assertThatThrownBy(() -> to("")).hasMessageContaining("forward-path");
        assertThatThrownBy(() -> of("", List.of(), "")).hasMessageContaining("at least one");
        List<String> many = Collections.nCopies(Envelope.FORWARD_PATHS_MAX + 1, "a@b.example");
        assertThatThrownBy(() -> of("", many, "")).hasMessageContaining("100000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"192.0.2.1\r\nX-Injected: 1", "192.0.2.1)", "(x", "a b", "\u00e4", "a\\"})
    void whatIsNoPeerIsRefused(String peer) {
        assertThatThrownBy(() -> of("", List.of("c@d.example"), peer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("peer");
    }

    @Test
    void memoryGrowsWithTheRecipients() {
        long one = to("a@b.example").memoryBytes();
        List<String> thousand = Collections.nCopies(1000, "a@b.example");
        assertThat(of("", thousand, "").memoryBytes() - one)
                .isEqualTo(999 * Envelope.memoryBytes("a@b.example"));
    }
}
