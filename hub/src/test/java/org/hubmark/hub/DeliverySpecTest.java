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
    @ValueSource(strings = {"discard", "hold", "directory:/var/mail", "directory:a:b"})
    void readsWhatItPrints(String text) {
        assertThat(DeliverySpec.parse(text)).hasToString(text);
    }

    @Test
    void readsAFolder() {
        assertThat(DeliverySpec.parse("directory:out"))
                .isEqualTo(new DeliverySpec.Directory(Path.of("out")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Discard", "directory", "directory:", "smtp://127.0.0.1:25"})
    void refusesTheRest(String text) {
        assertThatThrownBy(() -> DeliverySpec.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("discard, hold, directory:DIR");
    }
}
