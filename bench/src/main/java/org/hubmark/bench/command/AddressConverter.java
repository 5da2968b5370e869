package org.hubmark.bench.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.net.InetSocketAddress;

/** Reads HOST:PORT; an IPv6 address stands in brackets. Port 0 picks a free one. */
final class AddressConverter implements ITypeConverter<InetSocketAddress> {
    private static final int PORT_MAX = 65_535;

    @Override
    public InetSocketAddress convert(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        int port = port(text.substring(colon + 1));
        if (host.isEmpty() || port < 0) {
            throw new TypeConversionException("'" + text
                    + "' is not HOST:PORT (127.0.0.1:2525, [::1]:2525; port 0 picks one)");
        }
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new TypeConversionException("host '" + host + "' has no address");
        }
        return address;
    }

    /** {@return HOST:PORT} */
    static String format(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            return port <= PORT_MAX ? port : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
