package org.hubmark.bench.kit.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.kit.page.Html;

import java.io.IOException;

/**
 * The page what-if.html: inputs can be moved there, and everything is computed again by the formulas of
 * the report, which stand in it as JavaScript. It needs nothing else.
 */
public final class WhatIfPage {
    private static final String STYLE = """
            input[type=number] { width: 9em; text-align: right; font: inherit; }
            th, td { text-align: left; white-space: normal; }
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

    /** {@return JSON that may stand in a script} */
    private static String model(WhatIf whatIf) {
        try {
            // "</script>" in a name would end the element.
            return new ObjectMapper().writeValueAsString(whatIf).replace("<", "\\u003c");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
