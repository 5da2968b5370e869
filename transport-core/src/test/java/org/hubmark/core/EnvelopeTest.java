package org.hubmark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

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
    @CsvFileSource(resources = "envelope-texts.txt", delimiter = '|', quoteCharacter = '`')
    void whatCouldBeReadAsSomethingElseIsRefused(String kind, String escaped) {
        String text = escaped.translateEscapes();
        switch (kind) {
            case "path" -> {
                assertThat(to(text).forwardPaths()).containsExactly(text);
                assertThat(from(text).reversePath()).isEqualTo(text);
            }
            case "no-path" -> {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> to(text))
                        .withMessageContaining("forward-path")
                        .withMessageMatching("[ -~]*");
                assertThatThrownBy(() -> from(text)).hasMessageContaining("reverse-path");
            }
            default ->
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> of("", List.of("c@d.example"), text))
                        .withMessageContaining("peer");
        }
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

    @Test
    void memoryGrowsWithTheRecipients() {
        long one = to("a@b.example").memoryBytes();
        List<String> thousand = Collections.nCopies(1000, "a@b.example");
        assertThat(of("", thousand, "").memoryBytes() - one)
                .isEqualTo(999 * Envelope.memoryBytes("a@b.example"));
    }
}
