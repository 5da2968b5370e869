package org.hubmark.bench.machine.cluster;

import java.util.Locale;

/**
 * Some of the packets on a host's link, as matches of nftables.
 *
 * @param received those among the packets that the host receives
 * @param sent those among the packets that it sends
 */
public record LinkPackets(String received, String sent) {
    /**
     * {@return the packets of a host's connections to a server elsewhere, whichever of its processes made
     * them}
     */
    public static LinkPackets toServer(String address, int port) {
        return new LinkPackets(
                match("saddr", address, "sport", port), match("daddr", address, "dport", port));
    }

    /** {@return the packets of the connections that somebody has made to a server on the host} */
    public static LinkPackets fromClient(String address, int port) {
        return new LinkPackets(
                match("saddr", address, "dport", port), match("daddr", address, "sport", port));
    }

    /**
     * {@return a share of all packets, by chance} The kernel draws it, so a seed does not repeat it.
     *
     * @param percent 1 to 99
     */
    public static LinkPackets share(int percent) {
        if (percent < 1 || percent > 99) {
            throw new IllegalArgumentException(percent + " % of the packets: 1 to 99");
        }
        String match = "numgen random mod 100 < " + percent;
        return new LinkPackets(match, match);
    }

    private static String match(String address, String value, String port, int number) {
        return String.format(Locale.ROOT, "ip %s %s tcp %s %d", address, value, port, number);
    }
}
