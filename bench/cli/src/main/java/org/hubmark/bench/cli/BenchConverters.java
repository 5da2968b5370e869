package org.hubmark.bench.cli;

import org.hubmark.bench.mail.matrix.Preset;
import org.hubmark.bench.mail.matrix.RoleProfiles;
import org.hubmark.bench.qualify.PhaseLength;
import org.hubmark.bench.qualify.TransactionMix;
import org.hubmark.bench.qualify.result.PercentileLimits;
import org.hubmark.core.Durations;
import org.hubmark.server.Converters;

import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.time.Duration;

/** How the options of the commands that measure are read; each says what is allowed. */
final class BenchConverters {
    private BenchConverters() {}

    /** Says how options of types are read that are read in one way only. */
    static void register(CommandLine line) {
        line.registerConverter(
                Duration.class, text -> Converters.read(BenchConverters::time, text));
        line.registerConverter(Preset.class, text -> Converters.read(Preset::named, text));
        line.registerConverter(
                TransactionMix.class, text -> Converters.read(TransactionMix::parse, text));
        line.registerConverter(
                PhaseLength.class, text -> Converters.read(PhaseLength::parse, text));
        line.registerConverter(
                RoleProfiles.class, text -> Converters.read(RoleProfiles::parse, text));
        line.registerConverter(
                PercentileLimits.class, text -> Converters.read(PercentileLimits::parse, text));
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

    /** A number of threads, or auto. */
    static final class Threads implements ITypeConverter<Integer> {
        static final int AUTO = 0;
        private static final int MAX = 256;

        @Override
        public Integer convert(String text) {
            int count = text.equals("auto")
                    ? AUTO
                    : text.matches("[1-9]\\d{0,3}") ? Integer.parseInt(text) : -1;
            if (count < 0 || count > MAX) {
                throw new TypeConversionException(
                        "'" + text + "' is not a number from 1 to " + MAX + ", nor auto");
            }
            return count;
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
            double percent = 100 * Converters.read(BenchConverters::share, text);
            if (percent == 0 || percent == 100) {
                throw new TypeConversionException(
                        "'" + text + "' is not above 0% and below 100%, nor off");
            }
            return percent;
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
