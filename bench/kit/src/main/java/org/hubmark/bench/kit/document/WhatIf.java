package org.hubmark.bench.kit.document;

import java.util.List;
import java.util.Map;

/**
 * What the page what-if.html has: inputs that a reader may move, and what is made of them.
 *
 * @param chapters in their order; a formula is made of inputs and of figures that stand before it
 * @param checks what has to be at least as large as what
 * @param cases the values to begin with
 */
public record WhatIf(List<Chapter> chapters, List<Check> checks, List<Case> cases) {
    /** The name of the file. */
    static final String FILE = "what-if.html";

    /** Copies. */
    public WhatIf {
        chapters = List.copyOf(chapters);
        checks = List.copyOf(checks);
        cases = List.copyOf(cases);
    }

    /** Figures that belong together. */
    public record Chapter(String title, List<Step> steps) {
        /** Copies. */
        public Chapter {
            steps = List.copyOf(steps);
        }
    }

    /**
     * A figure.
     *
     * @param words its formula
     * @param isAnswer whether it is what somebody wants to know in the end
     */
    public record Step(Column column, String words, boolean isAnswer) {}

    /**
     * Something that has to be at least as large as something else.
     *
     * @param has what there is; NaN where that is not asked
     * @param needs what is needed
     */
    public record Check(String label, Formula has, Formula needs) {}

    /**
     * Values to begin with.
     *
     * @param repeat what is known of the inputs
     * @param inputs those that can be moved, known or not, each with where it is from, empty for an
     *     unknown one
     * @param curves those that are known
     * @param assumed keys of those that nobody has measured or given
     */
    public record Case(
            String title,
            Repeat repeat,
            Map<Formula.Input, String> inputs,
            List<Formula.CurveInput> curves,
            List<String> assumed) {}
}
