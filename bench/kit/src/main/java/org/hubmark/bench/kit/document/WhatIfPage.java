package org.hubmark.bench.kit.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.kit.page.Html;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The page what-if.html: inputs can be moved there, and everything is computed again by the formulas of
 * the report, which stand in it as JavaScript. It needs nothing else.
 */
public final class WhatIfPage {
    private static final String STYLE = """
            input[type=number] { width: 9em; text-align: right; font: inherit; }
            td { white-space: normal; }
            td:has(input) { white-space: nowrap; }
            .answers { position: sticky; top: 0; z-index: 2; max-height: 45vh; overflow: auto; background: var(--ground); }
            @media print { .answers { position: static; max-height: none; } }
            input:invalid { outline: 2px solid var(--bad); }
            select, button { font: inherit; }
            """;

    private WhatIfPage() {}

    static String of(String title, WhatIf whatIf) throws IOException {
        return Html.around(
                "What if? " + title,
                STYLE,
                "<section><p>Change an input, and all steps are computed again by the formulas of the"
                        + " report. Curves stay as they were measured. Nothing leaves this page.</p>\n"
                        + "<div id=\"plan\"></div>\n"
                        + "<noscript><p>This page needs JavaScript.</p></noscript></section>\n"
                        + "<script>\n"
                        + script(whatIf)
                        + Html.resource("/report/what-if-page.js")
                        + "</script>\n");
    }

    /** {@return what computes all figures: the formulas, and the values to begin with} */
    public static String script(WhatIf whatIf) throws IOException {
        StringBuilder out = new StringBuilder(Html.resource("/report/formulas.js"));
        out.append("var hubmarkSteps = {\n");
        for (WhatIf.Chapter chapter : whatIf.chapters()) {
            for (WhatIf.Step step : chapter.steps()) {
                out.append("  \"").append(step.column().key()).append("\": ");
                out.append(function(step.column().formula())).append(",\n");
            }
        }
        out.append("};\nvar hubmarkChecks = [\n");
        for (WhatIf.Check check : whatIf.checks()) {
            out.append("  { has: ").append(function(check.has()));
            out.append(", needs: ").append(function(check.needs())).append(" },\n");
        }
        out.append("];\nvar hubmarkModel = ").append(model(whatIf)).append(";\n");
        return out.append(Html.resource("/report/what-if.js")).toString();
    }

    private static String function(Formula formula) {
        return "function (v, c, f) { return " + FormulaScript.of(formula) + "; }";
    }

    private record Model(
            List<Input> inputs, List<Chapter> chapters, List<String> checks, List<Case> cases) {}

    private record Input(
            String key,
            String label,
            String unit,
            @Nullable Double above,
            @Nullable Double from,
            @Nullable Double to,
            String bounds) {}

    private record Chapter(String title, List<Step> steps) {}

    private record Step(String key, String label, String unit, boolean answer, String words) {}

    /**
     * Values to begin with.
     *
     * @param inputs keys of those that can be moved
     * @param sources where each is from that is known
     */
    private record Case(
            String title,
            Map<String, Double> values,
            Map<String, List<List<Double>>> curves,
            List<String> inputs,
            Map<String, String> sources,
            List<String> assumed) {}

    /** {@return JSON that may stand in a script} */
    private static String model(WhatIf whatIf) {
        Set<Formula.Input> inputs = new LinkedHashSet<>();
        whatIf.cases().forEach(one -> inputs.addAll(one.inputs().keySet()));
        Model model = new Model(
                inputs.stream().map(WhatIfPage::input).toList(),
                whatIf.chapters().stream()
                        .map(chapter -> new Chapter(
                                chapter.title(),
                                chapter.steps().stream().map(WhatIfPage::step).toList()))
                        .toList(),
                whatIf.checks().stream().map(WhatIf.Check::label).toList(),
                whatIf.cases().stream().map(WhatIfPage::beginning).toList());
        try {
            // "</script>" in a name would end the element.
            return new ObjectMapper().writeValueAsString(model).replace("<", "\\u003c");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Input input(Formula.Input input) {
        Range range = input.range();
        return new Input(
                input.key(),
                input.label(),
                input.unit(),
                range.above(),
                range.from(),
                range.to(),
                range.words(input.unit()));
    }

    private static Step step(WhatIf.Step step) {
        Column column = step.column();
        return new Step(column.key(), column.label(), column.unit(), step.isAnswer(), step.words());
    }

    private static Case beginning(WhatIf.Case one) {
        Map<String, List<List<Double>>> curves = new LinkedHashMap<>();
        for (Formula.CurveInput curve : one.curves()) {
            curves.put(curve.key(), one.repeat().curve(curve).pairs());
        }
        return new Case(
                one.title(),
                one.repeat().counters(),
                curves,
                one.inputs().keySet().stream().map(Formula.Input::key).toList(),
                one.inputs().entrySet().stream()
                        .collect(Collectors.toMap(
                                input -> input.getKey().key(), Map.Entry::getValue)),
                one.assumed());
    }
}
