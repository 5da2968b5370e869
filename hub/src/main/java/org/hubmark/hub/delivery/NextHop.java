package org.hubmark.hub.delivery;

import io.netty.util.NetUtil;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server that mail is passed on to.
 *
 * @param protocol what it speaks
 * @param host its name or address
 * @param port its port
 */
public record NextHop(Protocol protocol, String host, int port) {
    private static final Pattern ADDRESS =
            Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([0-9A-Za-z._-]+))(?::([0-9]{1,5}))?");

    /** RFC 1123 2.1, with the underscores that container networks have. */
    private static final String LABEL = "[0-9A-Za-z_](?:[0-9A-Za-z_-]{0,61}[0-9A-Za-z_])?";

    /** Only an address ends in digits (RFC 3696 2). */
    private static final Pattern NAME = Pattern.compile(
            "(?=.{1,253}\\.?$)(?:" + LABEL + "\\.)*(?![0-9]+\\.?$)" + LABEL + "\\.?");

    private static final int PORT_MAX = 65_535;

    /** Protocol of a next hop. */
    public enum Protocol {
        /** SMTP (RFC 5321); port 25 unless another is given. */
        SMTP(25),
        /** LMTP (RFC 2033); port 24 unless another is given. */
        LMTP(24);

        private final int port;

        Protocol(int port) {
            this.port = port;
        }

        /** {@return how it begins in a delivery} */
        String prefix() {
            return name().toLowerCase(Locale.ROOT) + "://";
        }
    }

    /** {@return the host and port, as in a delivery} */
    String address() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    /** {@return whether it is where we listen, as far as that is known without a name server} */
    public boolean leadsTo(InetSocketAddress listen) {
        InetAddress address = host.equals("localhost")
                ? InetAddress.getLoopbackAddress()
                : NetUtil.createInetAddressFromIpAddressString(host);
        if (listen.getPort() != port || listen.getAddress() == null || address == null) {
            return false;
        }
        return listen.getAddress().isAnyLocalAddress()
                ? isOurs(address)
                : address.equals(listen.getAddress());
    }

    private static boolean isOurs(InetAddress address) {
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return protocol.prefix() + address();
    }

    static @Nullable NextHop read(Protocol protocol, String address) {
        Matcher parts = ADDRESS.matcher(address);
        if (!parts.matches()) {
            return null;
        }
        int port = parts.group(3) == null ? protocol.port : Integer.parseInt(parts.group(3));
        String host = parts.group(1) == null ? parts.group(2) : parts.group(1);
        boolean known = parts.group(1) == null
                ? NAME.matcher(host).matches() || NetUtil.isValidIpV4Address(host)
                : NetUtil.isValidIpV6Address(host);
        return port < 1 || port > PORT_MAX || !known ? null : new NextHop(protocol, host, port);
    }
}
