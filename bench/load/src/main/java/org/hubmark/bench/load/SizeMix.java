package org.hubmark.bench.load;

import org.hipparchus.distribution.continuous.LogNormalDistribution;
import org.hubmark.core.ByteSize;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Messages of several sizes, each with its share.
 *
 * @param shares sizes with their weights, which need not add up to anything
 */
public record SizeMix(List<Share> shares) {
    /** What can be asked for, as one line. */
    public static final String FORM = "a list of sizes with weights (4KB=70,57KB=20,1MB=10),"
            + " lognormal:median=SIZE,sigma=N,max=SIZE or"
            + " loadsim[:light|medium|heavy][,attachment=SIZE]";

    private static final int SHARES_MAX = 256;
    /** A log-normal mix is made of so many equally likely sizes, or of fewer if they are large. */
    private static final int QUANTILES_MAX = 256;

    private static final int QUANTILES_MIN = 16;
    private static final double QUANTILES_BYTES_MAX = 256e6;
    private static final double SIGMA_MAX = 5;

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
     * Reads one of the forms.
     *
     * @throws IllegalArgumentException with what is allowed
     */
    public static SizeMix parse(String text) {
        try {
            if (text.startsWith("lognormal:")) {
                Map<String, String> given = parameters(text.substring("lognormal:".length()));
                SizeMix mix = logNormal(
                        ByteSize.parse(take(given, "median", null)),
                        Double.parseDouble(take(given, "sigma", null)),
                        ByteSize.parse(take(given, "max", null)));
                requireNone(given);
                return mix;
            }
            if (text.equals("loadsim") || text.startsWith("loadsim:")) {
                return LoadSimMix.parse(
                        text.substring(Math.min(text.length(), "loadsim:".length())));
            }
            return list(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is not " + FORM
                    + (e instanceof NumberFormatException ? "" : ": " + e.getMessage()));
        }
    }

    /**
     * {@return sizes whose logarithm is normally distributed, without those above the maximum}
     *
     * @param sigma the standard deviation of the natural logarithm
     */
    static SizeMix logNormal(long medianBytes, double sigma, long maxBytes) {
        if (!(sigma > 0 && sigma <= SIGMA_MAX) || medianBytes < 1 || maxBytes < medianBytes) {
            throw new IllegalArgumentException(
                    "sigma is above 0 and up to " + SIGMA_MAX + ", max not below the median");
        }
        double max = (double) maxBytes;
        LogNormalDistribution sizes =
                new LogNormalDistribution(Math.log((double) medianBytes), sigma);
        double below = sizes.cumulativeProbability(max);
        int count = Math.clamp(
                (long) (QUANTILES_BYTES_MAX / Math.min(sizes.getNumericalMean(), max)),
                QUANTILES_MIN,
                QUANTILES_MAX);
        List<Share> shares = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double size = sizes.inverseCumulativeProbability((i + 0.5) / count * below);
            shares.add(new Share(
                    Math.clamp(Math.round(size), MessageGenerator.BYTES_MIN, maxBytes), 1));
        }
        return new SizeMix(shares);
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

    /** Reads NAME=VALUE,...; a part without = gets the empty name. */
    static Map<String, String> parameters(String text) {
        Map<String, String> given = new TreeMap<>();
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? "" : part.substring(0, equals);
            if (given.put(name, part.substring(equals + 1)) != null) {
                throw new IllegalArgumentException("'" + part + "' is one too many");
            }
        }
        return given;
    }

    /** {@return a parameter, which is taken away} */
    static String take(Map<String, String> given, String name, @Nullable String otherwise) {
        String value = given.remove(name);
        String taken = value == null ? otherwise : value;
        if (taken == null) {
            throw new IllegalArgumentException(name + "= is missing");
        }
        return taken;
    }

    static void requireNone(Map<String, String> given) {
        if (!given.isEmpty()) {
            throw new IllegalArgumentException(
                    "no parameter is called '" + given.keySet().iterator().next() + "'");
        }
    }
}
