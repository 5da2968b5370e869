package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.Settings;
import org.junit.jupiter.api.Test;
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
    private static final String RECIPIENT = "someone@elsewhere.example";

    private static InetSocketAddress at(String address) {
        try {
            return new InetSocketAddress(InetAddress.getByName(address), 25);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static RelayRules rules(String listen, Map<String, String> settings) {
        return RelayRules.read(new Settings(settings), List.of(at("127.0.0.1"), at(listen)));
    }

    private static RelayRules accepting(String domains) {
        return rules("0.0.0.0", Map.of("smtp.accept-domains", domains));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.8.8.8", "::1"})
    void onALoopbackAddressEveryClientIsTrusted(String listen) {
        RelayRules rules = rules(listen, Map.of());
        assertThat(rules.trusts(at("127.0.0.1"))).isTrue();
        assertThat(rules.takesNothing()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1"})
    void onAnyOtherAddressNobodyIs(String listen) {
        RelayRules rules = rules(listen, Map.of());
        assertThat(rules.trusts(at("127.0.0.1"))).isFalse();
        assertThat(rules.trusts(at("192.0.2.9"))).isFalse();
        assertThat(rules.accepts(RECIPIENT)).isFalse();
        assertThat(rules.accepts("postmaster")).isFalse();
        assertThat(rules.takesNothing()).isTrue();
    }

    @Test
    void anExplicitRuleEndsTheTrustOfALoopbackAddress() {
        RelayRules rules = rules("127.0.0.1", Map.of("smtp.accept-domains", "example.org"));
        assertThat(rules.trusts(at("127.0.0.1"))).isFalse();
        assertThat(rules.accepts("a@example.org")).isTrue();
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
        RelayRules rules = rules("0.0.0.0", Map.of("smtp.relay-from", "198.51.100.1, " + network));
        assertThat(rules.trusts(at(client))).isEqualTo(trusted);
        assertThat(rules.takesNothing()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "a@example.org, true",
        "a@EXAMPLE.org, true",
        "postmaster, true",
        "a@b.example.org, false",
        "a@example.org.evil.example, false",
        "a@evilexample.org, false",
        "a@x.sub.example, true",
        "a@sub.example, false",
        "a%b.example@example.org, false",
        "b.example!a@example.org, false",
        "'\"a@b.example\"@example.org', false",
        "a@[192.0.2.1], false",
    })
    void aDomainIsAccepted(String forwardPath, boolean accepted) {
        assertThat(accepting("Example.org, .sub.example").accepts(forwardPath)).isEqualTo(accepted);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.0.2.0/33",
                "::/129",
                "192.0.2.0/-1",
                "localhost",
                "1.2.3",
                "::ffff:192.0.2.7",
                "::ffff:192.0.2.7/120",
                "[::ffff:192.0.2.0]/24",
                "::ffff:c000:207",
                "fe80::1%eth0",
                "[2001:db8::",
                "[192.0.2.7]",
                "2001:db8::]"
            })
    void whatIsNoNetworkIsNamed(String network) {
        assertThatThrownBy(() -> rules("0.0.0.0", Map.of("smtp.relay-from", network)))
                .hasMessageContaining(
                        "smtp.relay-from: '" + network + "' is not an address or a network");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exa mple", "@example.org", "..org"})
    void whatIsNoDomainIsNamed(String domain) {
        assertThatThrownBy(() -> accepting(domain))
                .hasMessageContaining("smtp.accept-domains: '" + domain + "' is not a domain");
    }

    @Test
    void aRecipientElsewhereIsRefusedAndTheTransactionGoesOn() {
        Map<String, String> settings = Map.of("smtp.accept-domains", "ours.example");
        try (Peer peer = new Peer(new MemoryIntake(), settings)) {
            peer.send("EHLO c.example\r\nMAIL FROM:<a@b.example>\r\n");
            assertThat(peer.send("RCPT TO:<c@d.example>\r\nRCPT TO:<c@ours.example>\r\n"))
                    .isEqualTo(
                            "550 5.7.1 no relaying for this recipient\n250 2.1.5 recipient ok\n");
            peer.send("DATA\r\n");
            peer.send("Subject: x\r\n\r\n.\r\n");
            assertThat(peer.intake.messages()).hasSize(1);
            assertThat(peer.service.counters().relayingDenied.sum()).isEqualTo(1);
        }
    }
}
