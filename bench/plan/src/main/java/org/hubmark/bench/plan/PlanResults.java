package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Tool;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * plan.json: plans of one command, each with its name in every row.
 *
 * @param cases one of one's own, or those of a source with what is printed of them
 */
public record PlanResults(Tool tool, String command, List<PublishedCases.Case> cases) {
    private static final String FILE = "plan.json";
    /** Copies. */
    public PlanResults {
        cases = List.copyOf(cases);
    }

    /** {@return the plans} */
    public List<Plan> plans() {
        return cases.stream().map(PublishedCases.Case::plan).toList();
    }

    /** {@return whether all demands are met; those of a source are nobody's} */
    public boolean met() {
        return cases.stream()
                .allMatch(one -> !one.printed().isEmpty() || one.plan().met());
    }

    /** {@return the content of the file} */
    public String json() {
        return JsonFile.text(tree());
    }

    /** Writes the file into a folder, whole or not at all. */
    public void write(Path folder) throws IOException {
        JsonFile.write(tree(), folder.resolve(FILE));
    }

    private Map<String, @Nullable Object> tree() {
        List<Object> inputs = new ArrayList<>();
        List<Object> curves = new ArrayList<>();
        List<Object> steps = new ArrayList<>();
        List<Object> checks = new ArrayList<>();
        List<Object> answers = new ArrayList<>();
        List<Object> printed = new ArrayList<>();
        List<Object> assumptions = new ArrayList<>();
        List<Object> sensitivity = new ArrayList<>();
        List<Object> leftOut = new ArrayList<>();
        for (PublishedCases.Case one : cases) {
            Plan plan = one.plan();
            for (Input input : plan.inputs()) {
                Values.Given given = plan.values().numbers().get(input.name());
                inputs.add(input(plan, input, given));
                if (given != null && given.source().isAssumption()) {
                    assumptions.add(assumption(plan, input, given));
                }
            }
            plan.values().curves().forEach((name, given) -> curves.add(curve(plan, name, given)));
            plan.steps().forEach(step -> steps.add(step(plan, step)));
            plan.checks().forEach(check -> checks.add(check(plan, check)));
            plan.answers().forEach(answer -> answers.add(answer(plan, answer)));
            one.printed().forEach(figure -> printed.add(printed(plan, figure)));
            Sensitivity.of(plan).forEach(row -> sensitivity.add(sensitivity(plan, row)));
            plan.leftOut().forEach(text -> leftOut.add(row(plan, "text", text)));
        }
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("schema", JsonFile.SCHEMA);
        all.put("tool", tool);
        all.put("command", command);
        all.put("met", met());
        all.put("inputs", inputs);
        all.put("curves", curves);
        all.put("steps", steps);
        all.put("checks", checks);
        all.put("answer", answers);
        all.put("published", printed);
        all.put("assumptions", assumptions);
        all.put("sensitivity", sensitivity);
        all.put("left_out", leftOut);
        return all;
    }

    private static Map<String, @Nullable Object> row(Plan plan, String key, Object value) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("case", plan.name());
        row.put(key, value);
        return row;
    }

    private static Object input(Plan plan, Input input, Values.@Nullable Given given) {
        Map<String, @Nullable Object> row = row(plan, "name", input.name());
        row.put("label", input.label());
        row.put("value", given == null ? null : (Double) given.value());
        row.put("unit", input.unit());
        source(row, given == null ? null : given.source());
        return row;
    }

    private static void source(Map<String, @Nullable Object> row, @Nullable Source source) {
        row.put("kind", source == null ? null : source.kind().text());
        row.put("source", source == null ? null : source.where());
    }

    private static Object assumption(Plan plan, Input input, Values.Given given) {
        Map<String, @Nullable Object> row = row(plan, "name", input.name());
        row.put("value", given.value());
        row.put("unit", input.unit());
        row.put("because", given.source().where());
        row.put(
                "steps",
                plan.steps().stream()
                        .filter(step ->
                                step.value() != null && step.assumptions().contains(input.name()))
                        .map(step -> step.step().name())
                        .toList());
        return row;
    }

    private static Object curve(Plan plan, String name, Values.GivenCurve given) {
        Map<String, @Nullable Object> row = row(plan, "name", name);
        row.put("label", plan.model().label(name));
        row.put(
                "points",
                given.curve().points().stream()
                        .map(point -> List.of(point.x(), point.y()))
                        .toList());
        source(row, given.source());
        return row;
    }

    private static Object step(Plan plan, StepResult result) {
        Step step = result.step();
        Map<String, @Nullable Object> row = row(plan, "name", step.name());
        row.put("chapter", result.chapter());
        row.put("label", step.label());
        row.put("formula", step.formula());
        row.put("words", step.expression().words(plan.model()::label));
        row.put("why", step.why());
        List<Object> inputs = new ArrayList<>();
        for (String name : result.used()) {
            Map<String, @Nullable Object> input = new LinkedHashMap<>();
            Source source = plan.values().source(name);
            input.put("name", name);
            double value = plan.values().number(name);
            input.put("value", Double.isNaN(value) ? plan.value(name) : (Double) value);
            input.put("unit", plan.model().unit(name));
            input.put("from", source == null ? "step" : source.words());
            inputs.add(input);
        }
        row.put("inputs", inputs);
        row.put("result", result.value());
        row.put("unit", step.unit());
        row.put("assumptions", result.assumptions());
        row.put("unknown", result.unknown());
        row.put("notes", result.notes());
        return row;
    }

    private static Object check(Plan plan, Plan.Checked checked) {
        Map<String, @Nullable Object> row = row(plan, "name", checked.check().name());
        row.put("label", checked.check().label());
        row.put("has", checked.has());
        row.put("needs", checked.needs());
        row.put("unit", plan.model().unit(checked.check().needs()));
        row.put("met", checked.met());
        row.put("informs", checked.check().informs());
        return row;
    }

    private static Object answer(Plan plan, StepResult answer) {
        Map<String, @Nullable Object> row = row(plan, "name", answer.step().name());
        row.put("label", answer.step().label());
        row.put("value", answer.value());
        String exact = answer.step().exact();
        row.put("exact", exact == null ? answer.value() : plan.value(exact));
        row.put("unit", answer.step().unit());
        row.put("assumptions", answer.assumptions());
        return row;
    }

    private static Object printed(Plan plan, PublishedCases.Printed figure) {
        Map<String, @Nullable Object> row = row(plan, "step", figure.step());
        Double computed = plan.value(figure.step());
        row.put("printed", figure.value());
        row.put("computed", computed);
        row.put("agrees", figure.agrees(computed));
        return row;
    }

    private static Object sensitivity(Plan plan, Sensitivity one) {
        Map<String, @Nullable Object> row = row(plan, "answer", one.answer());
        row.put("input", one.input());
        row.put("assumption", one.assumption());
        row.put("lower_percent", one.lowerPercent());
        row.put("higher_percent", one.higherPercent());
        return row;
    }
}
