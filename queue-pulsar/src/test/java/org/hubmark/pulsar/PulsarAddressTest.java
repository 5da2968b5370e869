package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetSocketAddress;
import java.net.URI;

/** An address is read as it is written, and one of another form is refused with the right one. */
class PulsarAddressTest {
    @Test
    void isReadAsItIsWritten() {
        PulsarAddress address =
                PulsarAddress.of(URI.create("pulsar://127.0.0.1:6650/public/default"));
        assertThat(address.service()).isEqualTo("pulsar://127.0.0.1:6650");
        assertThat(address.topic("mail")).isEqualTo("persistent://public/default/mail");
        assertThat(address).hasToString("pulsar://127.0.0.1:6650/public/default");
    }

    @Test
    void mayNameSeveralBrokers() {
        PulsarAddress address =
                PulsarAddress.of(URI.create("pulsar://a.example:1,b.example:2/a/b"));
        assertThat(address.service()).isEqualTo("pulsar://a.example:1,b.example:2");
        assertThat(address.sockets().map(InetSocketAddress::getPort)).containsExactly(1, 2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://h:1/a/b",
                "pulsar://h/a/b",
                "pulsar://h:1/a",
                "pulsar://h:1/a/b/c",
                "pulsar://h:1//b",
                "pulsar://h:1/a/b?c",
                "pulsar://u@h:1/a/b",
                "pulsar://h:70000/a/b",
                "pulsar://h:1,i/a/b",
                "pulsar://h:1,/a/b",
                "pulsar:a"
            })
    void ofAnotherFormIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PulsarAddress.of(URI.create(text)))
                .withMessageContaining("pulsar://HOST:PORT/TENANT/NAMESPACE");
    }
}
