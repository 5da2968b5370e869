package org.hubmark.bench.plan;

import java.util.List;

/**
 * Steps that belong together.
 *
 * @param needs it is left out where one of these isn't known
 */
public record Chapter(String name, String title, List<String> needs, List<Step> steps) {
    /** Copies. */
    public Chapter {
        needs = List.copyOf(needs);
        steps = List.copyOf(steps);
    }
}
