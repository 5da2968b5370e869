package org.hubmark.bench.load;

import org.hubmark.core.ByteSize;

import java.util.ArrayList;
import java.util.List;

/**
 * Messages of several sizes, each with its share.
 *
 * @param shares sizes with their weights, which need not add up to anything
 */
public record SizeMix(List<Share> shares) {
    private static final String FORM = "a list of sizes with weights (4KB=70,57KB=20,1MB=10)";
    private static final int SHARES_MAX = 256;

    /**
     * One size.
     *
     * @param sizeBytes octets of content
     * @param weight above 0
     */
    public record Share(long sizeBytes, double weight) {
        /** Checks the numbers. */
        public Share {
            if (sizeBytes < MessageGenerator.BYTES_MIN
                    || sizeBytes > MessageGenerator.BYTES_MAX
                    || !(weight > 0 && Double.isFinite(weight))) {
                throw new IllegalArgumentException("a size is " + MessageGenerator.BYTES_MIN
                        + "B to " + ByteSize.format(MessageGenerator.BYTES_MAX)
                        + ", its weight above 0");
            }
        }
    }

    /** Takes a copy. */
    public SizeMix {
        if (shares.isEmpty() || shares.size() > SHARES_MAX) {
            throw new IllegalArgumentException("a mix has 1 to " + SHARES_MAX + " sizes");
        }
        shares = List.copyOf(shares);
    }

    /** {@return a mix of one size} */
    public static SizeMix of(long sizeBytes) {
        return new SizeMix(List.of(new Share(sizeBytes, 1)));
    }

    /** {@return the largest size} */
    public long sizeBytesMax() {
        return shares.stream().mapToLong(Share::sizeBytes).max().orElseThrow();
    }

    /**
     * Reads a list of sizes with weights: {@code 4KB=70,57KB=20,1MB=10}.
     *
     * @throws IllegalArgumentException with what is allowed
     */
    public static SizeMix parse(String text) {
        try {
            return list(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is not " + FORM
                    + (e instanceof NumberFormatException ? "" : ": " + e.getMessage()));
        }
    }

    private static SizeMix list(String text) {
        List<Share> shares = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("'" + part + "' is not SIZE=WEIGHT");
            }
            shares.add(new Share(
                    ByteSize.parse(part.substring(0, equals)),
                    Double.parseDouble(part.substring(equals + 1))));
        }
        return new SizeMix(shares);
    }
}
