package org.hubmark.hub.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;

/** What can be delivered to is read and printed alike; anything else is refused with the forms. */
final class DeliverySpecTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "discard                               > discard",
                "hold                                  > hold",
                "directory:/var/mail                   > directory:/var/mail",
                "directory:a:b                         > directory:a:b",
                "smtp://mx.example.org                 > smtp://mx.example.org:25",
                "smtp://mx.example.org.:25             > smtp://mx.example.org.:25",
                "lmtp://127.0.0.1                      > lmtp://127.0.0.1:24",
                "lmtp://[::1]:24                       > lmtp://[::1]:24",
                "smtp://a,[::1]:2525,10.0.0.1:25       > smtp://a:25,[::1]:2525,10.0.0.1:25",
                "smtp://mx.example.org:25?tls=required > smtp://mx.example.org:25?tls=required",
                "lmtp://a:24,b:24?tls=none             > lmtp://a:24,b:24?tls=none",
                "smtp://a,b:26?tls=opportunistic       > smtp://a:25,b:26",
                "smtp://mail_relay:25                  > smtp://mail_relay:25",
                "smtp://1a.example:25                  > smtp://1a.example:25",
            })
    void readsWhatItPrints(String text, String printed) {
        DeliverySpec read = DeliverySpec.parse(text);
        assertThat(read).hasToString(printed).isEqualTo(DeliverySpec.parse(printed));
    }

    @Test
    void readsAFolder() {
        assertThat(DeliverySpec.parse("directory:out"))
                .isEqualTo(new DeliverySpec.Directory(Path.of("out")));
    }

    @Test
    void refusesTheRest() {
        String all = """
                | Discard | directory | directory: | smtp:// | smtp://a b:25 | smtp://a:0 | smtp://. | smtp://a..b
                | smtp://-a | smtp://a-.example | smtp://1.2.3:25 | smtp://300.1.1.1 | smtp://[1.2.3.4:25
                | smtp://[::z]:25 | smtp://[1:2:3]:25 | lmtp://a:70000 | http://a:25 | smtp://a:25, | smtp://,a:25
                | smtp://a:25,lmtp://b:24 | smtp://a:25?tls= | smtp://a:25?tls=maybe | smtp://a:25?x=y
                | smtp://LABEL.example""".replace("LABEL", "a".repeat(64));
        for (String text : all.split("\\s*\\|\\s*", -1)) {
            assertThatThrownBy(() -> DeliverySpec.parse(text))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("discard, hold, directory:DIR");
        }
    }
}
