package org.hubmark.bench.scale.result;

import org.hubmark.bench.kit.statistics.Inference;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * How several runs become one figure: of five and more the best and the worst are left out and the mean
 * of the others counts, as in the study (VMware, "Microsoft Exchange Server Performance on VMware
 * Virtual SAN": five runs, the mean of the three in the middle); of fewer the mean of all.
 */
final class StudyRule {
    private StudyRule() {}

    /** {@return the figure of at least one run} */
    static double mean(double... runs) {
        Double trimmed = Inference.trimmedMean(runs);
        return trimmed == null ? Inference.mean(runs) : trimmed;
    }

    /** {@return the same of those that are known; null when none is} */
    static @Nullable Double mean(List<@Nullable Double> runs) {
        double[] known = runs.stream()
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
        return known.length == 0 ? null : (Double) mean(known);
    }

    /** {@return what is done with so many runs, in words} */
    static String words(int runs) {
        if (runs < Inference.TRIMMED_MIN) {
            return runs == 1 ? "one run" : "the mean of " + runs + " runs";
        }
        return "the mean of " + (runs - 2) + " of " + runs
                + " runs, each figure's largest and smallest left out";
    }
}
