package org.hubmark.server;

import org.hubmark.core.ByteSize;
import org.hubmark.core.Durability;
import org.hubmark.core.Durations;
import org.hubmark.core.HostPort;
import org.hubmark.core.QueueId;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.queue.StoreConfiguration;

import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;

/** Converters of option values; the error of each says what is allowed. */
public final class Converters {
    private Converters() {}

    /** Says how options of types are read that are read in one way only. */
    static void register(CommandLine line) {
        line.registerConverter(Path.class, text -> read(Converters::path, text));
        line.registerConverter(Duration.class, text -> read(Durations::parse, text));
        line.registerConverter(QueueId.class, text -> read(QueueId::parse, text));
        line.registerConverter(Durability.class, text -> read(Durability::parse, text));
        line.registerConverter(DeliverySpec.class, text -> read(DeliverySpec::parse, text));
        line.registerConverter(AuditShare.class, text -> read(AuditShare::parse, text));
    }

    /** A size in bytes: 57KB, 64KiB, 150MB. */
    public static final class Size implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return read(ByteSize::parse, text);
        }
    }

    /** Size of the log above which its oldest part moves: a size that a store takes. */
    public static final class CheckpointDepth implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return read(
                    size -> {
                        long bytes = ByteSize.parse(size);
                        if (bytes < StoreConfiguration.CHECKPOINT_DEPTH_BYTES_MIN) {
                            throw new IllegalArgumentException("'" + size + "': 1MiB or more");
                        }
                        return bytes;
                    },
                    text);
        }
    }

    /** Else an empty name, as of a variable that is not set, would be the current folder. */
    private static Path path(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("a name is needed; . is the current folder");
        }
        return Path.of(text);
    }

    /**
     * The folder of a volume. It is made where it is absent, with those that it lies in; but where file
     * systems are mounted, a folder around it that is missing is a mount point with a slip in its name,
     * and mail would go to another disk.
     */
    public static final class Volume implements ITypeConverter<Path> {
        private static final Set<Path> MOUNTS =
                Set.of(Path.of("/"), Path.of("/mnt"), Path.of("/media"));

        @Override
        public Path convert(String text) {
            Path folder = read(Converters::path, text);
            Path missing = null;
            Path around = folder.toAbsolutePath().normalize().getParent();
            while (around != null && !Files.exists(around)) {
                missing = around;
                around = around.getParent();
            }
            if (missing != null && around != null && MOUNTS.contains(around)) {
                throw new TypeConversionException("there is no folder " + missing
                        + " to make it in; make it first, or check that it is mounted");
            }
            return folder;
        }
    }

    /** HOST:PORT; an IPv6 address stands in brackets. Port 0 picks a free one. */
    public static final class Address implements ITypeConverter<InetSocketAddress> {
        @Override
        public InetSocketAddress convert(String text) {
            return read(Converters::address, text);
        }
    }

    /** HOST:PORT of a server elsewhere; whether it can be found shows when it is asked. */
    public static final class Target implements ITypeConverter<InetSocketAddress> {
        @Override
        public InetSocketAddress convert(String text) {
            return read(Converters::server, text);
        }
    }

    /** HOST:PORT of a server whose host has to have an address. */
    public static final class Server implements ITypeConverter<InetSocketAddress> {
        @Override
        public InetSocketAddress convert(String text) {
            return read(given -> resolved(server(given)), text);
        }
    }

    /** Reads HOST:PORT of a socket to listen on. */
    static InetSocketAddress address(String text) {
        return resolved(HostPort.parse(text, 0, "127.0.0.1:2525, [::1]:2525; port 0 picks one"));
    }

    private static InetSocketAddress server(String text) {
        return HostPort.parse(text, 1, "127.0.0.1:2525, [::1]:2525; a port from 1 to 65535");
    }

    private static InetSocketAddress resolved(InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(
                    "host '" + address.getHostString() + "' has no address");
        }
        return address;
    }

    /** {@return HOST:PORT} */
    public static String format(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    /**
     * Reads a value.
     *
     * @param parser throws IllegalArgumentException that says what is allowed
     */
    public static <T> T read(Function<String, T> parser, String text) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
