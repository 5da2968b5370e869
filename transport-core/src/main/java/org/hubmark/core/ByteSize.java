package org.hubmark.core;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes as people write them: {@code 57KB} (1000), {@code 64KiB} (1024), {@code 150MB}. A number without a
 * unit is none, since who writes 57 means KB more often than not; but 0.
 */
public final class ByteSize {
    private static final Pattern FORM =
            Pattern.compile("(\\d+(?:\\.\\d+)?)(B|KB|MB|GB|KiB|MiB|GiB)|0");
    /** The largest first, those of 1000 before those of 1024: as sizes are written. */
    private static final Map<String, Long> UNITS = units();

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
        if (matcher.group(2) == null) {
            return 0;
        }
        long unitBytes = Objects.requireNonNull(UNITS.get(matcher.group(2)));
        try {
            return new BigDecimal(matcher.group(1))
                    .multiply(BigDecimal.valueOf(unitBytes))
                    .longValueExact();
        } catch (ArithmeticException e) {
            // Too large, or not a whole number of bytes.
            throw malformed(text);
        }
    }

    /** {@return the size in the largest unit that needs no fraction} */
    public static String format(long bytes) {
        for (Map.Entry<String, Long> unit : UNITS.entrySet()) {
            if (bytes != 0 && bytes % unit.getValue() == 0) {
                return bytes / unit.getValue() + unit.getKey();
            }
        }
        return "0B";
    }

    private static Map<String, Long> units() {
        Map<String, Long> units = new LinkedHashMap<>();
        units.put("GB", 1_000_000_000L);
        units.put("MB", 1_000_000L);
        units.put("KB", 1_000L);
        units.put("GiB", 1L << 30);
        units.put("MiB", 1L << 20);
        units.put("KiB", 1L << 10);
        units.put("B", 1L);
        return units;
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is not a size (a number and B, KB, MB, GB, KiB, MiB or GiB: 57KB)");
    }
}
