package org.hubmark.bench.kit.compare;

import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.page.Section;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;

/**
 * Conclusion of a study about two of its documents, in addition to their figures, such as which of
 * two systems holds more users.
 *
 * @param obstacles why they can't be compared; empty where they can
 * @param title of the report
 * @param answer in a sentence
 * @param facts what stands in the JSON
 * @param remarks what must be known of them
 * @param sections of the report
 * @param charts of the report
 * @param regression whether the second is worse by a share, as far as the answer says; rows that
 *     only one of the documents has are then no failure
 */
public record OwnComparison(
        List<String> obstacles,
        String title,
        String answer,
        Map<String, @Nullable Object> facts,
        List<String> remarks,
        List<Section> sections,
        Charts charts,
        DoubleFunction<Regression> regression) {
    /** Copies. */
    public OwnComparison {
        obstacles = List.copyOf(obstacles);
        remarks = List.copyOf(remarks);
        sections = List.copyOf(sections);
    }
}
