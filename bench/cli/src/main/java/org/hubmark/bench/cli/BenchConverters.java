package org.hubmark.bench.cli;

import org.hubmark.bench.mail.matrix.Preset;
import org.hubmark.bench.mail.matrix.RoleProfiles;
import org.hubmark.core.Durations;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.time.Duration;
import java.util.function.Function;

/** How the options of the commands that measure are read; each says what is allowed. */
final class BenchConverters {
    private BenchConverters() {}

    /** Says how options of types are read that are read in one way only. */
    static void register(CommandLine line) {
        register(line, Duration.class, BenchConverters::time);
        register(line, Preset.class, Preset::named);
        register(line, RoleProfiles.class, RoleProfiles::parse);
    }

    private static <T> void register(CommandLine line, Class<T> type, Function<String, T> parser) {
        // A key of a map may stand without a value.
        line.registerConverter(type, text -> text == null ? null : Converters.read(parser, text));
    }

    /** A time, or none. */
    static final class TimeOrNone implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return Converters.read(Durations::parse, text);
        }
    }

    /** Most times are more than none. */
    private static Duration time(String text) {
        Duration time = Durations.parse(text);
        if (time.isZero()) {
            throw new IllegalArgumentException("'" + text + "' is not more than 0s");
        }
        return time;
    }

    /** An address of mail, as it stands between angle brackets. */
    static final class MailAddress implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            if (text.chars().anyMatch(c -> c <= ' ' || c > '~' || c == '<' || c == '>')) {
                throw new TypeConversionException("'" + text
                        + "' is not an address (local-part@domain, without angle brackets)");
            }
            return text;
        }
    }

    /** A number of threads, or auto, which is null. */
    static final class Threads implements ITypeConverter<@Nullable Integer> {
        private static final int MAX = 256;

        @Override
        public @Nullable Integer convert(String text) {
            if (text.equals("auto")) {
                return null;
            }
            if (!text.matches("[1-9]\\d{0,2}") || Integer.parseInt(text) > MAX) {
                throw new TypeConversionException(
                        "'" + text + "' is not a number from 1 to " + MAX + ", nor auto");
            }
            return Integer.valueOf(text);
        }
    }

    /** A share: 5%. */
    static final class Percent implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            return Converters.read(BenchConverters::share, text);
        }
    }

    /** A number, or random for a new one. */
    static final class Seed implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            if (text.equals("random")) {
                return System.nanoTime() & 0x7fff_ffff;
            }
            try {
                return Long.valueOf(text);
            } catch (NumberFormatException e) {
                throw new TypeConversionException("'" + text + "' is not a number, nor random");
            }
        }
    }

    /** A percentage that a latency is measured at, or off. */
    static final class LatencyRate implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            if (text.equals("off")) {
                return 0.0;
            }
            return 100 * Converters.read(BenchConverters::share, text);
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
