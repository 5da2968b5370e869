package org.hubmark.bench.qualify.result;

import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Values;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Function that makes one value of several. If no value is known, the result is unknown. */
public enum Fold {
    /** Unknown when one of them is. */
    SUM,
    /** Unweighted, of those that are known. */
    MEAN,
    LEAST,
    LARGEST;

    /** {@return it of a formula over the parts of a repeat, such as its instances} */
    public Formula over(Form parts, Formula of) {
        return new Formula.Lambda(
                words(parts.key().replace('_', ' ') + " of ", of),
                values -> apply(of, values.parts(parts)));
    }

    /** {@return it of a formula over the samples of a repeat} */
    Formula overSamples(Formula of) {
        return new Formula.Lambda(words("samples of ", of), values -> apply(of, values.samples()));
    }

    private String words(String over, Formula of) {
        return name().toLowerCase(Locale.ROOT) + " over " + over + "(" + of.words() + ")";
    }

    private double apply(Formula of, List<? extends Values> all) {
        double[] known =
                all.stream().mapToDouble(of::value).filter(Double::isFinite).toArray();
        if (known.length == 0 || (this == SUM && known.length < all.size())) {
            return Double.NaN;
        }
        return switch (this) {
            case SUM -> Arrays.stream(known).sum();
            case MEAN -> Arrays.stream(known).sum() / known.length;
            case LEAST -> Arrays.stream(known).min().orElseThrow();
            case LARGEST -> Arrays.stream(known).max().orElseThrow();
        };
    }
}
