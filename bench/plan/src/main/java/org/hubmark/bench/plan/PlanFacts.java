package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula.OfColumn;
import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** What follows from plans, as the head of the file has it: lists, each with entries of each plan. */
final class PlanFacts {
    private PlanFacts() {}

    static Map<String, @Nullable Object> of(List<Plan> plans) {
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        Map<String, Function<Plan, Stream<Map<String, @Nullable Object>>>> lists =
                new LinkedHashMap<>();
        lists.put("answers", PlanFacts::answers);
        lists.put("published", PlanFacts::published);
        lists.put("steps", PlanFacts::steps);
        lists.put("inputs", PlanFacts::inputs);
        lists.forEach((key, of) -> facts.put(key, plans.stream().flatMap(of).toList()));
        return facts;
    }

    /** {@return an entry of pairs of a key and a value} */
    private static Map<String, @Nullable Object> entry(@Nullable Object... pairs) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            entry.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return entry;
    }

    private static Stream<Map<String, @Nullable Object>> answers(Plan plan) {
        return plan.answers().stream()
                .map(answer -> entry(
                        "case", plan.name(),
                        "name", Plan.key(answer.step()),
                        "label", answer.step().words(),
                        "value", plan.amount(answer.step()),
                        "exact", plan.amount(answer.exact()),
                        "unit", answer.step().column().unit(),
                        "assumptions",
                                plan.assumptions(answer.step()).stream()
                                        .map(Plan::key)
                                        .toList()));
    }

    private static Stream<Map<String, @Nullable Object>> published(Plan plan) {
        return PublishedCases.printed(plan.name()).stream()
                .map(figure -> entry(
                        "case", plan.name(),
                        "step", Plan.key(figure.step()),
                        "printed", figure.value(),
                        "computed", plan.amount(figure.step()),
                        "agrees", figure.agrees(plan.value(figure.step()))));
    }

    private static Stream<Map<String, @Nullable Object>> steps(Plan plan) {
        return PlanModel.CHAPTERS.stream()
                .flatMap(chapter -> plan.steps(chapter).stream()
                        .map(step -> entry(
                                "case", plan.name(),
                                "chapter", chapter.title(),
                                "name", Plan.key(step),
                                "label", step.words(),
                                "result", plan.amount(step),
                                "unit", step.column().unit(),
                                "formula", step.column().words(),
                                "inputs", madeOf(plan, step))));
    }

    /** {@return the inputs of a step} */
    private static List<Map<String, @Nullable Object>> madeOf(Plan plan, OfColumn step) {
        return plan.madeOf(step).stream()
                .map(one -> {
                    Source source = plan.source(one);
                    return entry(
                            "name",
                            Plan.key(one),
                            "value",
                            plan.amount(one),
                            "unit",
                            plan.amount(one).unit(),
                            "from",
                            source == null ? "step" : source.words());
                })
                .toList();
    }

    private static Stream<Map<String, @Nullable Object>> inputs(Plan plan) {
        return PlanInputs.all().stream().map(input -> {
            Source source = plan.source(input);
            return entry(
                    "case", plan.name(),
                    "label", input.label(),
                    "value", plan.amount(input),
                    "unit", input.unit(),
                    "kind", source == null ? null : source.kind(),
                    "source", source == null ? null : source.where(),
                    "bounds", input.range(),
                    "name", input.key());
        });
    }
}
