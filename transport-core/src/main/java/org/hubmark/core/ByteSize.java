package org.hubmark.core;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes as people write them: {@code 57KB} (1000), {@code 64KiB} (1024), {@code 150MB}. A number without a
 * unit is none, since who writes 57 means KB more often than not; but 0.
 */
public final class ByteSize {
    private static final Pattern FORM =
            Pattern.compile("(\\d+)(\\.\\d+)?(B|KB|MB|GB|KiB|MiB|GiB)|0");
    private static final String[] BINARY = {"GiB", "MiB", "KiB"};
    private static final String[] DECIMAL = {"GB", "MB", "KB"};

    private ByteSize() {}

    /**
     * Reads a size in bytes.
     *
     * @throws IllegalArgumentException naming the form
     */
    public static long parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw malformed(text);
        }
        if (matcher.group(3) == null) {
            return 0;
        }
        long unitBytes = unitBytes(matcher.group(3));
        try {
            // A hub reads its sizes at each start, and BigDecimal alone takes long to load.
            return matcher.group(2) == null
                    ? Math.multiplyExact(Long.parseLong(matcher.group(1)), unitBytes)
                    : new BigDecimal(matcher.group(1) + matcher.group(2))
                            .multiply(BigDecimal.valueOf(unitBytes))
                            .longValueExact();
        } catch (NumberFormatException | ArithmeticException e) {
            // Too large, or not a whole number of bytes.
            throw malformed(text);
        }
    }

    /** {@return the size in the largest unit that needs no fraction} */
    public static String format(long bytes) {
        for (String[] units : new String[][] {DECIMAL, BINARY}) {
            for (String unit : units) {
                if (bytes != 0 && bytes % unitBytes(unit) == 0) {
                    return bytes / unitBytes(unit) + unit;
                }
            }
        }
        return bytes + "B";
    }

    private static long unitBytes(String unit) {
        return switch (unit) {
            case "B" -> 1L;
            case "KB" -> 1_000L;
            case "MB" -> 1_000_000L;
            case "GB" -> 1_000_000_000L;
            case "KiB" -> 1L << 10;
            case "MiB" -> 1L << 20;
            case "GiB" -> 1L << 30;
            default -> throw malformed(unit);
        };
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is not a size (a number and B, KB, MB, GB, KiB, MiB or GiB: 57KB)");
    }
}
