package org.hubmark.bench.plan.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.kit.page.Html;
import org.hubmark.bench.plan.Chapter;
import org.hubmark.bench.plan.Input;
import org.hubmark.bench.plan.Model;
import org.hubmark.bench.plan.Plan;
import org.hubmark.bench.plan.Source;
import org.hubmark.bench.plan.Step;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The page what-if.html: the inputs of a plan can be moved there, and everything is computed again by the
 * formulas of the plan, which stand in it as JavaScript. It needs nothing else.
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

    static String of(String title, List<Plan> plans) throws IOException {
        return Html.around(
                "What if? " + title,
                STYLE,
                "<section><p>Change an input, and all steps are computed again by the formulas of the"
                        + " report. Curves stay as they were measured. Nothing leaves this page.</p>\n"
                        + "<div id=\"plan\"></div>\n"
                        + "<noscript><p>This page needs JavaScript.</p></noscript></section>\n"
                        + "<script>\n"
                        + formulas(plans.getFirst().model())
                        + "var hubmarkModel = "
                        + model(plans)
                        + ";\n"
                        + resource("what-if.js")
                        + resource("what-if-page.js")
                        + "</script>\n");
    }

    /** {@return the formulas of all steps as JavaScript, and what they call} */
    public static String formulas(Model model) throws IOException {
        StringBuilder out = new StringBuilder(resource("formulas.js"));
        out.append("var hubmarkSteps = {\n");
        for (Step step : model.steps()) {
            out.append("  ")
                    .append(step.name())
                    .append(": function (v, c, f) { return ")
                    .append(step.expression().javaScript())
                    .append("; },\n");
        }
        return out.append("};\n").toString();
    }

    /** {@return what computes all steps of a plan, given the formulas} */
    public static String computation() throws IOException {
        return resource("what-if.js");
    }

    /** {@return inputs, steps without their formulas, and the plans, as JSON that may stand in a script} */
    public static String model(List<Plan> plans) {
        Model model = plans.getFirst().model();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put(
                "inputs",
                model.inputs().values().stream().map(WhatIfPage::input).toList());
        all.put(
                "chapters",
                model.chapters().stream().map(one -> chapter(one, model)).toList());
        all.put("checks", model.checks());
        all.put("cases", plans.stream().map(WhatIfPage::plan).toList());
        try {
            // "</script>" in a name would end the element.
            return new ObjectMapper().writeValueAsString(all).replace("<", "\\u003c");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, @Nullable Object> input(Input input) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("name", input.name());
        row.put("label", input.label());
        row.put("unit", input.unit());
        row.put("above", input.above());
        row.put("from", input.from());
        row.put("to", input.to());
        row.put("bounds", input.bounds());
        return row;
    }

    private static Map<String, Object> chapter(Chapter chapter, Model model) {
        List<Object> steps = new ArrayList<>();
        for (Step step : chapter.steps()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", step.name());
            row.put("label", step.label());
            row.put("unit", step.unit());
            row.put("answer", step.answer());
            row.put("words", step.expression().words(model::label));
            steps.add(row);
        }
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", chapter.name());
        row.put("title", chapter.title());
        row.put("needs", chapter.needs());
        row.put("steps", steps);
        return row;
    }

    private static Map<String, Object> plan(Plan plan) {
        Map<String, Object> values = new LinkedHashMap<>();
        Map<String, Object> sources = new LinkedHashMap<>();
        List<String> assumed = new ArrayList<>();
        plan.values().numbers().forEach((name, given) -> {
            values.put(name, given.value());
            Source source = given.source();
            sources.put(name, source.words());
            if (source.isAssumption()) {
                assumed.add(name);
            }
        });
        Map<String, Object> curves = new LinkedHashMap<>();
        plan.values()
                .curves()
                .forEach((name, given) -> curves.put(
                        name,
                        given.curve().points().stream()
                                .map(point -> List.of(point.x(), point.y()))
                                .toList()));
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("title", plan.title());
        row.put("values", values);
        row.put("sources", sources);
        row.put("assumed", assumed);
        row.put("curves", curves);
        row.put("wanted", plan.wanted());
        row.put("inputs", plan.inputs().stream().map(Input::name).toList());

        return row;
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = WhatIfPage.class.getResourceAsStream("/plan/" + name)) {
            return new String(
                    Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
