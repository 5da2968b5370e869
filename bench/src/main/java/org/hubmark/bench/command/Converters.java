package org.hubmark.bench.command;

import org.hubmark.bench.load.Transfer;
import org.hubmark.core.Durations;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.time.Duration;

/** How options are read; each says what is allowed. */
final class Converters {
    private Converters() {}

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
