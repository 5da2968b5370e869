package org.hubmark.bench.cli;

import org.hubmark.bench.crash.Kind;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.Attachments;
import org.hubmark.bench.load.SizeMix;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.measure.builds.DeliveryMode;
import org.hubmark.bench.measure.builds.Subject;
import org.hubmark.bench.measure.matrix.CacheState;
import org.hubmark.bench.measure.matrix.VolumeLayout;
import org.hubmark.bench.qualify.CacheMode;
import org.hubmark.bench.qualify.Phase;
import org.hubmark.bench.qualify.TransactionMix;
import org.hubmark.bench.results.compare.Quantity;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durability;
import org.hubmark.core.Durations;
import org.hubmark.core.QueueId;
import org.hubmark.hub.DeliverySpec;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.queue.QueuedMessage;
import org.hubmark.queue.StoreConfiguration;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/** How options are read; each says what is allowed. */
final class Converters {
    private static final int PORT_MAX = 65_535;

    private Converters() {}

    /** A size in bytes: 57KB, 64KiB, 150MB. */
    static final class Size implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return read(ByteSize::parse, text);
        }
    }

    /** How much a log holds before its oldest part moves: a size that a store takes. */
    static final class CheckpointDepth implements ITypeConverter<Long> {
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

    /** A file or a folder. */
    static final class Place implements ITypeConverter<Path> {
        @Override
        public Path convert(String text) {
            return read(Converters::path, text);
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
    static final class Volume implements ITypeConverter<Path> {
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
                        + " to make it in; make that first, or look whether it is mounted");
            }
            return folder;
        }
    }

    /** A state of a message: queued, deferred, dead or damaged. */
    static final class State implements ITypeConverter<QueuedMessage.State> {
        @Override
        public QueuedMessage.State convert(String text) {
            for (QueuedMessage.State state : QueuedMessage.State.values()) {
                if (state.name().toLowerCase(Locale.ROOT).equals(text)) {
                    return state;
                }
            }
            throw new TypeConversionException(
                    "'" + text + "' is not queued, deferred, dead or damaged");
        }
    }

    /** A share: 5%. */
    static final class Percent implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            return read(Converters::share, text);
        }
    }

    /** A time. */
    static final class Time implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return read(Durations::parse, text);
        }
    }

    /** HOST:PORT; an IPv6 address stands in brackets. Port 0 picks a free one. */
    static final class Address implements ITypeConverter<InetSocketAddress> {
        @Override
        public InetSocketAddress convert(String text) {
            return read(Converters::address, text);
        }
    }

    /** HOST:PORT of a server elsewhere; whether it can be found shows when it is asked. */
    static final class Target implements ITypeConverter<InetSocketAddress> {
        @Override
        public InetSocketAddress convert(String text) {
            return read(Converters::server, text);
        }
    }

    /** HOST:PORT of a server whose host has to have an address. */
    static final class Server implements ITypeConverter<InetSocketAddress> {
        @Override
        public InetSocketAddress convert(String text) {
            return read(given -> resolved(server(given)), text);
        }
    }

    /** A queue in other processes. Its engine may be absent, so the form is checked here too. */
    static final class QueueAddress implements ITypeConverter<URI> {
        private static final Pattern FORM =
                Pattern.compile("pulsar://[^/@?#]+:[0-9]{1,5}/[-=:.\\w]+/[-=:.\\w]+");

        @Override
        public URI convert(String text) {
            return read(QueueAddress::parse, text);
        }

        private static URI parse(String text) {
            if (!FORM.matcher(text).matches()) {
                throw new IllegalArgumentException("'" + text
                        + "' is not the address of a queue: pulsar://HOST:PORT/TENANT/NAMESPACE");
            }
            return URI.create(text);
        }
    }

    /** The id of a queued message. */
    static final class Id implements ITypeConverter<QueueId> {
        @Override
        public QueueId convert(String text) {
            return read(QueueId::parse, text);
        }
    }

    /** What a 250 promises. */
    static final class DurabilityClass implements ITypeConverter<Durability> {
        @Override
        public Durability convert(String text) {
            return read(Durability::parse, text);
        }
    }

    /** What is done to a server. */
    static final class CrashKind implements ITypeConverter<Kind> {
        @Override
        public Kind convert(String text) {
            return read(Kind::parse, text);
        }
    }

    /** How the log of a hub looks. */
    static final class LogFormat implements ITypeConverter<LogLines.Format> {
        @Override
        public LogLines.Format convert(String text) {
            return switch (text) {
                case "text" -> LogLines.Format.TEXT;
                case "json" -> LogLines.Format.JSON;
                default -> throw new TypeConversionException("'" + text + "' is not text or json");
            };
        }
    }

    /** What takes the mail. */
    static final class Intake implements ITypeConverter<IntakeKind> {
        @Override
        public IntakeKind convert(String text) {
            return read(IntakeKind::parse, text);
        }
    }

    /** Where queued mail goes. */
    static final class Delivery implements ITypeConverter<DeliverySpec> {
        @Override
        public DeliverySpec convert(String text) {
            return read(DeliverySpec::parse, text);
        }
    }

    /** Which messages are compared. */
    static final class Share implements ITypeConverter<AuditShare> {
        @Override
        public AuditShare convert(String text) {
            return read(AuditShare::parse, text);
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

    /** What fills generated messages. */
    static final class AttachmentsKind implements ITypeConverter<Attachments> {
        @Override
        public Attachments convert(String text) {
            return switch (text) {
                case "none" -> Attachments.NONE;
                case "base64" -> Attachments.BASE64;
                case "binary" -> Attachments.BINARY;
                default ->
                    throw new TypeConversionException(
                            "'" + text + "' is not none, base64 or binary");
            };
        }
    }

    /** What of a build is measured. */
    static final class BuildSubject implements ITypeConverter<Subject> {
        @Override
        public Subject convert(String text) {
            return switch (text) {
                case "load" -> Subject.LOAD;
                case "start" -> Subject.START;
                default -> throw new TypeConversionException("'" + text + "' is not load or start");
            };
        }
    }

    /** What compared builds do with their mail. */
    static final class BuildNextHop implements ITypeConverter<DeliveryMode> {
        @Override
        public DeliveryMode convert(String text) {
            return switch (text) {
                case "discard" -> DeliveryMode.DISCARD;
                case "hold" -> DeliveryMode.HOLD;
                case "smtp-sink" -> DeliveryMode.SMTP_SINK;
                default ->
                    throw new TypeConversionException(
                            "'" + text + "' is not discard, hold or smtp-sink");
            };
        }
    }

    /** Sizes with weights. */
    static final class Mix implements ITypeConverter<SizeMix> {
        @Override
        public SizeMix convert(String text) {
            return read(SizeMix::parse, text);
        }
    }

    /** A percentage that a latency is measured at, or off. */
    static final class LatencyRate implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            if (text.equals("off")) {
                return 0.0;
            }
            double percent = 100 * read(Converters::share, text);
            if (percent == 0 || percent == 100) {
                throw new TypeConversionException(
                        "'" + text + "' is not above 0% and below 100%, nor off");
            }
            return percent;
        }
    }

    /** short, standard or day. */
    static final class Form implements ITypeConverter<PublishForm> {
        @Override
        public PublishForm convert(String text) {
            return read(PublishForm::named, text);
        }
    }

    /** fixed or poisson. */
    static final class ArrivalsKind implements ITypeConverter<Arrivals> {
        @Override
        public Arrivals convert(String text) {
            return switch (text) {
                case "fixed" -> Arrivals.FIXED;
                case "poisson" -> Arrivals.POISSON;
                default ->
                    throw new TypeConversionException("'" + text + "' is not fixed or poisson");
            };
        }
    }

    /** The device that a test volume acts like. */
    static final class Profile implements ITypeConverter<DeviceProfile> {
        @Override
        public DeviceProfile convert(String text) {
            return read(DeviceProfile::named, text);
        }
    }

    /** A moment: an ISO 8601 instant, or a time of day of this machine's zone, the next to come. */
    static final class Start implements ITypeConverter<Instant> {
        @Override
        public Instant convert(String text) {
            try {
                if (text.indexOf('T') > 0) {
                    return OffsetDateTime.parse(text).toInstant();
                }
                ZonedDateTime now = ZonedDateTime.now(ZoneId.systemDefault());
                ZonedDateTime at = now.with(LocalTime.parse(text));
                return (at.isBefore(now) ? at.plusDays(1) : at).toInstant();
            } catch (DateTimeException e) {
                throw new TypeConversionException(
                        "'" + text + "' is not a moment (2026-11-21T15:30:00Z, or 15:30:00)");
            }
        }
    }

    /** one, apart, three, striped. */
    static final class LayoutName implements ITypeConverter<VolumeLayout> {
        @Override
        public VolumeLayout convert(String text) {
            return read(VolumeLayout::named, text);
        }
    }

    /** on or off. */
    static final class Cache implements ITypeConverter<CacheState> {
        @Override
        public CacheState convert(String text) {
            return read(CacheState::named, text);
        }
    }

    /** all, metadata or off. */
    static final class CacheKind implements ITypeConverter<CacheMode> {
        @Override
        public CacheMode convert(String text) {
            for (CacheMode mode : CacheMode.values()) {
                if (mode.name().toLowerCase(Locale.ROOT).equals(text)) {
                    return mode;
                }
            }
            throw new TypeConversionException("'" + text + "' is not all, metadata or off");
        }
    }

    /** insert=40,delete=20,replace=5,read=35. */
    static final class Transactions implements ITypeConverter<TransactionMix> {
        @Override
        public TransactionMix convert(String text) {
            return read(TransactionMix::parse, text);
        }
    }

    /** A phase of a qualification. */
    static final class QualifyPhase implements ITypeConverter<Phase> {
        @Override
        public Phase convert(String text) {
            return read(Phase::named, text);
        }
    }

    /** Reads HOST:PORT of a socket to listen on. */
    static InetSocketAddress address(String text) {
        return resolved(hostAndPort(text, 0, "127.0.0.1:2525, [::1]:2525; port 0 picks one"));
    }

    private static InetSocketAddress server(String text) {
        return hostAndPort(text, 1, "127.0.0.1:2525, [::1]:2525; a port from 1 to 65535");
    }

    private static InetSocketAddress resolved(InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(
                    "host '" + address.getHostString() + "' has no address");
        }
        return address;
    }

    private static InetSocketAddress hostAndPort(String text, int portMin, String form) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        int port = port(text.substring(colon + 1));
        if (host.isEmpty() || port < portMin) {
            throw new IllegalArgumentException("'" + text + "' is not HOST:PORT (" + form + ")");
        }
        return new InetSocketAddress(host, port);
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

    private static double share(String text) {
        String number = text.endsWith("%") ? text.substring(0, text.length() - 1) : text;
        try {
            double percent = Double.parseDouble(number);
            if (percent >= 0 && percent <= 100) {
                return percent / 100;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException("'" + text + "' is not a percentage from 0% to 100%");
    }

    private static <T> T read(Function<String, T> parser, String text) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    /** What a comparison is decided by. */
    static final class DecidedBy implements ITypeConverter<Quantity> {
        @Override
        public Quantity convert(String text) {
            for (Quantity quantity : Quantity.values()) {
                if (quantity.name().toLowerCase(Locale.ROOT).equals(text)) {
                    return quantity;
                }
            }
            throw new TypeConversionException("'" + text + "' is not rate, cycles or writes");
        }
    }
}
