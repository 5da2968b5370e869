package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;

/** What can be delivered to is read and printed alike; anything else is refused with the forms. */
final class DeliverySpecTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "discard",
                "hold",
                "directory:/var/mail",
                "directory:a:b",
                "smtp://mx.example.org:25",
                "lmtp://[::1]:24"
            })
    void readsWhatItPrints(String text) {
        assertThat(DeliverySpec.parse(text)).hasToString(text);
    }

    @Test
    void readsAFolder() {
        assertThat(DeliverySpec.parse("directory:out"))
                .isEqualTo(new DeliverySpec.Directory(Path.of("out")));
    }

    @Test
    void aNextHopHasThePortOfItsProtocol() {
        assertThat(DeliverySpec.parse("smtp://mx.example.org"))
                .hasToString("smtp://mx.example.org:25");
        assertThat(DeliverySpec.parse("lmtp://127.0.0.1")).hasToString("lmtp://127.0.0.1:24");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Discard",
                "directory",
                "directory:",
                "smtp://",
                "smtp://a b:25",
                "smtp://a:0",
                "lmtp://a:70000",
                "http://a:25"
            })
    void refusesTheRest(String text) {
        assertThatThrownBy(() -> DeliverySpec.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("discard, hold, directory:DIR");
    }
}
