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
import org.hubmark.server.Converters;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Locale;

/** How the options of the commands that measure are read; each says what is allowed. */
final class BenchConverters {
    private BenchConverters() {}

    /** A share: 5%. */
    static final class Percent implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            return Converters.read(BenchConverters::share, text);
        }
    }

    /** What is done to a server. */
    static final class CrashKind implements ITypeConverter<Kind> {
        @Override
        public Kind convert(String text) {
            return Converters.read(Kind::parse, text);
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
            return Converters.read(SizeMix::parse, text);
        }
    }

    /** A percentage that a latency is measured at, or off. */
    static final class LatencyRate implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            if (text.equals("off")) {
                return 0.0;
            }
            double percent = 100 * Converters.read(BenchConverters::share, text);
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
            return Converters.read(PublishForm::named, text);
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
            return Converters.read(DeviceProfile::named, text);
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
            return Converters.read(VolumeLayout::named, text);
        }
    }

    /** on or off. */
    static final class Cache implements ITypeConverter<CacheState> {
        @Override
        public CacheState convert(String text) {
            return Converters.read(CacheState::named, text);
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
            return Converters.read(TransactionMix::parse, text);
        }
    }

    /** A phase of a qualification. */
    static final class QualifyPhase implements ITypeConverter<Phase> {
        @Override
        public Phase convert(String text) {
            return Converters.read(Phase::named, text);
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
}
