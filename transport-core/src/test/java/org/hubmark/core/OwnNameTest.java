package org.hubmark.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.Inet6Address;
import java.net.InetAddress;

/** A hub never calls itself by a nickname of its machine. By names and addresses as systems have them. */
final class OwnNameTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"", "localhost", "25aea30808b2", "mx.", ".example", "a_b.example", "a..b"})
    void whatIsNoQualifiedNameIsNone(String name) {
        assertThat(OwnName.qualified(name)).isEmpty();
    }

    @Test
    void aQualifiedNameIsTaken() {
        assertThat(OwnName.qualified("mx-1.Example.org")).isEqualTo("mx-1.Example.org");
    }

    @Test
    void anAddressIsALiteralWithoutItsScope() throws Exception {
        byte[] linkLocal = new byte[16];
        linkLocal[0] = (byte) 0xfe;
        linkLocal[1] = (byte) 0x80;
        linkLocal[15] = 1;
        assertThat(OwnName.literal(InetAddress.getByAddress(new byte[] {10, 0, 2, 1})))
                .isEqualTo("[10.0.2.1]");
        assertThat(OwnName.literal(Inet6Address.getByAddress("x", linkLocal, 3)))
                .isEqualTo("[IPv6:fe80:0:0:0:0:0:0:1]");
    }

    @Test
    void theMachineHasALiteral() {
        assertThat(OwnName.literalOfMachine()).matches("\\[(?:IPv6:)?[0-9a-f:.]+]");
    }
}
