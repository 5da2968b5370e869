package org.hubmark.core;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people write them: {@code 10ms}, {@code 1.5s}, {@code 5m}, {@code 2h}. */
public final class Durations {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|s|m|h)");

    private Durations() {}

    /**
     * Reads a time.
     *
     * @throws IllegalArgumentException naming the form
     */
    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw malformed(text);
        }
        BigDecimal nanos = new BigDecimal(matcher.group(1))
                .multiply(BigDecimal.valueOf(nanos(matcher.group(2))));
        if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw malformed(text);
        }
        return Duration.ofNanos(nanos.longValue());
    }

    /** {@return the time in the largest unit that needs no fraction} Below 1 ms: 0.25ms. */
    public static String format(Duration duration) {
        long nanos = duration.toNanos();
        for (String name : new String[] {"h", "m", "s"}) {
            if (nanos != 0 && nanos % nanos(name) == 0) {
                return nanos / nanos(name) + name;
            }
        }
        return BigDecimal.valueOf(nanos, 6).stripTrailingZeros().toPlainString() + "ms";
    }

    private static long nanos(String unit) {
        return switch (unit) {
            case "ms" -> 1_000_000;
            case "s" -> 1_000_000_000;
            case "m" -> 60_000_000_000L;
            default -> 3_600_000_000_000L;
        };
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is not a time (a number and ms, s, m or h: 10ms, 1.5s, 5m)");
    }
}
