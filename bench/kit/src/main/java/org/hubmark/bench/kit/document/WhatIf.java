package org.hubmark.bench.kit.document;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import java.util.List;
import java.util.Map;

/**
 * Contents of the page what-if.html: inputs that a reader may change, and the figures that follow
 * from them.
 *
 * @param inputs in the order in which the page lists them
 * @param chapters in their order; a formula is made of inputs and of figures that stand before it
 * @param checks what has to be at least as large as what
 * @param cases the values to begin with
 */
public record WhatIf(
        List<Formula.Input> inputs, List<Chapter> chapters, List<Check> checks, List<Case> cases) {
    /** The name of the file. */
    static final String FILE = "what-if.html";

    /** Copies. */
    public WhatIf {
        inputs = List.copyOf(inputs);
        chapters = List.copyOf(chapters);
        checks = List.copyOf(checks);
        cases = List.copyOf(cases);
    }

    /** Figures that belong together. */
    public record Chapter(String title, List<Step> steps) {}

    /**
     * A figure.
     *
     * @param words its formula
     * @param answer whether it is what somebody wants to know in the end
     */
    public record Step(
            @JsonUnwrapped @JsonIgnoreProperties({"decimals", "better", "definition"})
            Column column,

            String words,
            boolean answer) {}

    /**
     * Something that has to be at least as large as something else.
     *
     * @param has what there is; NaN where that is not asked
     * @param needs what is needed
     */
    public record Check(
            String label,
            @JsonIgnore Formula has,
            @JsonIgnore Formula needs) {}

    /**
     * Values to begin with, all by key.
     *
     * @param inputs those that can be moved
     * @param values the numbers that are known
     * @param curves the curves that are known
     * @param sources where each number is from
     * @param assumed those that nobody has measured or given
     */
    public record Case(
            String title,
            List<String> inputs,
            Map<String, Double> values,
            Map<String, Curve> curves,
            Map<String, String> sources,
            List<String> assumed) {}
}
