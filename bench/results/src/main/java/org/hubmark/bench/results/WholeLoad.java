package org.hubmark.bench.results;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.statistics.Inference;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Cost of all messages of a repeat, from the first of the warm-up until the server was at rest:
 * checkpoints, compactions and writes that are put off go on after the measured time, and belong to
 * what was accepted in it. A message costs more in a warm-up, so this is not the measured time made
 * longer but a second view.
 *
 * @param seconds from the first message until rest
 * @param quiet whether the server came to rest in the time that was allowed
 * @param figures those of the catalogue that are per message or per octet, by key; what isn't known
 *     is absent
 */
public record WholeLoad(double seconds, boolean quiet, Map<String, Double> figures) {
    /** Copies, in alphabetical order. */
    public WholeLoad {
        figures = Collections.unmodifiableMap(new TreeMap<>(figures));
    }

    /** {@return the same of what was counted} */
    public static WholeLoad of(double seconds, boolean quiet, Measured measured) {
        Map<String, Double> figures = new TreeMap<>();
        for (Column figure : Figure.OF_ONE_MESSAGE) {
            Double value = measured.get(figure);
            if (value != null) {
                figures.put(figure.key(), value);
            }
        }
        return new WholeLoad(seconds, quiet, figures);
    }

    /** {@return medians over the repeats of which it is known; null when it is of none} */
    public static @Nullable WholeLoad median(List<WholeLoad> repeats) {
        if (repeats.isEmpty()) {
            return null;
        }
        Map<String, Double> figures = new TreeMap<>();
        for (Column figure : Figure.OF_ONE_MESSAGE) {
            List<Double> values = new ArrayList<>();
            for (WholeLoad one : repeats) {
                Double value = one.figures.get(figure.key());
                if (value != null) {
                    values.add(value);
                }
            }
            if (!values.isEmpty()) {
                figures.put(figure.key(), Inference.median(values));
            }
        }
        return new WholeLoad(
                Inference.median(repeats.stream().map(WholeLoad::seconds).toList()),
                repeats.stream().allMatch(WholeLoad::quiet),
                figures);
    }
}
