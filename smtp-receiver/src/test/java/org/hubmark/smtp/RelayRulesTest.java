package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.Settings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;

/** No receiver is an open relay unless it was told to be one. */
final class RelayRulesTest {
    private static InetSocketAddress at(String address) {
        try {
            return new InetSocketAddress(InetAddress.getByName(address), 25);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static RelayRules rules(String listen, String... settings) {
        Map<String, String> given =
                settings.length == 0 ? Map.of() : Map.of(settings[0], settings[1]);
        return RelayRules.read(new Settings(given), List.of(at("127.0.0.1"), at(listen)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.8.8.8", "::1"})
    void onALoopbackAddressEveryClientIsTrustedUnlessARuleSaysWho(String listen) {
        assertThat(rules(listen).trusts(at("127.0.0.1"))).isTrue();
        assertThat(rules(listen).takesNothing()).isFalse();
        RelayRules rules = rules(listen, "smtp.accept-domains", "example.org");
        assertThat(rules.trusts(at("127.0.0.1"))).isFalse();
        assertThat(rules.accepts("a@example.org")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1"})
    void onAnyOtherAddressNobodyIs(String listen) {
        RelayRules rules = rules(listen);
        assertThat(rules.trusts(at("127.0.0.1"))).isFalse();
        assertThat(rules.trusts(at("192.0.2.9"))).isFalse();
        assertThat(rules.accepts("someone@elsewhere.example")).isFalse();
        assertThat(rules.accepts("postmaster")).isFalse();
        assertThat(rules.takesNothing()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.0/24, 192.0.2.255, true",
        "192.0.2.0/24, 192.0.3.0, false",
        "192.0.2.7, 192.0.2.7, true",
        "192.0.2.7, 192.0.2.6, false",
        "0.0.0.0/0, 203.0.113.9, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "2001:db8::/32, 2001:db8:1::1, true",
        "2001:db8::/32, 2001:db9::1, false",
        "[2001:db8::]/32, 2001:db8:1::1, true",
        "[2001:db8::]/32, 2001:db9::1, false",
        "[::1], ::1, true",
        "[::1], ::2, false",
    })
    void aNetworkIsTrusted(String network, String client, boolean trusted) {
        RelayRules rules = rules("0.0.0.0", "smtp.relay-from", "198.51.100.1, " + network);
        assertThat(rules.trusts(at(client))).isEqualTo(trusted);
        assertThat(rules.takesNothing()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "smtp.relay-from, 192.0.2.0/33 ::/129 192.0.2.0/-1, is not an address or a network",
        "smtp.relay-from, localhost 1.2.3 fe80::1%eth0, is not an address or a network",
        "smtp.relay-from, ::ffff:192.0.2.7 ::ffff:192.0.2.7/120, is not an address or a network",
        "smtp.relay-from, [::ffff:192.0.2.0]/24 ::ffff:c000:207, is not an address or a network",
        "smtp.relay-from, [2001:db8:: [192.0.2.7] 2001:db8::], is not an address or a network",
        "smtp.accept-domains, exa:mple @example.org ..org, is not a domain"
    })
    void whatIsNoNetworkOrDomainIsNamed(String key, String values, String why) {
        for (String value : values.split(" ", -1)) {
            assertThatThrownBy(() -> rules("0.0.0.0", key, value))
                    .hasMessageContaining(key + ": '" + value + "' " + why);
        }
    }
}
