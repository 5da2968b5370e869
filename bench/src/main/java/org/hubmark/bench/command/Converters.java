package org.hubmark.bench.command;

import org.hubmark.bench.load.Transfer;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durations;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.net.InetSocketAddress;
import java.time.Duration;

/** How options are read; each says what is allowed. */
final class Converters {
    private static final int PORT_MAX = 65_535;

    private Converters() {}

    /** A size in bytes. */
    static final class Size implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            try {
                return ByteSize.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** A time. */
    static final class Time implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            try {
                return Durations.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** HOST:PORT; an IPv6 address stands in brackets. Not resolved. */
    static final class HostPort implements ITypeConverter<InetSocketAddress> {
        @Override
        public InetSocketAddress convert(String text) {
            int colon = text.lastIndexOf(':');
            String host = colon < 0 ? "" : text.substring(0, colon);
            if (host.startsWith("[") && host.endsWith("]")) {
                host = host.substring(1, host.length() - 1);
            } else if (host.indexOf(':') >= 0) {
                host = "";
            }
            try {
                int port = Integer.parseInt(text.substring(colon + 1));
                if (!host.isEmpty() && port >= 0 && port <= PORT_MAX) {
                    return InetSocketAddress.createUnresolved(host, port);
                }
            } catch (NumberFormatException e) {
                // Said below.
            }
            throw new TypeConversionException("'" + text
                    + "' is not HOST:PORT with a port up to 65535 (127.0.0.1:2525, [::1]:2525)");
        }
    }

    /** data or bdat. */
    static final class TransferKind implements ITypeConverter<Transfer> {
        @Override
        public Transfer convert(String text) {
            return switch (text) {
                case "data" -> Transfer.DATA;
                case "bdat" -> Transfer.BDAT;
                default -> throw new TypeConversionException("'" + text + "' is not data or bdat");
            };
        }
    }
}
