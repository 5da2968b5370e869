package org.hubmark.bench.kit.document;

import java.util.Arrays;
import java.util.Locale;

/** Function that makes one value of several. If no value is known, the result is unknown. */
public enum Fold {
    /** Unknown when one of them is. */
    SUM,
    /** Unweighted, of those that are known. */
    MEAN,
    LEAST,
    LARGEST;

    double apply(double[] values) {
        double[] known = Arrays.stream(values).filter(Double::isFinite).toArray();
        if (known.length == 0 || (this == SUM && known.length < values.length)) {
            return Double.NaN;
        }
        return switch (this) {
            case SUM -> Arrays.stream(known).sum();
            case MEAN -> Arrays.stream(known).sum() / known.length;
            case LEAST -> Arrays.stream(known).min().orElseThrow();
            case LARGEST -> Arrays.stream(known).max().orElseThrow();
        };
    }

    String words() {
        return name().toLowerCase(Locale.ROOT);
    }
}
