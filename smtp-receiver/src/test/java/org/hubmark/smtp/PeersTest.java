package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.ContentBudget;
import org.hubmark.core.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** One address has its part of the receiver and no more, and nobody is kept in mind for ever. */
final class PeersTest {
    private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

    private final ContentBudget content = new ContentBudget(1000);
    private final ContentBudget envelopes = new ContentBudget(1000);
    private long nowNanos = Long.MAX_VALUE - SECOND_NANOS;

    private Peers peers(String... settings) {
        Map<String, String> given = new TreeMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            given.put(settings[i], settings[i + 1]);
        }
        return new Peers(AddressLimits.read(new Settings(given)), content, envelopes);
    }

    private Peers.Admission admit(Peers peers, String address) {
        try {
            return peers.admit(InetAddress.getByName(address), nowNanos);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private Peers.Address admitted(Peers peers, String address) {
        return Objects.requireNonNull(admit(peers, address).address());
    }

    @Test
    void connectionsAtOnce() {
        Peers peers = peers("smtp.address.connections-max", "2");
        Peers.Address first = admitted(peers, "192.0.2.1");
        assertThat(admitted(peers, "192.0.2.1")).isSameAs(first);
        assertThat(admit(peers, "192.0.2.1")).isEqualTo(new Peers.Admission(null, false));
        assertThat(admitted(peers, "192.0.2.2")).isNotSameAs(first);
        peers.leave(first, nowNanos);
        assertThat(admitted(peers, "192.0.2.1")).isSameAs(first);
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8::1, 2001:db8::ffff:1, true",
        "2001:db8::1, 2001:db8:0:1::1, false",
        "192.0.2.1, ::ffff:192.0.2.1, true",
        "192.0.2.1, 192.0.2.2, false"
    })
    void whatCountsAsOneAddress(String one, String other, boolean same) {
        Peers peers = peers();
        assertThat(admitted(peers, one) == admitted(peers, other)).isEqualTo(same);
    }

    @Test
    void newConnectionsAMinute() {
        Peers peers = peers("smtp.address.connections-per-minute-max", "60");
        for (int i = 0; i < 60; i++) {
            peers.leave(admitted(peers, "192.0.2.1"), nowNanos);
        }
        assertThat(admit(peers, "192.0.2.1")).isEqualTo(new Peers.Admission(null, true));
        assertThat(admit(peers, "192.0.2.2").address()).isNotNull();
        nowNanos += 2 * SECOND_NANOS;
        admitted(peers, "192.0.2.1");
        admitted(peers, "192.0.2.1");
        assertThat(admit(peers, "192.0.2.1")).isEqualTo(new Peers.Admission(null, true));
    }

    @Test
    void memory() {
        Peers peers = peers();
        Peers.Address one = admitted(peers, "192.0.2.1");
        assertThat(one.content().reserve(501)).isFalse();
        assertThat(one.content().reserve(500)).isTrue();
        assertThat(one.envelopes().reserve(501)).isFalse();
        assertThat(admitted(peers, "192.0.2.2").content().reserve(100)).isTrue();
        assertThat(admitted(peers, "127.0.0.1").content().reserve(400)).isTrue();
        assertThat(admitted(peers, "192.0.2.2").content().reserve(1)).isFalse();
    }

    @Test
    void exceptions() {
        Peers peers = peers(
                "smtp.address.connections-max", "1",
                "smtp.address.exceptions", "127.0.0.0/8, ::1,2001:db8::/32");
        for (int i = 0; i < 10; i++) {
            admitted(peers, "127.0.0.2");
            admitted(peers, "::1");
            admitted(peers, "2001:db8:ffff::1");
        }
        assertThat(peers.known()).isZero();
        admitted(peers, "2001:db9::1");
        assertThat(admit(peers, "2001:db9::1")).isEqualTo(new Peers.Admission(null, false));
    }

    @Test
    void addressesAreForgotten() {
        Peers peers = peers();
        List<Peers.Address> connected = new ArrayList<>();
        for (int i = 0; i < 4 * Peers.ADDRESSES_MAX; i++) {
            Peers.Address address = admitted(
                    peers,
                    "2001:db8:" + Integer.toHexString(i >> 16) + ":"
                            + Integer.toHexString(i & 0xffff) + "::1");
            if (i % 1000 == 0) {
                connected.add(address);
            } else {
                peers.leave(address, nowNanos);
            }
            assertThat(peers.known()).isLessThan(2 * Peers.ADDRESSES_MAX);
        }
        nowNanos += 60 * SECOND_NANOS;
        for (Peers.Address address : connected) {
            peers.leave(address, nowNanos);
        }
        assertThat(peers.known()).isLessThan(2 * Peers.ADDRESSES_MAX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "192.0.2", "192.0.2.1/33", "192.0.2.1/", "::/129", "::g"})
    void whatIsNoRangeIsNamed(String text) {
        assertThatThrownBy(() -> peers("smtp.address.exceptions", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("smtp.address.exceptions")
                .hasMessageContaining("192.0.2.0/24");
    }
}
