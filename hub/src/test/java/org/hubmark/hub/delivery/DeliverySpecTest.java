package org.hubmark.hub.delivery;

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
                "lmtp://[::1]:24",
                "smtp://a.example:25,[::1]:2525,10.0.0.1:25",
                "smtp://mx.example.org:25?tls=required",
                "lmtp://a:24,b:24?tls=none",
                "smtp://mail_relay:25",
                "smtp://mx.example.org.:25",
                "smtp://1a.example:25"
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
        assertThat(DeliverySpec.parse("smtp://a,b:26?tls=opportunistic"))
                .hasToString("smtp://a:25,b:26");
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
                "smtp://.",
                "smtp://a..b",
                "smtp://-a",
                "smtp://a-.example",
                "smtp://1.2.3:25",
                "smtp://300.1.1.1",
                "smtp://[1.2.3.4:25",
                "smtp://[::z]:25",
                "smtp://[1:2:3]:25",
                "smtp://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example",
                "lmtp://a:70000",
                "http://a:25",
                "smtp://a:25,",
                "smtp://,a:25",
                "smtp://a:25,lmtp://b:24",
                "smtp://a:25?tls=",
                "smtp://a:25?tls=maybe",
                "smtp://a:25?x=y"
            })
    void refusesTheRest(String text) {
        assertThatThrownBy(() -> DeliverySpec.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("discard, hold, directory:DIR");
    }
}
