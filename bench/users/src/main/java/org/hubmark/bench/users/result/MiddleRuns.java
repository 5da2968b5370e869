package org.hubmark.bench.users.result;

import org.hubmark.bench.kit.statistics.Inference;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * LoadGen's rule: of five runs the best and the worst are left out, and the figures of a level are the
 * means of the other three. Of fewer than five runs none is left out.
 */
record MiddleRuns(List<UserRun> runs) {
    MiddleRuns {
        runs = List.copyOf(runs);
    }

    static MiddleRuns of(List<UserRun> all) {
        if (all.size() < Inference.TRIMMED_MIN) {
            return new MiddleRuns(all);
        }
        List<UserRun> byScore = new ArrayList<>(all);
        byScore.sort(Comparator.comparingDouble(run -> orLast(run.scoreMs())));
        List<UserRun> middle = new ArrayList<>(byScore.subList(1, byScore.size() - 1));
        middle.sort(Comparator.comparingInt(UserRun::run));
        return new MiddleRuns(middle);
    }

    private static double orLast(@Nullable Double score) {
        return score == null ? Double.MAX_VALUE : score;
    }

    /** {@return their numbers} */
    List<Integer> numbers() {
        return runs.stream().map(UserRun::run).toList();
    }

    /** {@return the mean of those that are known, or null when none is} */
    @Nullable
    Double mean(Function<UserRun, @Nullable Double> figure) {
        double sum = 0;
        int count = 0;
        for (UserRun run : runs) {
            Double value = figure.apply(run);
            if (value != null) {
                sum += value;
                count++;
            }
        }
        return count == 0 ? null : (Double) (sum / count);
    }
}
