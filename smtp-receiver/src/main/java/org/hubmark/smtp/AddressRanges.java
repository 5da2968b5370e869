package org.hubmark.smtp;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;

import org.jspecify.annotations.Nullable;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** Some addresses and networks, as {@code 192.0.2.0/24,2001:db8::/32,::1}. Immutable. */
final class AddressRanges {
    private final List<IpSubnetFilterRule> ranges;

    private AddressRanges(List<IpSubnetFilterRule> ranges) {
        this.ranges = List.copyOf(ranges);
    }

    /**
     * Reads addresses and networks with commas between; an empty text is none.
     *
     * @param key of the setting
     * @throws IllegalArgumentException naming the setting and the one that is none
     */
    static AddressRanges parse(String key, String text) {
        List<IpSubnetFilterRule> ranges = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (!part.isBlank()) {
                ranges.add(range(key, part.strip()));
            }
        }
        return new AddressRanges(ranges);
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    boolean contains(InetAddress address) {
        InetSocketAddress asked = new InetSocketAddress(address, 0);
        for (IpSubnetFilterRule range : ranges) {
            if (range.matches(asked)) {
                return true;
            }
        }
        return false;
    }

    private static IpSubnetFilterRule range(String key, String text) {
        int slash = text.indexOf('/');
        InetAddress address = literal(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            throw malformed(key, text);
        }
        int bits = address.getAddress().length * 8;
        int prefixBits =
                slash < 0 ? bits : (int) PathCommand.number(text, slash + 1, text.length());
        if (prefixBits < 0 || prefixBits > bits) {
            throw malformed(key, text);
        }
        return new IpSubnetFilterRule(address, prefixBits, IpFilterRuleType.ACCEPT);
    }

    /**
     * {@return the address, or null} Only what is no name, which would be looked up. Not an IPv4 address
     * written as an IPv6 one: the bits of its prefix would be counted from another place.
     */
    private static @Nullable InetAddress literal(String text) {
        byte[] octets = NetUtil.createByteArrayFromIpAddressString(text);
        try {
            InetAddress address =
                    octets == null || text.contains("%") ? null : InetAddress.getByAddress(octets);
            return address instanceof Inet4Address && text.contains(":") ? null : address;
        } catch (UnknownHostException e) {
            return null;
        }
    }

    private static IllegalArgumentException malformed(String key, String text) {
        return new IllegalArgumentException("setting " + key + ": '" + text
                + "' is not an address or a network (192.0.2.1, 192.0.2.0/24, 2001:db8::/32)");
    }
}
