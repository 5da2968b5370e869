package org.hubmark.hub;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
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
            Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([0-9A-Za-z.-]+))(?::([0-9]{1,5}))?");
    private static final int PORT_MAX = 65_535;

    /** What a next hop speaks. */
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

    /** {@return whether one of its addresses, as far as they are known now, is where we listen} */
    boolean leadsTo(InetSocketAddress listen) {
        if (listen.getPort() != port || listen.getAddress() == null) {
            return false;
        }
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                boolean own = listen.getAddress().isAnyLocalAddress()
                        ? NetworkInterface.getByInetAddress(address) != null
                        : listen.getAddress().equals(address);
                if (own) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            // It may have an address by the time there is mail for it.
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
        return port < 1 || port > PORT_MAX ? null : new NextHop(protocol, host, port);
    }
}
