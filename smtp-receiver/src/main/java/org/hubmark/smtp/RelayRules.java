package org.hubmark.smtp;

import org.hubmark.core.Settings;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Rules of relaying (RFC 5321 7.9): clients in trusted networks may send to any recipient, all
 * others to some domains. Where neither is set, a receiver that listens on a loopback address
 * trusts every client, since all are on this machine, and any other takes mail for nobody, so that
 * no hub is an open relay by default. Any thread may use it.
 */
final class RelayRules {
    private final boolean trustsAll;
    private final AddressRanges networks;
    private final Set<String> domains;
    private final List<String> parentDomains;

    private RelayRules(
            boolean trustsAll,
            AddressRanges networks,
            Set<String> domains,
            List<String> parentDomains) {
        this.trustsAll = trustsAll;
        this.networks = networks;
        this.domains = domains;
        this.parentDomains = parentDomains;
    }

    /**
     * Reads the settings.
     *
     * @param listen every address on which the receiver listens
     * @throws IllegalArgumentException if one can't be understood; names it
     */
    static RelayRules read(Settings settings, List<InetSocketAddress> listen) {
        String from = settings.text(
                "smtp.relay-from",
                "",
                "Networks whose clients may send to any recipient, as CIDR, separated by commas"
                        + " (192.0.2.0/24,2001:db8::/32); others get 550 5.7.1 unless the domain is"
                        + " in smtp.accept-domains. Where both are empty a receiver on a loopback"
                        + " address trusts every client and any other none.");
        String accept = settings.text(
                "smtp.accept-domains",
                "",
                "Domains to which every client may send, separated by commas; .example.org stands"
                        + " for all below example.org.");
        AddressRanges networks = AddressRanges.parse("smtp.relay-from", from);
        Set<String> domains = new HashSet<>();
        List<String> parents = new ArrayList<>();
        for (String item : accept.split(",", -1)) {
            String domain = item.strip().toLowerCase(Locale.ROOT);
            if (domain.isEmpty()) {
                continue;
            }
            boolean parent = domain.startsWith(".");
            if (!PathParser.isDomain(parent ? domain.substring(1) : domain)) {
                throw new IllegalArgumentException("setting smtp.accept-domains: '" + item.strip()
                        + "' is not a domain (example.org, or .example.org for all below it)");
            }
            if (parent) {
                parents.add(domain);
            } else {
                domains.add(domain);
            }
        }
        boolean unset = networks.isEmpty() && domains.isEmpty() && parents.isEmpty();
        boolean loopback = listen.stream()
                .allMatch(address ->
                        !address.isUnresolved() && address.getAddress().isLoopbackAddress());
        return new RelayRules(unset && loopback, networks, Set.copyOf(domains), parents);
    }

    /** {@return whether mail is taken for no recipient at all, from nobody} */
    boolean takesNothing() {
        return !trustsAll && networks.isEmpty() && domains.isEmpty() && parentDomains.isEmpty();
    }

    /** {@return whether every client may send to anybody} */
    boolean trustsEveryone() {
        return trustsAll;
    }

    /** {@return whether a client may send to anybody} Asked once a connection. */
    boolean trusts(SocketAddress client) {
        return trustsAll
                || (client instanceof InetSocketAddress address
                        && networks.contains(address.getAddress()));
    }

    /**
     * {@return whether mail for a recipient is taken from everyone} A local part that routes on
     * ({@code a%b.example@ours}, {@code b.example!a@ours}, {@code "a@b.example"@ours}) would make a
     * relay of the server behind us, so it is not; {@code postmaster} without a domain is (RFC 5321
     * 4.5.1).
     */
    boolean accepts(String forwardPath) {
        int at = forwardPath.lastIndexOf('@');
        if (at < 0) {
            return !(domains.isEmpty() && parentDomains.isEmpty());
        }
        for (int i = 0; i < at; i++) {
            char octet = forwardPath.charAt(i);
            if (octet == '%' || octet == '!' || octet == '@') {
                return false;
            }
        }
        String domain = forwardPath.substring(at + 1).toLowerCase(Locale.ROOT);
        if (domains.contains(domain)) {
            return true;
        }
        for (String parent : parentDomains) {
            if (domain.endsWith(parent)) {
                return true;
            }
        }
        return false;
    }
}
