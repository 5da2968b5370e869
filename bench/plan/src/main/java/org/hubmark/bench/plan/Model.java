package org.hubmark.bench.plan;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.plan.formula.FormulaParser;
import org.hubmark.bench.results.YamlResource;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What plans are made of: plan/model.yaml, the only place where a formula stands.
 *
 * @param inputs by name
 * @param curves by name
 */
public record Model(
        Map<String, Input> inputs,
        Map<String, CurveInput> curves,
        List<Chapter> chapters,
        List<Check> checks) {
    /** The one that there is. */
    public static final Model OURS = read("/plan/model.yaml");

    /**
     * A curve that a plan is made of.
     *
     * @param x unit along
     * @param y unit up
     */
    public record CurveInput(String name, String label, String x, String y) {}

    /** Copies, and checks that each formula is made of what stands before it. */
    public Model {
        // In the order of the file.
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
        curves = Collections.unmodifiableMap(new LinkedHashMap<>(curves));
        chapters = List.copyOf(chapters);
        checks = List.copyOf(checks);
        Set<String> known = new HashSet<>(inputs.keySet());
        for (Chapter chapter : chapters) {
            for (Step step : chapter.steps()) {
                Set<String> numbers = new LinkedHashSet<>();
                Set<String> used = new LinkedHashSet<>();
                step.expression().names(numbers, used);
                for (String name : numbers) {
                    require(known.contains(name), step.name() + " is made of " + name);
                }
                for (String name : used) {
                    require(curves.containsKey(name), step.name() + " reads " + name);
                }
                require(known.add(step.name()), step.name() + " stands twice");
                String exact = step.exact();
                require(exact == null || known.contains(exact), step.name() + ": " + exact);
                require(known.containsAll(step.beside()), step.name() + ": " + step.beside());
            }
        }
        for (Check check : checks) {
            require(known.contains(check.has()), check.has());
            require(known.contains(check.needs()), check.needs());
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalArgumentException("model of plan: " + what);
        }
    }

    /** {@return all steps in order} */
    public List<Step> steps() {
        return chapters.stream().flatMap(chapter -> chapter.steps().stream()).toList();
    }

    /** {@return what stands for a name in words} */
    public String label(String name) {
        Input input = inputs.get(name);
        if (input != null) {
            return input.label();
        }
        CurveInput curve = curves.get(name);
        if (curve != null) {
            return curve.label();
        }
        return steps().stream()
                .filter(step -> step.name().equals(name))
                .map(Step::label)
                .findFirst()
                .orElse(name);
    }

    /** {@return the unit of an input or step} */
    public String unit(String name) {
        Input input = inputs.get(name);
        if (input != null) {
            return input.unit();
        }
        return steps().stream()
                .filter(step -> step.name().equals(name))
                .map(Step::unit)
                .findFirst()
                .orElse("");
    }

    private static Model read(String resource) {
        JsonNode all = YamlResource.read(resource);
        Map<String, Input> inputs = new LinkedHashMap<>();
        for (JsonNode one : all.path("inputs")) {
            Input input = input(one);
            inputs.put(input.name(), input);
        }
        Map<String, CurveInput> curves = new LinkedHashMap<>();
        for (JsonNode one : all.path("curves")) {
            String name = one.path("name").asText();
            curves.put(
                    name,
                    new CurveInput(
                            name,
                            one.path("label").asText(),
                            one.path("x").asText(),
                            one.path("y").asText()));
        }
        List<Chapter> chapters = new ArrayList<>();
        for (JsonNode one : all.path("chapters")) {
            List<Step> steps = new ArrayList<>();
            one.path("steps").forEach(step -> steps.add(step(step)));
            chapters.add(new Chapter(
                    one.path("name").asText(),
                    one.path("title").asText(),
                    Cells.texts(one.path("needs")),
                    steps));
        }
        List<Check> checks = new ArrayList<>();
        for (JsonNode one : all.path("checks")) {
            checks.add(new Check(
                    one.path("name").asText(),
                    one.path("label").asText(),
                    one.path("has").asText(),
                    one.path("needs").asText(),
                    Cells.texts(one.path("unless")),
                    one.path("informs").asBoolean()));
        }
        return new Model(inputs, curves, chapters, checks);
    }

    private static Input input(JsonNode one) {
        return new Input(
                one.path("name").asText(),
                one.path("label").asText(),
                one.path("unit").asText(),
                number(one.path("above")),
                number(one.path("from")),
                number(one.path("to")),
                number(one.path("assumed")),
                text(one.path("because")));
    }

    private static Step step(JsonNode one) {
        String formula = one.path("formula").asText();
        return new Step(
                one.path("name").asText(),
                one.path("label").asText(),
                one.path("unit").asText(),
                formula,
                FormulaParser.parse(formula),
                text(one.path("why")),
                one.path("answer").asBoolean(),
                text(one.path("exact")),
                Cells.texts(one.path("beside")),
                text(one.path("better")));
    }

    private static @Nullable Double number(JsonNode node) {
        return node.isNumber() ? (Double) node.asDouble() : null;
    }

    private static @Nullable String text(JsonNode node) {
        return node.isTextual() ? node.asText() : null;
    }
}
