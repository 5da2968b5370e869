package org.hubmark.core;

import java.net.InetSocketAddress;

/** HOST:PORT as options and settings have it; an IPv6 address stands in brackets. */
public final class HostPort {
    private static final int PORT_MAX = 65_535;

    private HostPort() {}

    /**
     * {@return the address, unresolved where the host has none}
     *
     * @param portMin the lowest port that is taken
     * @param form an example, for the error
     * @throws IllegalArgumentException if it is none
     */
    public static InetSocketAddress parse(String text, int portMin, String form) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (!host.isEmpty() && port >= portMin && port <= PORT_MAX) {
                return new InetSocketAddress(host, port);
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException("'" + text + "' is not HOST:PORT (" + form + ")");
    }
}
